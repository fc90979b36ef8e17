"""Reads and replaces files that clawgit opens by itself: CONFIG.md, files of `.git` and so on.

In a workspace that somebody else prepared, such a name may be a link to a private file or to an
endless device, or a pipe without a writer. That is an OSError with an explanation.
"""

import errno
import os
import stat
from _thread import get_native_id
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from clawgit.core.limits import LARGEST_FILE, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO


Name = str | os.PathLike[str]

_PIECE = 1 << 16
_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without O_NONBLOCK, opening a pipe would wait for a writer."""

_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO, errno.EINVAL})
"""Nothing is at a path, or a link, a socket or a pipe."""


def read_plain(file: Name, most: int = LARGEST_FILE) -> bytes:
    """The whole plain file; OSError if it is a link, no file, or longer than `most` bytes."""
    data = start_of(file, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is longer than {most:,} bytes", file)
    return data


def start_of(file: Name, most: int = LARGEST_FILE) -> bytes:
    """The first bytes of a plain file; OSError if it is not one."""
    with open_plain(file) as opened:
        return _start(opened.fileno(), most)


def _start(descriptor: int, most: int) -> bytes:
    start = bytearray()
    # Piece by piece: a read of so many bytes would ask for room for all of them.
    while piece := os.read(descriptor, min(most - len(start), _PIECE)):
        start += piece
    return bytes(start)


def put_in_place(file: Name, data: bytes, mode: int = 0o666, *, synced: bool = False) -> None:
    """Writes a file beside and renames it, so that nobody finds half of it; `synced`: after a power
    cut neither.

    It has these rights from its first byte on: set later, others could open it in between.
    """
    # A name for each thread: two may write the same file at once.
    new = f"{os.fspath(file)}.{get_native_id()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(new, flags, mode), "wb") as opened:
            opened.write(data)
            if synced:
                opened.flush()
                os.fsync(opened.fileno())
        os.replace(new, file)  # noqa: PTH105 - pathlib takes 5 ms to load
    except OSError:
        with suppress(OSError):
            os.unlink(new)  # noqa: PTH108 - as above
        raise


@contextmanager
def open_plain(file: Name) -> "Iterator[BinaryIO]":
    with os.fdopen(opened_plain(file), "rb") as opened:
        yield opened


def opened_plain(file: Name) -> int:
    """The descriptor of a plain file, for whoever maps the errors."""
    try:
        descriptor = os.open(file, _READING)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "it is a link, which is not followed", file) from error
        raise
    # Asked of what was opened: the path may be another file by then.
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "it is a folder", file)
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", file)
    return descriptor


def part_of(descriptor: int) -> bytes:
    """The part of an open file that is searched and shown: at most its first 2 MiB. The descriptor
    stays open.
    """
    # One byte more shows whether the file goes on; then it is cut at the last whole line.
    return readable(_start(descriptor, LARGEST_FILE + 1))


HARD_LINK = "a hard link: the file has another name, perhaps outside of the workspace"


def is_hard_link(status: os.stat_result) -> bool:
    """Whether a file has several names. Through one elsewhere, text from outside could come in;
    OpenClaw refuses such files.
    """
    return status.st_nlink > 1


def text_at(file: Name, most: int = LARGEST_FILE) -> str:
    """What a plain file begins with; "" if it cannot be read."""
    with suppress(OSError):
        return start_of(file, most).decode("utf-8", "replace")
    return ""


def part_at(file: Name) -> bytes:
    """The part that is searched of a plain file, through a link too; empty if it cannot be read."""
    with suppress(OSError), open_plain(os.path.realpath(file)) as opened:
        return part_of(opened.fileno())
    return b""


def rewrite(descriptor: int, text: str) -> None:
    """Writes a small note over an older one. Not emptied first: then the system would give it new
    blocks each time, and write these to disk at once.
    """
    data = text.encode()
    os.pwrite(descriptor, data, 0)
    if os.fstat(descriptor).st_size > len(data):
        os.ftruncate(descriptor, len(data))


def keep_note(file: Name, text: str) -> None:
    """Writes a small note that may be lost or cut off by a crash."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        rewrite(descriptor, text)
    finally:
        os.close(descriptor)


def sync(path: Name) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    _once_open(path, os.fsync)


def sync_all(paths: "Collection[Name]") -> None:
    """The same for several, so that the first wait is for all of them. One that is gone was packed
    by git, which syncs its packs, or removed by somebody; what is there instead is none of ours.
    """
    for act in (_begin, os.fsync):
        for path in paths:
            try:
                _once_open(path, act)
            except OSError as error:
                if error.errno not in _NOT_THERE:
                    raise


_MANY = 100


def sync_with_folders(files: "Collection[Path]", more: "Iterable[Path]" = ()) -> None:
    """Syncs files, then their folders and those of `more`, each once: a large one is slow. More
    files than a few are synced all at once, with everything else that waits for the disk.
    """
    if len(files) > _MANY:
        os.sync()
        return
    # Files before their folders: a rename is on disk only when its folder is synced, and a disk
    # that keeps a journal has written both by then.
    sync_all(files)
    sync_all(dict.fromkeys(file.parent for file in (*files, *more)))


def _begin(descriptor: int) -> None:
    # Linux then begins to write, and does not wait.
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def _once_open(path: Name, act: "Callable[[int], object]") -> None:
    descriptor = os.open(path, _READING)
    try:
        act(descriptor)
    finally:
        os.close(descriptor)
