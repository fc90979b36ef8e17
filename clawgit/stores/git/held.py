"""The held area: files that we displaced while an editor may still have had them open.

Each replacement has a card, `<token>.json`, written before anything is replaced. Next to it are:
- `.seen`: the part of the displaced file that the current file already has;
- `.base`: what we had read before we displaced the file, if that differs from `.seen`;
- `.begun`: a mark, while text of the displaced file is being added to the current one;
- `.was`: the displaced file, once the replacement is done. Until then it is in the work tree,
  under a temporary name.

A card names only the file. A path in it could lead out of the workspace, since whoever prepared a
`.git` folder may have written the card.
"""

import fcntl
import glob
import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.stores.git.leftovers import SETTLE_SECONDS
from clawgit.stores.git.ways import folders_on_the_way
from clawgit.stores.git.worktree import relative_path
from clawgit.stores.plainfile import put_in_place, read_plain

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
        return displaced_text(self.was)

    def seen(self) -> bytes:
        return _unsealed(self.file.with_suffix(".seen"))

    def base(self) -> bytes:
        """What we had read before we displaced the file."""
        base = self.file.with_suffix(".base")
        return _unsealed(base) if base.exists() else self.seen()

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
            _write(self.file.with_suffix(".base"), sealed(self.seen()))
        _write(self.file.with_suffix(".seen"), sealed(data))
        self.begun.unlink(missing_ok=True)
        self.file.touch()

    def forget(self, data: bytes) -> None:
        """Records that nothing in the displaced file is new: it is our own text, or history has
        it.
        """
        self.file.with_suffix(".base").unlink(missing_ok=True)
        _write(self.file.with_suffix(".seen"), sealed(data))

    def hold(self) -> None:
        """Moves the displaced file, if there is one, out of the work tree.

        The replacement is done: only what is written into the file from now on is new.
        """
        self.file.touch()
        if is_file(self.temp):
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

    def __init__(self, root: Path, folder: Path, known: Callable[[bytes], bool]) -> None:
        self._root, self._folder, self._known = root, folder, known

    def __bool__(self) -> bool:
        return bool(self.tokens())

    def cards(self, *, all_ages: bool) -> list[Card]:
        """The cards. Without `all_ages`, those that must wait are not even opened."""
        files = sorted(self._folder.glob("*.json"))
        cards = (self._read(file) for file in files if all_ages or not _must_wait(file))
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

    def announce(self, path: str, base: bytes, after: bytes) -> Card:
        """Writes the card of a replacement that is about to be made.

        `base` is replaced by the text with the id `after`, which must be put where the card says.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / f"{os.urandom(8).hex()}.json"
        # A git directory may lie on another disk.
        is_beside = (self._root / path).parent.stat().st_dev != self._folder.stat().st_dev
        card = _card(file, self._root, path, after, is_beside=is_beside)
        note = {"path": path, "beside": is_beside, "after": after.decode()}
        try:
            file.with_suffix(".seen").write_bytes(sealed(base))
            _write(file, json.dumps(note).encode())
        except BaseException:  # a full disk
            card.drop()
            raise
        return card

    def _read(self, file: Path) -> Card | None:
        """The card; None for one that a power cut has emptied, or that leads out of the
        workspace.
        """
        try:
            note = json.loads(file.read_bytes())
            path, after = relative_path(self._root, note["path"]), note.get("after", "").encode()
            card = _card(file, self._root, path, after, is_beside=bool(note.get("beside")))
            card.seen(), card.base()
        except (
            AttributeError,
            FileNotFoundError,
            ValueError,
            KeyError,
            TypeError,
            RecursionError,
            ClawgitError,
        ):
            self._set_aside(file)
            return None
        return card

    def _set_aside(self, file: Path) -> None:
        """Removes what is left of a replacement whose card cannot be read.

        The card and what was seen are not synced, the displaced file was mostly on the disk for
        long. Where git does not have its text, it stays for `doctor` to report.
        """
        was, token = file.with_suffix(".was"), file.stem
        for stray in _strays(self._root, token):
            data = None if stray.name.endswith(f"part{SUFFIX}") else displaced_text(stray)
            if data is not None and not self._known(data):
                put_in_place(was, data, synced=True)
            stray.unlink()
        if (data := displaced_text(was)) and not self._known(data):
            file.rename(file.with_suffix(TORN))
            return
        for left in self._folder.glob(f"{glob.escape(token)}.*"):
            left.unlink()

    def sweep(self) -> None:
        """Removes what a crash left without a card."""
        for stray in self._folder.glob("*"):
            card = self._folder / f"{stray.name.partition('.')[0]}.json"
            if not card.exists() and not card.with_suffix(TORN).exists():
                stray.unlink()


def _must_wait(file: Path) -> float:
    age = time.time() - file.stat().st_mtime
    return SETTLE_SECONDS - age if 0 <= age < SETTLE_SECONDS else 0


def _card(file: Path, root: Path, path: str, after: bytes, *, is_beside: bool) -> Card:
    token, folder = file.stem, (root / path).parent
    # A link there may be somebody's new one; what is behind it is none of ours.
    if any(map(os.path.islink, folders_on_the_way(root, path))):
        folder = file.parent
    temp = folder / f"{PREFIX}{token}{SUFFIX}"
    was = folder / f"{PREFIX}held-{token}{SUFFIX}" if is_beside else file.with_suffix(".was")
    return Card(file, path, was, temp, after)


def is_file(path: Path) -> bool:
    """Whether it is a plain file, and no link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def displaced_text(path: Path) -> bytes | None:
    """The whole file; None if there is none, or a link."""
    return read_plain(path, sys.maxsize) if is_file(path) else None


def part_of(temp: Path) -> Path:
    """The name of a text that is not completely written yet."""
    return temp.with_name(temp.name.removesuffix(SUFFIX) + "part" + SUFFIX)


def _strays(root: Path, token: str) -> Iterator[Path]:
    """The files of a replacement in the work tree, wherever they are."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        tokens = (token, f"{token}part", f"{token}old", f"held-{token}")
        own = {f"{PREFIX}{name}{SUFFIX}" for name in tokens}
        yield from (Path(folder, name) for name in own.intersection(names))


def text_id(data: bytes | None) -> bytes:
    return b"" if data is None else hashlib.sha256(data).hexdigest().encode()


def sealed(data: bytes) -> bytes:
    """A text that shows it if a power cut cuts it off."""
    return text_id(data) + b"\n" + data


def _unsealed(file: Path) -> bytes:
    seal, _, data = file.read_bytes().partition(b"\n")
    if seal != text_id(data):
        raise ValueError(file)
    return data


def _write(file: Path, data: bytes) -> None:
    """Writes a file, whole or not at all."""
    part = file.with_name(file.name + ".part")
    part.write_bytes(data)
    part.replace(file)
