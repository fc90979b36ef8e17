"""What the operator of this machine accepted: one small file outside of all workspaces.

A workspace is identified by its real path and by a mark in its `.git/clawgit` folder. A clone has
no mark, a copy has another path, and another repository at the same path has another mark or none,
so none of them inherits anything.
"""

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.core import NamedTuple
from clawgit.core.config.trust import DiskFacts, TrustRow
from clawgit.core.disk.plainfile import open_plain, put_in_place, text_at
from clawgit.core.disk.xdg import keep, own_note
from clawgit.core.doors import hashlib, json, shlex
from clawgit.core.errors import ConfigError, StorageError
from clawgit.git.lock import workspace_lock
from clawgit.git.place import RepoPlace
from clawgit.language.lazily import lazily

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import Caller

FILTER = "filter"
"""The kind of rows about programs that git runs on files."""

TEXT = "text"
"""The kind of rows about planted text that is the operator's, or that he has accepted."""

ADOPTED = "adopted"
"""The kind of the row with the commit of what stood in the folder when the operator adopted it."""

AT_A_TERMINAL = "the operator at a terminal"
"""Who accepted a row that is not from a signature."""

_PATIENCE = 5.0
_VERSION = 1
_BETWEEN = lazily(r"[\s;|&()<>'\"=:`$]+")
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class TrustError(ConfigError):
    """The trust store cannot be read or written: nothing is trusted then, nothing is deleted."""

    kind = "trust"


class _Workspace(NamedTuple):
    path: str
    mark: str
    rows: tuple[TrustRow, ...]


def trust_file(caller: "Caller") -> Path:
    """`clawgit/trust.json` in the XDG configuration folder."""
    return own_note(caller.env, caller.home, "trust.json")


def accepted_rows(caller: "Caller", place: RepoPlace) -> tuple[TrustRow, ...]:
    """What was accepted for this workspace; TrustError if the file exists but cannot be read."""
    # The real path: through a link, a folder under another name would be another workspace.
    path = os.path.realpath(place.root)
    known = [workspace for workspace in _read(trust_file(caller)) if workspace.path == path]
    # The mark as well, since a path can be given to another repository: `rm -rf` and `git clone`
    # would inherit what was accepted for the first. Without a mark nothing counts.
    mark = _mark(place) if known else ""
    if not mark:
        return ()
    return next((workspace.rows for workspace in known if workspace.mark == mark), ())


def change_rows(
    caller: "Caller", place: RepoPlace, change: Callable[[tuple[TrustRow, ...]], Iterable[TrustRow]]
) -> None:
    """Replaces the rows of a workspace, in one step under a lock."""
    file = trust_file(caller)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # One file for all workspaces of the machine: two `trust` at once would each write back what
    # they had read, and one acceptance would be lost.
    with workspace_lock(file.with_suffix(".lock"), file.name, _PATIENCE):
        others = _read(file)
        path, mark = os.path.realpath(place.root), _mark(place) or _marked(place)
        before = next((other.rows for other in others if other[:2] == (path, mark)), ())
        # What was accepted for another repository at this path is deleted: it cannot come back.
        kept = [other for other in others if other.path != path]
        _write(file, [*kept, _Workspace(path, mark, tuple(change(before)))])


def facts_of(place: RepoPlace, home: Path) -> DiskFacts:
    """Facts about the disk for the judgement of settings."""
    root = os.path.realpath(place.root)
    return DiskFacts(partial(_files_named, root, home), partial(_is_inside, root, home))


