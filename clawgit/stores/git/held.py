"""Files that we displaced while an editor may still have had them open, and what is known of each: the held area.

A held file is `<token>.was`. Beside it lie `.seen`, as much of it as has been taken up; `.base`, what we had read
before we displaced it, where that is not the same; `.begun`, while something of it is taken up; and `.json`, its card.
"""

import fcntl
import json
import os
import secrets
import time
from pathlib import Path
from typing import NamedTuple

from clawgit.stores.git.worktree import SETTLE_SECONDS

PREFIX, SUFFIX = ".clawgit-", ".tmp"
"""How the names of our temporary files in the work tree begin and end."""


class Card(NamedTuple):
    """What is known of one held file. The card is written last and goes last, so a crash leaves a whole one or none."""

    file: Path
    path: str
    was: Path

    @property
    def begun(self) -> Path:
        """Exists while what is new in the held file is brought to where the file is now."""
        return self.file.with_suffix(".begun")

    def late(self) -> bytes | None:
        """What the held file holds now; None where a crash kept it from ever getting here."""
        return self.was.read_bytes() if self.was.is_file() else None

    def seen(self) -> bytes:
        return self.file.with_suffix(".seen").read_bytes()

    def base(self) -> bytes:
        """What we had read before we displaced the file."""
        base = self.file.with_suffix(".base")
        return base.read_bytes() if base.exists() else self.seen()

    def is_open(self) -> bool:
        """Whether somebody still has the held file open for writing, where the kernel tells: it grants a read lease
        only if nobody has. Elsewhere time alone decides.
        """
        if not hasattr(fcntl, "F_SETLEASE"):
            return False
        descriptor = os.open(self.was, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except BlockingIOError:
            return True
        except OSError:  # no leases on this file system, or on a file of another user
            return False
        finally:
            os.close(descriptor)
        return False

    def see(self, data: bytes) -> None:
        """Notes that so much of the held file has been taken up; it must now stand still for a moment again."""
        if not self.file.with_suffix(".base").exists():
            _write(self.file.with_suffix(".base"), self.seen())
        _write(self.file.with_suffix(".seen"), data)
        self.begun.unlink(missing_ok=True)
        self.file.touch()

    def wait(self) -> float:
        """How many seconds must pass before the file may be looked at again."""
        return _must_wait(self.file)


class Displaced(NamedTuple):
    """What somebody saved into a file while we replaced it: `base` is what we had read, `late` his last state."""

    card: Card
    path: str
    base: bytes
    late: bytes


class HeldFiles:
    """The held area of one worktree. Whoever uses it holds the workspace lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __bool__(self) -> bool:
        return self._folder.is_dir() and any(self._folder.iterdir())

    def cards(self, *, all_ages: bool) -> list[Card]:
        """What is held; those that must wait are not even opened where they are not asked for."""
        files = sorted(self._folder.glob("*.json"))
        return [_read(file) for file in files if all_ages or not _must_wait(file)]

    def keep(self, temp: Path, path: str, base: bytes, seen: bytes, *, begun: bool = False) -> None:
        """Takes a file that came out, if there is one. `begun`: what is new in it may have been taken up already."""
        if not temp.exists():
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        token = secrets.token_hex(8)
        file, was = self._folder / f"{token}.json", self._folder / f"{token}.was"
        if temp.parent.stat().st_dev != self._folder.stat().st_dev:  # a git directory may lie on another disk
            was = temp.with_name(f"{PREFIX}held-{token}{SUFFIX}")
        file.with_suffix(".seen").write_bytes(seen)
        if base != seen:
            file.with_suffix(".base").write_bytes(base)
        if begun:
            file.with_suffix(".begun").touch()
        _write(file, json.dumps({"path": path, "file": str(was)}).encode())
        temp.replace(was)

    def let_go(self, card: Card) -> None:
        for file in (card.was, *(card.file.with_suffix(end) for end in (".seen", ".base", ".begun", ".json"))):
            file.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Removes what a crash left of cards that were never written."""
        for stray in self._folder.glob("*"):
            if not (self._folder / f"{stray.name.partition('.')[0]}.json").exists():
                stray.unlink()


def _must_wait(file: Path) -> float:
    age = time.time() - file.stat().st_mtime
    return SETTLE_SECONDS - age if 0 <= age < SETTLE_SECONDS else 0


def _read(file: Path) -> Card:
    note = json.loads(file.read_bytes())
    return Card(file, note["path"], Path(note["file"]))


def _write(file: Path, data: bytes) -> None:
    """Whole or not at all."""
    part = file.with_name(file.name + ".part")
    part.write_bytes(data)
    part.replace(file)
