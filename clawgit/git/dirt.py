"""What differs from HEAD right now, as C git sees it.

Not libgit2: loading it takes 13 ms.
"""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import HARD_LINK, is_hard_link, text_at
from clawgit.core.doors import tempfile
from clawgit.core.errors import BusyError, MassDeletionError
from clawgit.core.layout import EVERYTHING, Scope, is_markdown
from clawgit.core.limits import LARGEST_FILE
from clawgit.git.cgit import CGit, Running
from clawgit.git.gitindex import Blob, refuse_damaged
from clawgit.git.guards.filters import filtered, why_filtered
from clawgit.git.place import is_commit_id, locate
from clawgit.git.worktree import obstacle

_DELETED = ("D.", ".D", "MD", "TD", "AD")
"""The status letters (index, work tree) of a file that is gone."""

_BEGUN: Mapping[str, str] = {
    "rebase-merge": "a rebase",
    "rebase-apply/applying": "`git am`",
    "rebase-apply": "a rebase",
    "MERGE_HEAD": "a merge",
    "REVERT_HEAD": "a revert",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "sequencer/todo": "a series of cherry-picks or reverts",
    "BISECT_LOG": "a bisect",
    "BISECT_START": "a bisect",
}


class Pause(NamedTuple):
    """Why clawgit moves no branch now, and what the user types to go on."""

    why: str
    hint: str


class SkippedChange(NamedTuple):
    """A change that clawgit leaves uncommitted, and why."""

    path: str
    reason: str


_STATUS = (
    *("status", "--porcelain=v2", "-z", "--branch", "-uall"),
    *("--no-renames", "--no-ahead-behind"),
)

LINKED = "a symlink in place of the file"

SKIP = "skip-worktree"
ASSUME = "assume-unchanged"


class Hidden(NamedTuple):
    """A Markdown file that a bit of its index entry hides: `git status` shows no edit of it.

    `edited`: the disk differs from the index.
    """

    path: str
    bit: str
    edited: bool

    @property
    def remedy(self) -> str:
        return f"git update-index --no-{self.bit} '{self.path}'"


