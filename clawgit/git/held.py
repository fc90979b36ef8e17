"""The held area: files that we displaced while an editor may still have had them open.

Each replacement has a card, `<token>.json`, which is on the disk, whole, before anything is
replaced. Next to it is `.was`, the displaced file, once the replacement is done. Until then it is
in the work tree, under a temporary name.

A card names only the file. A path in it could lead out of the workspace, since whoever prepared a
`.git` folder may have written the card.
"""

import fcntl
import os
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import put_in_place, read_plain
from clawgit.core.doors import hashlib, json
from clawgit.core.errors import ClawgitError
from clawgit.core.markdown.decoding import exact_bytes, exact_text
from clawgit.git.lock import must_wait
from clawgit.git.worktree import folders_on_the_way, relative_path

PREFIX = ".clawgit-"
SUFFIX = ".tmp"
"""How the names of our temporary files in the work tree begin and end."""


class Note(NamedTuple):
    """What a card says.

    `after` is the id of the text that we put in its place; empty if the file was deleted. `seen` is
    the part of the displaced file that the current file already has, `base` what we had read before
    we displaced it.
    `beside`: the git directory is on another disk, so that the displaced file stays in the folder.
    """

    path: str
    after: str
    seen: bytes
    base: bytes
    beside: bool = False


class Card:
    """What is known of one replacement.

    The card is written first and deleted last: whatever a crash leaves of the replacement, the card
    says what it is.
    """

    def __init__(self, file: Path, root: Path, note: Note) -> None:
        token, folder = file.stem, (root / note.path).parent
        # A link there may be somebody's new one; what is behind it is none of ours.
        if any(map(os.path.islink, folders_on_the_way(root, note.path))):
            folder = file.parent
        self.file, self.note = file, note
        self.temp = folder / f"{PREFIX}{token}{SUFFIX}"
        held = folder / f"{PREFIX}held-{token}{SUFFIX}"
        self.was = held if note.beside else file.with_suffix(".was")

    def late(self) -> bytes | None:
        """The content of the held file now; None if nothing was displaced."""
        return displaced_text(self.was)

    def is_open(self) -> bool:
        """Whether somebody still has the held file open for writing, if the kernel tells.

        It grants a read lease only if nobody has. Elsewhere time alone decides.
        """
        descriptor = os.open(self.was, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except BlockingIOError:
            return True
        except (AttributeError, OSError):  # no leases here, or none on a file of another user
            return False
        finally:
            os.close(descriptor)
        return False

    def see(self, data: bytes) -> None:
        """Records that this part of the displaced file is already in the current one.

        The wait begins again.
        """
        self._keep(self.note._replace(seen=data))

    def forget(self, data: bytes) -> None:
        """Records that nothing in the displaced file is new: it is our own text, or history has
        it.
        """
        self._keep(self.note._replace(seen=data, base=data))

    def hold(self) -> None:
        """Moves the displaced file, if there is one, out of the work tree.

        The replacement is done: only what is written into the file from now on is new.
        """
        # Before the move: with the old time of its card, a file just held could be looked at too
        # soon.
        self.file.touch()
        if is_file(self.temp):
            self.temp.replace(self.was)
        else:
            self.drop()

    def drop(self) -> None:
        """Deletes everything in the held area for this replacement, the card last."""
        self.was.unlink(missing_ok=True)
        self.file.unlink(missing_ok=True)

    def _keep(self, note: Note) -> None:
        self.note = note
        self.write()

    def write(self) -> None:
        """Writes the card, whole or not at all."""
        told = {
            name: exact_text(text) if isinstance(text, bytes) else text
            for name, text in self.note._asdict().items()
        }
        # The texts as they are: a search of everything finds their words here too.
        data = exact_bytes(json.dumps(told, ensure_ascii=False))
        # On the disk before the text that it explains: after a power cut, a text without its card
        # would be in the work tree for ever.
        put_in_place(self.file, data, synced=True)


TORN = ".torn"
"""How the name of an unreadable card ends."""

_TEXTS = ("seen", "base")


class HeldFiles:
    """The held area of one worktree. To change it, hold the workspace lock."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root, self._folder = root, folder

    def cards(self, *, all_ages: bool) -> list[Card]:
        """The cards. Without `all_ages`, those that must wait are not even opened."""
        files = sorted(self._folder.glob("*.json"))
        cards = (self._read(file) for file in files if all_ages or not must_wait(file))
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
                waits.append(must_wait(self._folder / f"{token}.json"))
        time.sleep(max(waits))

    def announce(self, path: str, base: bytes, after: str) -> Card:
        """Writes the card of a replacement that is about to be made.

        `base` is replaced by the text with the id `after`, which must be put where the card says.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        # A git directory may lie on another disk.
        beside = (self._root / path).parent.stat().st_dev != self._folder.stat().st_dev
        note = Note(path, after, base, base, beside=beside)
        card = Card(self._folder / f"{os.urandom(8).hex()}.json", self._root, note)
        card.write()
        return card

    def _read(self, file: Path) -> Card | None:
        """The card; None for one that is damaged, or that leads out of the workspace: it is set
        aside with its displaced file, for a person.
        """
        try:
            data = exact_text(file.read_bytes())
            told = json.loads(data)
            seen, base = (exact_bytes(told[name]) for name in _TEXTS)
            note = Note(**{**told, "seen": seen, "base": base})
            return Card(file, self._root, note._replace(path=relative_path(self._root, note.path)))
        except FileNotFoundError:
            return None
        except (AttributeError, ValueError, KeyError, TypeError, RecursionError, ClawgitError):
            file.rename(file.with_suffix(TORN))
            return None

    def sweep(self) -> None:
        """Removes what a crash left without a card."""
        for stray in self._folder.glob("*"):
            card = self._folder / f"{stray.name.partition('.')[0]}.json"
            if not card.exists() and not card.with_suffix(TORN).exists():
                stray.unlink()


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


def text_id(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()
