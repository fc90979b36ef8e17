"""Remembers large folders of a git directory in which every name was a plain file, to look at none
of them again.

Nothing can be put into a folder, or replaced in it, without a new time of change, which only the
system sets: an archive that is unpacked brings none. The times are kept outside of the repository,
where nobody who writes into it can claim that he was looked at.
"""

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from clawgit.stores.plainfile import put_in_place, read_plain
from clawgit.stores.xdg import state_home

MANY = 500
"""Fewer names are looked at each time."""

_SETTLED = 3_000_000_000
"""A folder that changed less than these nanoseconds ago may change again without a new time."""


class WalkedFolders:
    """The folders that are known by their times, in a file; None where there is no home for it."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._began = time.time_ns()
        self._known = _read(file) if file else frozenset[str]()
        self._met: set[str] = set()

    def has(self, folder: str) -> bool:
        """Whether this folder was looked at, and has not changed since."""
        if not self._known:
            return False
        with suppress(OSError):
            stamp = _stamp(os.lstat(folder))
            if stamp in self._known:
                self._met.add(stamp)
                return True
        return False

    def add(self, folder: str) -> None:
        """Remembers a folder that was looked at just now, unless it may be changing."""
        with suppress(OSError):
            found = os.lstat(folder)
            if max(found.st_mtime_ns, found.st_ctime_ns) < self._began - _SETTLED:
                self._met.add(_stamp(found))

    def save(self) -> None:
        if self._file is None or self._met <= self._known:
            return
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            put_in_place(self._file, "\n".join(sorted(self._met)).encode(), 0o600)


def walked_folders(git_dir: Path, env: Mapping[str, str]) -> WalkedFolders:
    """What is remembered of a git directory. Its file has numbers alone, and no names."""
    home = Path(env.get("HOME", ""))
    if not home.is_absolute():
        return WalkedFolders()
    found = git_dir.stat()
    name = f"{found.st_dev}-{found.st_ino}"
    return WalkedFolders(state_home(env, home) / "clawgit" / "walked" / name)


def _read(file: Path) -> frozenset[str]:
    try:
        return frozenset(read_plain(file).decode("ascii", "replace").splitlines())
    except OSError:
        return frozenset()


def _stamp(found: os.stat_result) -> str:
    return f"{found.st_dev} {found.st_ino} {found.st_mtime_ns} {found.st_ctime_ns}"