class Dirt(NamedTuple):
    """What differs from HEAD. `paths` wait for a snapshot; HEAD does not have the `new` ones yet.

    `skipped` are never committed. `head` is None on a branch without a commit, `branch` is None if
    HEAD is detached.
    """

    head: str | None
    branch: str | None
    paths: tuple[str, ...]
    deleted: tuple[str, ...]
    skipped: tuple[SkippedChange, ...]
    conflicted: tuple[str, ...]
    new: tuple[str, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    """The files that git is told to overlook; the edited ones are in `paths` too."""
    unstaged: Mapping[str, Blob] = {}
    """HEAD's version of files that only git's index has lost."""
    withheld: tuple[SkippedChange, ...] = ()
    """Those of the skipped that are new files with a secret."""

    def without(self, skipped: tuple[SkippedChange, ...]) -> "Dirt":
        """The same, with some of its paths skipped."""
        left_out = {entry.path for entry in skipped}
        return self._replace(
            paths=tuple(path for path in self.paths if path not in left_out),
            new=tuple(path for path in self.new if path not in left_out),
            skipped=(*self.skipped, *skipped),
            withheld=skipped,
        )


class _Listed(NamedTuple):
    """A path that differs; the `reason` for which it is skipped is "" if it is obvious (a file that
    is no Markdown), None if it is not skipped.
    """

    path: str
    reason: str | None
    new: bool
    gone: bool


def scan(git: CGit, scope: Scope = EVERYTHING) -> Dirt:
    """What differs from HEAD in the scope: `git status`, and edits that git is told to overlook."""
    running = _listing(git)
    try:
        listing = git.run(*_STATUS)
    finally:
        flagged = _flagged(running.finish()[1])
    records = _records(listing)
    unstaged = dict(_unstaged(git.root, records, scope))
    if flagged or unstaged:
        lost = (f"H {blob.mode:o} {blob.oid} 0\t{path}" for path, blob in unstaged.items())
        with index_with(git, [*flagged.values(), *map(os.fsencode, lost)]) as index:
            records = _records(git.run(*_STATUS, index=index))
    headers = dict(rest.partition(" ")[::2] for kind, rest in records if kind == "#")
    listed = _without_filtered(git, [*_paths(git.root, records, scope)])
    taken = [one for one in listed if one.reason is None]
    return Dirt(
        head=_known(headers, "branch.oid"),
        branch=_known(headers, "branch.head"),
        paths=tuple(sorted({*_names(taken)})),
        deleted=_names(taken, "gone"),
        skipped=tuple(SkippedChange(one.path, one.reason) for one in listed if one.reason),
        conflicted=tuple(rest.split(" ", 9)[9] for kind, rest in records if kind == "u"),
        new=tuple(sorted(_names(taken, "new"))),
        hidden=tuple(_hidden(flagged, records, scope)),
        unstaged=unstaged,
    )


def _records(listing: bytes) -> list[tuple[str, str]]:
    rows = (record.partition(" ") for record in map(os.fsdecode, listing.split(b"\0")))
    return [(kind, rest) for kind, _, rest in rows]


def _unstaged(
    root: Path, records: Sequence[tuple[str, str]], scope: Scope
) -> Iterator[tuple[str, Blob]]:
    """What HEAD and the disk have, and git's index has lost (`git rm --cached`, a removed index):
    nobody deleted it. One that git ignores is meant to leave history.
    """
    untracked = {rest for kind, rest in records if kind == "?"}
    for kind, rest in records:
        if kind == "1" and rest.startswith("D."):
            _, _, mode, _, _, oid, _, path = rest.split(" ", 7)
            if path in untracked and why_not_taken(root, path, scope) != "":
                yield path, Blob(oid, int(mode, 8))


def _hidden(
    flagged: Mapping[str, bytes], records: Sequence[tuple[str, str]], scope: Scope
) -> Iterator[Hidden]:
    """The files of the scope that git is told to overlook, by the rows of the index."""
    edited = {rest.split(" ", 7)[7] for kind, rest in records if kind == "1" and rest[1] != "."}
    for path, row in flagged.items():
        if scope.covers(path):
            yield Hidden(path, SKIP if row[:1] in b"sS" else ASSUME, edited=path in edited)


def _names(listed: Iterable[_Listed], which: str = "path") -> tuple[str, ...]:
    """The paths of those that are new, or gone, or of all."""
    return tuple(one.path for one in listed if getattr(one, which))


def _without_filtered(git: CGit, listed: list[_Listed]) -> list[_Listed]:
    """Skips files under a filter that nobody has accepted.

    Without the filter they would be committed as they are on disk: git-crypt's secrets in plain
    text.
    """
    names = filtered(git, (one.path for one in listed if one.reason is None))
    whys = {path: why_filtered(name) for path, name in names.items()}
    return [one._replace(reason=whys.get(one.path, one.reason)) for one in listed]


def flagged_rows(git: CGit) -> dict[str, bytes]:
    """The Markdown files with a bit by which git overlooks an edit, and what the index has of
    each: a sign, mode, blob and stage.
    """
    return _flagged(_listing(git).finish()[1])


def _listing(git: CGit) -> Running:
    # C git may take half of an index for the whole.
    refuse_damaged(_index_of(git))
    return git.start("ls-files", "-s", "-v", "-z")


def _flagged(listed: bytes) -> dict[str, bytes]:
    # `H` is a plain entry, `M` one side of a conflict, `S` skip-worktree; a small letter is
    # assume-unchanged.
    rows = (row for row in listed.split(b"\0") if row[:1] not in b"HM")
    return {
        os.fsdecode(row.partition(b"\t")[2]): row for row in rows if row.lower().endswith(b".md")
    }


@contextmanager
def index_with(git: CGit, rows: Sequence[bytes]) -> Iterator[Path | None]:
    """A temporary copy of git's index in which these entries are made again; None without any.

    Made again, an entry has no bits, and none of the times and sizes by which git takes a file for
    unchanged: an edit of the same length within a clock tick would be missed.
    """
    if not rows:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        file, copy = _index_of(git), Path(folder) / "index"
        if file.exists():
            copy.write_bytes(file.read_bytes())
            # Git looks closer at a file that was changed in the moment of the index.
            written = file.stat().st_mtime_ns
            os.utime(copy, ns=(written, written))
        lines = b"".join(row[2:] + b"\0" for row in rows)
        git.run("update-index", "-z", "--index-info", stdin=lines, index=copy)
        yield copy


def _index_of(git: CGit) -> Path:
    place = locate(git.root)
    return (place.git_dir if place else git.root) / "index"


def _known(headers: Mapping[str, str], name: str) -> str | None:
    """A header; None for `(initial)` and `(detached)`."""
    value = headers.get(name)
    return None if value in ("(initial)", "(detached)") else value


def _paths(root: Path, records: Iterable[tuple[str, str]], scope: Scope) -> Iterator[_Listed]:
    for kind, rest in records:
        if kind == "?" and _concerns(scope, rest):
            yield _Listed(rest, why_not_taken(root, rest, scope), new=True, gone=False)
        elif kind == "1" and _concerns(scope, path := rest.split(" ", 7)[7]):
            reason, is_gone = _why_not_followed(root, path, rest), rest[:2] in _DELETED
            yield _Listed(path, reason, new=rest[:1] == "A", gone=is_gone)


def _concerns(scope: Scope, path: str) -> bool:
    # Git lists a repository inside this one as a folder: what matters is whether Markdown in it
    # would be ours.
    return scope.covers(f"{path}_.md" if path.endswith("/") else path)


def why_not_taken(root: Path, path: str, scope: Scope) -> str | None:
    """Why a new file is not committed; "" if that is obvious, None if it is committed."""
    if path.endswith("/"):
        return "a repository of its own"
    if not scope.covers(path) or (scope == EVERYTHING and not is_markdown(path)):
        return ""
    try:
        status = os.lstat(f"{root}/{path}")
    except OSError:
        return ""
    if stat.S_ISLNK(status.st_mode):
        return "a symlink"
    if status.st_size > LARGEST_FILE:
        return "over 2 MiB, which OpenClaw refuses"
    return _why_out_of_reach(root, path)


def refuse_conflicts(conflicted: object) -> None:
    if conflicted:
        raise BusyError(
            "Git's index has a conflict, so clawgit changes nothing.",
            hint="Resolve it (`git status` names the files), then run this again. Nothing was "
            "changed.",
        )


def refuse_mass_deletion(git: CGit, dirt: Dirt, scope: Scope) -> None:
    """Refuses if more than half of the files, or all memory, is missing: that is probably an
    accident.
    """
    gone = {path for path in dirt.deleted if not (git.root / path).exists()}
    if not gone or dirt.head is None:
        return
    listed = map(os.fsdecode, git.run("ls-tree", "-r", "-z", dirt.head).split(b"\0"))
    # Without symlinks and submodules.
    files = (record.partition("\t")[2] for record in listed if record.startswith("100"))
    tracked = list(filter(scope.covers, files))
    memory = list(filter(_is_memory, tracked))
    # A single file of memory may well be moved or deleted on purpose.
    lost_memory = len(memory) > 1 and gone.issuperset(memory)
    if len(gone) * 2 <= len(tracked) and not lost_memory:
        return
    what = "all of its memory" if lost_memory else f"{len(gone)} of {len(tracked)} files"
    raise MassDeletionError(
        f"The workspace has lost {what}; this was not committed.",
        hint="Bring it back with `clawgit restore --all --at HEAD`, or, if you meant it, `clawgit "
        "snapshot --accept-deletions`.",
        missing=sorted(gone)[:20],
    )


def _is_memory(path: str) -> bool:
    return path in ("MEMORY.md", "memory.md") or path.startswith("memory/")


def unfinished(git_dir: Path) -> str | None:
    """What git has begun here and not finished, in words; includes a bisect, which detaches
    HEAD.
    """
    folder = os.fspath(git_dir)
    begun = (what for name, what in _BEGUN.items() if os.path.exists(f"{folder}/{name}"))  # noqa: PTH110 - asked three times a write
    return next(begun, None)


TO_A_BRANCH = "git switch NAME, or git switch -c NAME"
"""What to type where HEAD is on no branch."""


def pause(git_dir: Path) -> Pause | None:
    """Why a commit that is made now could be lost; None if it could not.

    A rebase or a merge that is aborted throws it away, and a checkout from a detached HEAD leaves
    it behind.
    """
    if doing := unfinished(git_dir):
        return Pause(
            f"Git is in the middle of {doing}", "Finish it or abort it (`git status` says how)"
        )
    # In very old repositories it is a symlink to a branch.
    if is_commit_id(text_at(git_dir / "HEAD").strip()):
        hint = "`git switch NAME` goes to a branch, `git switch -c NAME` makes one here"
        return Pause("HEAD is on no branch, so a checkout would leave a commit behind", hint)
    return None


def _why_not_followed(root: Path, path: str, record: str) -> str | None:
    """Why the change of a tracked file is not committed; None if it is."""
    _, sub, *modes = record.split(" ", 5)[:5]
    if modes[0].startswith("100") and modes[-1] == "120000":
        return LINKED
    if sub.startswith("S") or not {"120000", "160000"}.isdisjoint(modes):
        return "a symlink or a submodule"
    return _why_out_of_reach(root, path)


def _why_out_of_reach(root: Path, path: str) -> str | None:
    if why := obstacle(root, path):
        return why
    file = f"{root}/{path}"
    with suppress(OSError):
        status = os.lstat(file)
        if stat.S_ISREG(status.st_mode):
            if not os.access(file, os.R_OK):
                return "it cannot be read"
            if is_hard_link(status):
                return HARD_LINK
    try:
        path.encode()  # libgit2's tree builder takes names in UTF-8 only
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    return None
