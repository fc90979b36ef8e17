"""Folders that a test gets as they were made, though the test before it has changed them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.ended import ended


def as_it_was(kept: Path, used: Path) -> None:
    """Makes a folder the same as the copy that was kept of it, once nobody is at work in it: a
    command may leave somebody behind who writes later."""
    while there := [*_working_in(used.resolve())]:
        assert all(map(ended, there)), f"{there} will not end"
    _make_same(kept, used)


def _working_in(folder: Path) -> Iterator[int]:
    """The other processes whose current folder is below this one."""
    for process in Path("/proc").glob("[1-9]*"):
        # Somebody else's, or gone.
        with suppress(OSError):
            is_below = (process / "cwd").readlink().is_relative_to(folder)
            if is_below and int(process.name) != os.getpid():
                yield int(process.name)


def _make_same(kept: Path, used: Path) -> None:
    """Only what differs is copied: to remove and copy all of it took most of the time of the tests
    that do so for each command."""
    if not used.is_dir() or used.is_symlink():
        _remove(used)
        shutil.copytree(kept, used, symlinks=True)
        return
    with os.scandir(kept) as rows:
        wanted = {row.name: row for row in rows}
    with os.scandir(used) as rows:
        there = {row.name: row for row in rows}
    for name in there.keys() - wanted.keys():
        _remove(used / name)
    for name, row in wanted.items():
        if row.is_dir(follow_symlinks=False):
            _make_same(kept / name, used / name)
        elif name not in there or _stamp(row) != _stamp(there[name]):
            _remove(used / name)
            shutil.copy2(row.path, used / name, follow_symlinks=False)
    shutil.copystat(kept, used)


def _stamp(row: os.DirEntry[str]) -> tuple[int, ...]:
    """A copy bears the time of what it is a copy of; a write gives it another one."""
    stat = row.stat(follow_symlinks=False)
    return stat.st_mode, stat.st_size, stat.st_mtime_ns


def _remove(path: Path) -> None:
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path)
