"""Changing the workspace: snapshot what others did, take a change back, bring a file back."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from clawgit.domain.actors import SNAPSHOT
from clawgit.domain.authority import without_derived
from clawgit.domain.history import Commit, Intent, redo_target, undo_target
from clawgit.domain.merge import Conflict, MergedFile, merge_files, without
from clawgit.errors import ConflictError, NotFoundError, UsageError
from clawgit.ops.history import newest_first, reading, revision
from clawgit.ops.secrets_found import as_skipped, held_back
from clawgit.ops.workspace import Workspace
from clawgit.stores.git.transaction import Edit, Outcome, Transaction
from clawgit.stores.git.worktree import relative_path


class Sides(NamedTuple):
    """How a conflict is told: what brought it about, what to do, and the names of its sides."""

    cause: str
    hint: str
    then: str
    goal: str
    key: str
    """The goal's name in JSON."""


TAKING_BACK = Sides(
    "what it changed was changed again since.",
    "Undo the later change first (`clawgit why PATH:LINE` names it), or edit the file.",
    "it wrote:", "before it:", "before",
)  # fmt: skip

_NAMED = 3

Clash = tuple[str, Conflict]
"""A path, and what meets there."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a writing verb did. `commit` is None where nothing had to change, and in a dry run, where `preview` is the
    diff of what would. `parked`: git is busy; the change waits and is applied afterwards.
    """

    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    parked: bool = False
    dry_run: bool = False
    preview: str = ""
    of: str = ""
    """What it was done to, as a user names it: the change that was taken back, the conflict that was decided."""
    held: tuple[str, ...] = ()
    """Why the change waits for the operator, as the proposal `id`."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshotted:
    """One snapshot commit for each actor; the first three fields are those of the last."""

    commit: str | None
    id: str | None
    actor: str | None
    changed: tuple[str, ...]
    alerts: tuple[str, ...]
    commits: tuple["SnapshotCommit", ...]
    skipped: tuple[tuple[str, str], ...]
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class SnapshotCommit:
    commit: str
    id: str | None
    actor: str
    summary: str


def snapshot(
    workspace: Workspace, message: str = "", *, accept_deletions: bool = False, dry_run: bool = False
) -> Snapshotted:
    """Commits everything that changed without clawgit. A message says why, and that it was the caller who did it."""
    outcome, dirt = workspace.git.snapshot(
        workspace.now, note=message, actor=workspace.caller.actor, accept_deletions=accept_deletions, dry_run=dry_run
    )
    if dry_run:
        dirt = dirt.without(as_skipped(held_back(workspace, dirt.new)))
    held = tuple(f"{one.reason}: the file stays uncommitted" for one in outcome.withheld)
    commits = tuple(_snapshot_commit(workspace.git.commit(sha)) for sha in outcome.snapshots)
    last = commits[-1] if commits else None
    return Snapshotted(
        commit=last.commit if last else None,
        id=last.id if last else None,
        actor=last.actor if last else None,
        changed=dirt.paths if commits or dry_run else (),
        alerts=(*outcome.alerts, *held),
        commits=commits,
        skipped=dirt.skipped,
        dry_run=dry_run,
    )


def undo(workspace: Workspace, rev: str | None = None, *, dry_run: bool = False) -> Change:
    """Takes a change back by a new commit, whatever came after it; without `rev` the newest that is not an undo."""
    if rev is None:
        target = undo_target(newest_first(workspace))
        if target is None:
            raise NotFoundError(
                "There is no change to undo; snapshots of what others did are taken back by their id.",
                hint="`clawgit log` lists them: clawgit undo ID",
            )
    else:
        target = workspace.git.commit(revision(workspace, rev))
    return _take_back(workspace, target, "undo", dry_run=dry_run)


def redo(workspace: Workspace, *, dry_run: bool = False) -> Change:
    """Undoes the last undo."""
    target = redo_target(newest_first(workspace))
    if target is None:
        raise NotFoundError("There is no undo to take back.", hint="`clawgit log` lists what there is.")
    return _take_back(workspace, target, "redo", dry_run=dry_run)


def restore(workspace: Workspace, path: str, at: str | None = None, *, dry_run: bool = False) -> Change:
    """Brings a file back as it was at a revision; without one, a deleted file as it last was."""
    path = relative_path(workspace.root, path)
    git, now = workspace.git, workspace.now
    rev = revision(workspace, at) if at else _last_with(workspace, path)
    data = git.read(rev, path)
    if data is None:
        raise NotFoundError(
            f"{path} did not exist at {at}.", hint=f"`clawgit log '{path}'` lists the changes that touched it."
        )
    commit = git.commit(rev)
    intent = Intent(
        actor=workspace.caller.actor,
        verb="restore",
        summary=f"{path} as of {commit.name}",
        reason=f"The text of {commit.time:%Y-%m-%d %H:%M} ({commit.message.summary}).",
        evidence=(commit.name,),
    )
    with git.transaction(intent, now, dry_run=dry_run) as tx:
        tx.put(path, data)
    return described(tx, dry_run=dry_run, of=commit.name)


def described(tx: Transaction, *, dry_run: bool = False, of: str = "") -> Change:
    """What a transaction did, as a writing verb answers it."""
    outcome: Outcome = tx.outcome
    shown = diff_of(tx.edits.values()) if dry_run else ""
    fields = (outcome.commit, outcome.id, outcome.changed, outcome.snapshots, outcome.alerts, outcome.parked)
    return Change(*fields, dry_run=dry_run, preview=shown, of=of, held=outcome.held, warnings=outcome.warnings)


def diff_of(edits: Iterable[Edit]) -> str:
    """The edits of a transaction as a unified diff."""
    parts: list[str] = []
    for edit in sorted(edits, key=lambda one: one.path):
        if edit.before != edit.after:
            old, new = (f"a/{edit.path}", f"b/{edit.path}")
            parts += difflib.unified_diff(
                _lines(edit.before), _lines(edit.after),
                old if edit.before is not None else "/dev/null", new if edit.after is not None else "/dev/null",
            )  # fmt: skip
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in parts)


def _take_back(workspace: Workspace, target: Commit, verb: str, *, dry_run: bool) -> Change:
    if not target.parents:
        raise UsageError(
            f"{target.name} began the history; it cannot be taken back.",
            hint="`clawgit restore PATH --at REV` brings single files back.",
        )
    intent = Intent(
        actor=workspace.caller.actor,
        verb=verb,
        summary=f"take back {target.name} ({target.message.summary})",
        reason=f"Takes back {target.name} of {target.time:%Y-%m-%d %H:%M}, made by {target.actor}.",
        evidence=(target.name,),
    )
    git, conflicts = workspace.git, []
    inside, left_alone = _of_the_scope(workspace, target)
    with git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        for path in without_derived(inside):
            conflicts += _take_out(tx, path, git.read(target.sha, path), git.read(target.parents[0], path))
        refuse_conflicts(f"{target.name} cannot be taken back", conflicts)
    done = described(tx, dry_run=dry_run, of=target.name)
    done = replace(done, warnings=(*done.warnings, *left_alone))
    return done if tx.outcome.changed else replace(done, commit=None)


def _of_the_scope(workspace: Workspace, target: Commit) -> tuple[list[str], tuple[str, ...]]:
    """The paths of a change that may be taken back, and what to say of those that may not."""
    git = workspace.git
    inside, outside = git.scope.split(git.changed_paths(target.parents[0], target.sha))
    if outside and not inside:
        raise UsageError(
            f"{target.name} changed nothing that is in clawgit's scope: {_first_of(outside)}.",
            hint=f"`git revert {target.sha[:10]}` takes it back; `clawgit config get scope` shows the scope.",
        )
    if not outside:
        return inside, ()
    return inside, (f"Left as it is, outside of the scope: {_first_of(outside)}.",)


def _first_of(paths: list[str]) -> str:
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return ", ".join(paths[:_NAMED]) + more


def merge_in(tx: Transaction, path: str, base: bytes | None, goal: bytes | None) -> list[Clash]:
    """Puts what a file is with all that leads from `base` to `goal`; gives the conflicts that forbid it."""
    return _settle(tx, path, merge_files(base, _ours(tx, path, base, goal), goal))


def _take_out(tx: Transaction, path: str, brought: bytes | None, before: bytes | None) -> list[Clash]:
    """The same for a change that is taken back. Of a file that began with it, what came later stays."""
    ours = _ours(tx, path, brought, before)
    if before is None and brought is not None and ours is not None:
        return _settle(tx, path, without(brought, ours))
    return merge_in(tx, path, brought, before)


def _settle(tx: Transaction, path: str, merged: MergedFile) -> list[Clash]:
    if merged.conflicts:
        return [(path, conflict) for conflict in merged.conflicts]
    if merged.data is None:
        tx.delete(path)
    else:
        tx.put(path, merged.data)
    return []


def _ours(tx: Transaction, path: str, base: bytes | None, goal: bytes | None) -> bytes | None:
    """A file as it is, but for what only says that a correction was taken in."""
    found = tx.read(path)
    if path != "CORRECTIONS.md" or not found:
        return found
    from clawgit.domain.corrections import as_taken_in  # noqa: PLC0415 - few changes are corrections

    texts = ((one or b"").decode("utf-8", "surrogateescape") for one in (found, base, goal))
    return as_taken_in(*texts).encode("utf-8", "surrogateescape")


def refuse_conflicts(what: str, conflicts: list[Clash], sides: Sides = TAKING_BACK) -> None:
    """Shows each conflict by section, with both sides; the transaction around it then writes nothing."""
    if not conflicts:
        return
    places = "\n".join(_shown(path, conflict, sides) for path, conflict in conflicts)
    raise ConflictError(
        f"{what}: {sides.cause}\n{places}",
        hint=f"{sides.hint} Nothing was changed.",
        conflicts=[
            {"path": path, "line": one.line, "heading": one.heading, "now": one.ours, sides.key: one.theirs,
             "then": one.base}
            for path, one in conflicts
        ],
    )  # fmt: skip


def _shown(path: str, conflict: Conflict, sides: Sides) -> str:
    section = f" ({conflict.heading})" if conflict.heading else ""
    rows = zip((sides.then, "now:", sides.goal), (conflict.base, conflict.ours, conflict.theirs), strict=True)
    return "\n".join([f"  {path}:{conflict.line}{section}", *(f"    {name:<10} {_brief(text)}" for name, text in rows)])


def _brief(text: str | None) -> str:
    if text is None:
        return "(not there)"
    first, *more = text.strip().splitlines() or [""]
    return first + (f" … ({len(more)} more lines)" if more else "")


def _last_with(workspace: Workspace, path: str) -> str:
    """The newest commit that still had a file which is gone now."""
    git = workspace.git
    if (workspace.root / path).exists():
        raise UsageError(
            f"{path} is there; say which version you want.", hint=f"clawgit restore '{path}' --at yesterday"
        )
    if git.read(git.head().oid, path) is not None:
        return str(git.head().oid)
    with reading(workspace) as log:
        for commit in map(git.commit, log.commits(path)):
            for parent in commit.parents:
                if git.read(parent, path) is not None:
                    return parent
    raise NotFoundError(f"{path} was never here.", hint="`clawgit log` lists what there was.")


def _snapshot_commit(commit: Commit) -> SnapshotCommit:
    return SnapshotCommit(commit.sha, commit.id, commit.actor, commit.message.summary.removeprefix(f"{SNAPSHOT}: "))


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