def _files_named(root: str, home: Path, text: str) -> Mapping[str, str]:
    """The files of the workspace that a command names, with their hashes, without files that they
    load.

    A path may have spaces, be in quotes, or in `sh -c '…'`, so each reading counts; and a word may
    be what `python -m` runs.
    """
    text = text.removeprefix("command:").strip()
    try:
        quoted = shlex.split(text)
    except ValueError:
        quoted = []
    words = {word for word in (text, *quoted, *_BETWEEN.split(text)) if word and "\0" not in word}
    modules = {word.replace(".", "/") for word in words if word.replace(".", "").isidentifier()}
    hashes: dict[str, str] = {}
    for name in (*words, *(f"{module}{end}" for module in modules for end in _MODULE)):
        full = _real(root, home, name)
        if full.startswith(f"{root}{os.sep}") and os.path.isfile(full):  # noqa: PTH113 - a path by its text
            hashes[os.path.relpath(full, root)] = _hash(full)
    return hashes


_MODULE = (".py", "/__main__.py")


def _is_inside(root: str, home: Path, path: str) -> bool:
    """Whether a path is in the workspace.

    Git's own folder counts as outside, since its files are not workspace files.
    """
    full = _real(root, home, path)
    inside = full == root or full.startswith(f"{root}{os.sep}")
    return inside and ".git" not in Path(os.path.relpath(full, root)).parts


def _real(root: str, home: Path, path: str) -> str:
    named = os.path.join(home, path[2:]) if path.startswith("~/") else os.path.join(root, path)  # noqa: PTH118
    return os.path.realpath(named)


def _hash(path: str) -> str:
    digest = hashlib.sha256()
    try:
        with open_plain(path) as file:
            while part := file.read(1 << 20):
                digest.update(part)
    except OSError as error:
        return f"unreadable: {error.errno}"
    return digest.hexdigest()


def _mark(place: RepoPlace) -> str:
    return text_at(place.shared / "trust-mark").strip()


def _marked(place: RepoPlace) -> str:
    mark = os.urandom(16).hex()
    try:
        place.shared.mkdir(parents=True, exist_ok=True)
        put_in_place(place.shared / "trust-mark", f"{mark}\n".encode(), 0o600, synced=True)
    except OSError as error:
        raise StorageError(
            f"{place.shared} cannot be written: {error.strerror}.",
            hint="Check the owner of the .git folder.",
        ) from error
    return mark


def _read(file: Path) -> list[_Workspace]:
    try:
        with file.open("rb") as opened:
            # The status of the open file: its name may lead elsewhere by now.
            _refuse_others(file, os.fstat(opened.fileno()))
            stored = json.loads(opened.read())
        if stored["version"] != _VERSION:
            raise ValueError("it is not a trust store of this version")  # noqa: TRY301 - one error
        return [
            _Workspace(entry["path"], entry["mark"], tuple(map(_row, entry["rows"])))
            for entry in stored["workspaces"]
        ]
    except (FileNotFoundError, NotADirectoryError):
        # Nothing was ever accepted here. Any other failure is an error, not an empty store, which
        # the next `trust` would write over.
        return []
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise TrustError(
            f"{file} cannot be read: {error}. No setting that needs your consent is in force.",
            hint="Fix the file, or move it away and accept the settings again with "
            "`clawgit trust`.",
            file=str(file),
        ) from error


def _row(stored: Any) -> TrustRow:
    row = TrustRow(**{**stored, "files": dict(stored["files"])})
    texts = (row.kind, row.name, row.digest, row.time, row.by, row.reason)
    if not all(isinstance(text, str) for text in (*texts, *row.files, *row.files.values())):
        raise TypeError("a row is wrong")
    return row


def _refuse_others(file: Path, status: os.stat_result) -> None:
    """Refuses a file that others can write: they could add to what is trusted."""
    if status.st_uid != os.geteuid() or status.st_mode & _OTHERS_WRITE:
        raise TrustError(
            f"{file} can be changed by other users, so nothing in it counts.",
            hint=f"Check what it says, then: chmod 600 '{file}'; it must be your own file.",
        )


def _write(file: Path, workspaces: Iterable[_Workspace]) -> None:
    shape = [
        {
            **workspace._asdict(),
            "rows": [{**row._asdict(), "files": dict(row.files)} for row in workspace.rows],
        }
        for workspace in workspaces
        if workspace.rows
    ]
    keep(file, {"version": _VERSION, "workspaces": shape})
