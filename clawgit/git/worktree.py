"""Reads files of the work tree, after checks of the path and until the file no longer changes."""

import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import HARD_LINK, is_hard_link, opened_plain, part_of
from clawgit.core.doors import shlex
from clawgit.core.errors import PathRefusedError, UsageError
from clawgit.core.limits import MOST_BYTES
from clawgit.git.lock import SETTLE_SECONDS
from clawgit.language.lazily import lazily

_PATIENCE_SECONDS = 0.06


class FileState(NamedTuple):
    """The file at a path: its bytes and git mode; None and 0 if there is none."""

    data: bytes | None
    mode: int


ABSENT = FileState(None, 0)


def relative_path(root: Path, path: str | Path) -> str:
    """A path as git names it, relative to `root`; UsageError if it leaves the workspace."""
    text = os.fspath(path)
    outside = UsageError(f"{text!r} is outside the workspace {root}.", hint="Name a file inside.")
    if "\0" in text or not text:
        raise outside
    inside = os.path.relpath(text, root) if text.startswith("/") else os.path.normpath(text)
    if inside == "." or inside.partition("/")[0] == "..":
        raise outside
    if leads_away(inside):
        raise UsageError(
            f"{path} belongs to git itself.",
            hint="clawgit only touches the files of the workspace.",
        )
    try:
        return inside.encode().decode()
    except UnicodeEncodeError:
        raise UsageError(
            f"{text!r} is not UTF-8.", hint="Give the file a name in UTF-8 (`convmv` does)."
        ) from None


def read_file(root: Path, path: str) -> FileState:
    """The file at a path now.

    Symlinks (anywhere in the path), folders and special files are refused.
    """
    return _read(root, path, _whole)


def read_part(root: Path, path: str) -> bytes:
    """The part of a file that is searched and shown, read with the same checks."""
    return _read(root, path, part_of).data or b""


def _whole(descriptor: int) -> bytes:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        return file.read()


def _read(root: Path, path: str, taken: Callable[[int], bytes]) -> FileState:
    _refuse_detours(root, path)
    try:
        descriptor = opened_plain(f"{root}/{path}")
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except PermissionError as error:
        raise PathRefusedError(
            f"{path} cannot be read.", hint=f"chmod u+r {shlex.quote(path)}"
        ) from error
    except OSError as error:
        hint = "Move it away, or name another path."
        raise PathRefusedError(f"{path} cannot be read: {error.strerror}.", hint=hint) from error
    try:
        status = os.fstat(descriptor)
        if is_hard_link(status):
            raise PathRefusedError(f"{path} is {HARD_LINK}.", hint=_own_file(path))
        if taken is _whole and status.st_size > MOST_BYTES:
            raise PathRefusedError(
                f"{path} has {status.st_size:,} bytes, too many for a file of memory.",
                hint="Look at it, and bring it back: "
                f"clawgit restore '{path}', or move it away if it is new.",
            )
        data = taken(descriptor)
    finally:
        os.close(descriptor)
    return FileState(data, 0o100755 if status.st_mode & 0o100 else 0o100644)


def glance(root: Path, path: str) -> str:
    """The text of a file for a quick look; "" if it may not be read."""
    try:
        return read_part(root, path).decode("utf-8", "replace")
    except PathRefusedError:
        return ""


def read_settled(root: Path, path: str, known: bytes | None) -> FileState:
    """Like `read_file`, but a recent edit (not `known`) is read again until it no longer
    changes.
    """
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        began = time.time()
        state = read_file(root, path)
        if state.data in (None, known) or time.monotonic() >= deadline:
            return state
        try:
            changed = _last_change(f"{root}/{path}")
        except FileNotFoundError:
            return ABSENT
        # Checked after reading: nobody wrote while it was read, nor right before.
        if began - changed >= SETTLE_SECONDS:
            return state
        age = time.time() - changed
        if age >= 0:
            time.sleep(max(0.0, SETTLE_SECONDS - age))
        elif read_file(root, path) == state:  # a clock that is ahead shows nothing
            return state


def _last_change(file: str) -> float:
    """When a file was written, or its time was set: a copy gets its old time at the end."""
    status = os.stat(file)  # noqa: PTH116 - asked for each file of a snapshot
    return max(status.st_mtime, status.st_ctime)


def refuse_unwritable(root: Path, path: str) -> None:
    """Raises if a write would break a hard link, or if the file is read-only."""
    try:
        status = (root / path).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return
    if status.st_nlink > 1 and stat.S_ISREG(status.st_mode):
        raise PathRefusedError(
            f"{path} is a hard link; OpenClaw refuses such files, and a write would break it.",
            hint=_own_file(path),
        )
    if not status.st_mode & stat.S_IWUSR:
        raise PathRefusedError(
            f"{path} is read-only.", hint=f"chmod u+w '{path}' if clawgit may change it."
        )


def _own_file(path: str) -> str:
    return f"Make it a file of its own: cp '{path}' '{path}.new' && mv '{path}.new' '{path}'"


def _refuse_detours(root: Path, path: str) -> None:
    """Raises if a path leads away, or a folder in it is a symlink, a file, or a repository."""
    if why := obstacle(root, path):
        raise PathRefusedError(f"{path}: {why}.", hint="Name the real path, or work in its folder.")
    for folder in filter(os.path.isfile, folders_on_the_way(root, path)):
        raise PathRefusedError(
            f"{folder} is a file, not a folder.", hint="Move it away, or name another path."
        )


_UNSEEN = lazily("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
_FORBIDDEN = frozenset(("", ".", "..", ".git", "git~1"))

LEADS_AWAY = "no file may have that name: it would be written outside, or into git's own folder"


def leads_away(path: str) -> bool:
    """Whether a path leads out of the workspace or into git's folder.

    Git refuses such names at a checkout, but a tree or an index that somebody else made may have
    them. Some file systems ignore case and invisible characters.
    """
    seen = path if path.isascii() else _UNSEEN.sub("", path)
    return not _FORBIDDEN.isdisjoint(seen.lower().split("/"))


def folders_on_the_way(root: Path | str, path: str) -> Iterator[str]:
    """From the top down; the workspace itself is left out."""
    folder = os.fspath(root)
    for part in path.split("/")[:-1]:
        folder = f"{folder}/{part}"
        yield folder


def obstacle(root: Path, path: str) -> str:
    """Why a path is not ours to follow; "" if it is."""
    if leads_away(path):
        return LEADS_AWAY
    return next(filter(None, map(_why_not_followed, folders_on_the_way(root, path))), "")


def _why_not_followed(folder: str) -> str:
    if os.path.islink(folder):  # noqa: PTH114 - see above
        return "behind a symlink"
    return "in a repository of its own" if os.path.exists(f"{folder}/.git") else ""  # noqa: PTH110
