"""The held area: files that we displaced while an editor may still have had them open.

Each replacement has a card, `<token>.json`, written before anything is replaced. Next to it are:
- `.seen`: the part of the displaced file that the current file already has;
- `.base`: what we had read before we displaced the file, if that differs from `.seen`;
- `.begun`: a mark, while text of the displaced file is being added to the current one;
- `.was`: the displaced file, once the replacement is done. Until then it is in the work tree,
  under the temporary name in the card.
"""

import fcntl
import json
import os
import time
from contextlib import suppress
from pathlib import Path

from clawgit.stores.git.leftovers import SETTLE_SECONDS
from clawgit.values import NamedTuple

PREFIX = ".clawgit-"
SUFFIX = ".tmp"
"""How the names of our temporary files in the work tree begin and end."""


class Card(NamedTuple):
    """What is known of one replacement.

    The card is written first and deleted last: whatever a crash leaves of the replacement, the card
    says what it is.
    """

    file: Path
    path: str
    was: Path
    temp: Path
    after: bytes = b""
    """The id of the text that we put in its place; empty if the file was deleted."""

    @property
    def begun(self) -> Path:
        """The mark that exists while new text in the held file is added to the current file."""
        return self.file.with_suffix(".begun")

    def late(self) -> bytes | None:
        """The content of the held file now; None if nothing was displaced."""
        return self.was.read_bytes() if self.was.is_file() else None

    def seen(self) -> bytes:
        return self.file.with_suffix(".seen").read_bytes()

    def base(self) -> bytes:
        """What we had read before we displaced the file."""
        base = self.file.with_suffix(".base")
        return base.read_bytes() if base.exists() else self.seen()

    def is_open(self) -> bool:
        """Whether somebody still has the held file open for writing, if the kernel tells.

        It grants a read lease only if nobody has. Elsewhere time alone decides.
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
        """Records that this part of the displaced file is already in the current one.

        The wait begins again. `.base` first: a crash between the two leaves a card that has seen
        too little, and what is there is not added twice. The other way round the card would forget
        that anything was saved at all.
        """
        if not self.file.with_suffix(".base").exists():
            _write(self.file.with_suffix(".base"), self.seen())
        _write(self.file.with_suffix(".seen"), data)
        self.begun.unlink(missing_ok=True)
        self.file.touch()

    def forget(self, data: bytes) -> None:
        """Records that nothing in the displaced file is new: it is our own text, or history has
        it.
        """
        self.file.with_suffix(".base").unlink(missing_ok=True)
        _write(self.file.with_suffix(".seen"), data)

    def hold(self) -> None:
        """Moves the displaced file, if there is one, out of the work tree.

        The replacement is done: only what is written into the file from now on is new.
        """
        self.file.touch()
        if self.temp.is_file():
            self.temp.replace(self.was)
        else:
            self.drop()

    def drop(self) -> None:
        """Deletes everything in the held area for this replacement, the card last."""
        for file in (
            self.was,
            *(self.file.with_suffix(end) for end in (".seen", ".base", ".begun", ".json")),
        ):
            file.unlink(missing_ok=True)

    def wait(self) -> float:
        """How many seconds must pass before the file may be looked at again."""
        return _must_wait(self.file)


TORN = ".torn"
"""How the name of an unreadable card ends."""


class Displaced(NamedTuple):
    """What somebody saved into a file while we replaced it.

    `base` is what we had read, `late` the last state of the displaced file.
    """

    card: Card
    path: str
    base: bytes
    late: bytes


class HeldFiles:
    """The held area of one worktree. To change it, hold the workspace lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __bool__(self) -> bool:
        return bool(self.tokens())

    def cards(self, *, all_ages: bool) -> list[Card]:
        """The cards. Without `all_ages`, those that must wait are not even opened."""
        files = sorted(self._folder.glob("*.json"))
        cards = (_read(file) for file in files if all_ages or not _must_wait(file))
        return [card for card in cards if card is not None]

    def tokens(self) -> set[str]:
        """The tokens of all replacements with files here.

        What was set aside waits for a person, so recovery leaves it.
        """
        if not self._folder.is_dir():
            return set()
        torn = {file.stem for file in self._folder.glob(f"*{TORN}")}
        return {file.name.partition(".")[0] for file in self._folder.iterdir()} - torn

    def wait(self, tokens: set[str]) -> None:
        """Waits until those that still exist may be looked at. It needs no lock."""
        waits = [0.0]
        for token in tokens:
            # Another process may have looked at it, and dropped it.
            with suppress(FileNotFoundError):
                waits.append(_must_wait(self._folder / f"{token}.json"))
        time.sleep(max(waits))

    def announce(self, path: str, base: bytes, after: bytes, folder: Path) -> Card:
        """Writes the card of a replacement that is about to be made.

        `base` is replaced by the text with the id `after`, which must be put into `folder` under
        the name in the card.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        token = os.urandom(8).hex()
        file, was = self._folder / f"{token}.json", self._folder / f"{token}.was"
        temp = folder / f"{PREFIX}{token}{SUFFIX}"
        if (
            folder.stat().st_dev != self._folder.stat().st_dev
        ):  # a git directory may lie on another disk
            was = temp.with_name(f"{PREFIX}held-{token}{SUFFIX}")
        card = Card(file, path, was, temp, after)
        note = {"path": path, "file": str(was), "temp": str(temp), "after": after.decode()}
        try:
            file.with_suffix(".seen").write_bytes(base)
            _write(file, json.dumps(note).encode())
        except BaseException:  # a full disk
            card.drop()
            raise
        return card

    def sweep(self) -> None:
        """Removes what a crash left without a card."""
        for stray in self._folder.glob("*"):
            card = self._folder / f"{stray.name.partition('.')[0]}.json"
            if not card.exists() and not card.with_suffix(TORN).exists():
                stray.unlink()


def _must_wait(file: Path) -> float:
    age = time.time() - file.stat().st_mtime
    return SETTLE_SECONDS - age if 0 <= age < SETTLE_SECONDS else 0


def _read(file: Path) -> Card | None:
    """The card; None for one that a power cut has emptied.

    That one is set aside, with its displaced file, for `doctor` to report: it must not stop every
    later command.
    """
    try:
        note = json.loads(file.read_bytes())
        path, was = note["path"], Path(note["file"])
    except (ValueError, KeyError, TypeError):
        file.rename(file.with_suffix(TORN))
        return None
    temp = Path(
        note.get("temp") or file.with_suffix(".temp")
    )  # a card of an older clawgit names none
    return Card(file, path, was, temp, note.get("after", "").encode())


def _write(file: Path, data: bytes) -> None:
    """Writes a file, whole or not at all."""
    part = file.with_name(file.name + ".part")
    part.write_bytes(data)
    part.replace(file)
