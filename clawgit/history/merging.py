"""What a commit did to the files, merged into today's or taken out, inside a transaction."""

from collections.abc import Iterable, Iterator

from clawgit.core.errors import ConflictError, PathRefusedError, first_of
from clawgit.git.store import GitStore
from clawgit.git.transaction import Edit, Transaction
from clawgit.git.worktree import read_file, refuse_unwritable
from clawgit.history.rules.merge import merge_files
from clawgit.history.rules.weaving import MergeConflict
from clawgit.workspace.workspace import Workspace

Clash = tuple[str, MergeConflict]
"""A path, and a conflict in that file."""

_UNDO_LATER = (
    "Undo the later change first, or edit the file. `clawgit why PATH:LINE` names that change; for "
    "a file that is gone, `clawgit log PATH`."
)


def edits_of(git: GitStore, old: str | None, new: str, paths: Iterable[str]) -> Iterator[Edit]:
    """What became of some files between two commits."""
    return (Edit(path, git.read(old, path), git.read(new, path)) for path in sorted(paths))


def writable(
    workspace: Workspace, paths: Iterable[str], commits: Iterable[str] = ()
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Those of the files that clawgit may write as they are in some commits; and for the others,
    why they stay as they are.
    """
    git = workspace.git
    inside, outside = git.scope.split(sorted(paths))
    left = {
        path: f"{path} stays as it is: it is a symlink or a submodule."
        for path in git.links(commits, inside)
    }
    for path in inside:
        try:
            git.refuse_filtered(path)
            read_file(workspace.root, path)
            refuse_unwritable(workspace.root, path)
        except PathRefusedError as refused:
            left.setdefault(path, f"{path} stays as it is. {refused.message}")
    notes = [left[path] for path in sorted(left)]
    if outside:
        notes.append(f"Left as it is, outside of the scope: {first_of(outside)}.")
    return frozenset(inside) - left.keys(), tuple(notes)


def merge_in(tx: Transaction, path: str, base: bytes | None, goal: bytes | None) -> list[Clash]:
    """Merges the change from `base` to `goal` into a file. Returns the conflicts; if there are any,
    nothing is written.
    """
    merged = merge_files(base, tx.read(path), goal)
    if not merged.conflicts:
        tx.put(path, merged.data)
    return [(path, conflict) for conflict in merged.conflicts]


def take_out(tx: Transaction, edit: Edit) -> list[Clash]:
    """Takes a change out of a file. If it created the file, what was added later stays."""
    path, is_new = edit.path, edit.before is None and tx.read(edit.path) is not None
    clashes = merge_in(tx, path, edit.after, b"" if is_new else edit.before)
    if is_new and not clashes and not (tx.read(path) or b"").strip():
        tx.put(path, None)
    return clashes


def refuse_conflicts(
    what: str,
    conflicts: list[Clash],
    cause: str = "what it changed was changed again since.",
    hint: str = _UNDO_LATER,
    goal: str = "before",
) -> None:
    """Raises if there are conflicts, with both sides of each. The transaction is then dropped."""
    if not conflicts:
        return
    rows = [
        {
            "path": path,
            "line": one.line,
            "heading": one.heading,
            "now": one.ours,
            goal: one.theirs,
            "then": one.base,
        }
        for path, one in conflicts
    ]
    places = "\n".join(line for clash in conflicts for line in _shown(*clash, goal))
    hint = f"{hint} Nothing was changed."
    raise ConflictError(f"{what}: {cause}\n{places}", hint=hint, conflicts=rows)


def _shown(path: str, conflict: MergeConflict, goal: str) -> Iterator[str]:
    section = f" ({conflict.heading})" if conflict.heading else ""
    yield f"  {path}:{conflict.line}{section}"
    sides = {"then": conflict.base, "now": conflict.ours, goal: conflict.theirs}
    for name, text in sides.items():
        first, *more = ["(not there)"] if text is None else text.strip().splitlines() or [""]
        yield f"    {name + ':':<10} {first}" + (f" … ({len(more)} more lines)" if more else "")
