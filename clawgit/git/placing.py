"""Replaces files of the work tree one by one, while editors may save to any of them.

A new text is written next to the old one and exchanged with it. The displaced text is compared with
what was read; if it differs, both are merged and the exchange is made again. The displaced text is
held and looked at once more.

The order of a replacement, and why:
1. its card, so that a crash at any later moment leaves no file that nobody can explain;
2. the new text beside the old one, on disk for good, while a full disk can still be answered by
   doing nothing;
3. the exchange, which loses nothing: whatever an editor saved a microsecond ago comes out of it;
4. what came out and was new, put where the file is now;
5. only then the note that it is there. The other way round a crash would leave a line that history
   is told of and the disk never gets, and the next commit would take it out again.
"""

import ctypes
import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, suppress
from functools import cache
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import sync_with_folders
from clawgit.core.errors import PathRefusedError
from clawgit.git.held import Card, HeldFiles, Note, displaced_text, is_file, part_of, text_id
from clawgit.git.lock import must_wait
from clawgit.git.place import RepoPlace
from clawgit.git.worktree import LEADS_AWAY, leads_away, read_file

_AT_FDCWD = -100
_LINUX_NOREPLACE = 1
_LINUX_EXCHANGE = 2
_MAC_SWAP = 2
_MAC_EXCL = 4
_UNSUPPORTED = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM})


def exchange(new: Path, target: Path) -> bool:
    """Swaps the files `new` and `target`.

    False: `target` does not exist.
    """
    try:
        if not _renamed(new, target, swap=True):
            _exchange_by_link(new, target)
    except FileNotFoundError:
        return False
    return True


def create(new: Path, target: Path) -> bool:
    """Moves `new` to a name that must be free. False: somebody took it."""
    try:
        if not _renamed(new, target, swap=False):
            os.link(new, target)
            new.unlink()
    except FileExistsError:
        return False
    return True


def aside(new: Path) -> Path:
    """The second name of a displaced file, for a moment, if the kernel cannot exchange."""
    return new.with_name(f"{new.stem}old{new.suffix}")


def _exchange_by_link(new: Path, target: Path) -> None:
    """Without the kernel's help: gives the old file a second name, then renames over the first."""
    second = aside(new)
    second.unlink(missing_ok=True)
    os.link(target, second)
    new.replace(target)
    second.replace(new)


def _renamed(source: Path, target: Path, *, swap: bool) -> bool:
    """Whether the kernel did it; False if this file system cannot."""
    old, new = os.fsencode(source), os.fsencode(target)
    try:
        if sys.platform == "darwin":
            failed = _libc().renamex_np(old, new, _MAC_SWAP if swap else _MAC_EXCL)
        else:
            flag = _LINUX_EXCHANGE if swap else _LINUX_NOREPLACE
            failed = _libc().renameat2(_AT_FDCWD, old, _AT_FDCWD, new, flag)
    except AttributeError:
        return False  # an older system has no such call
    code = ctypes.get_errno() if failed else 0
    if code in _UNSUPPORTED:
        return False
    if code:
        raise OSError(code, os.strerror(code), str(target))
    return True


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


_ROUNDS = 5
"""How often a file is merged and exchanged while an editor keeps saving it."""

_PLAIN_FILE = 0o100644

Merge = Callable[[str, bytes | None, bytes | None, bytes | None], bytes | None]
"""(path, base, ours, theirs) → a merge that loses nothing of either; all in the form on disk."""


class Write(NamedTuple):
    """A file to replace: `base` is expected there, `after` is written; None is no file."""

    path: str
    base: bytes | None
    after: bytes | None
    mode: int


class Placer:
    """Writes files of one work tree, and holds what they displaced until nobody writes there.

    `seam` is called, for tests, when a crash would leave something half done. Between an exchange
    and its end the file lacks what somebody has just saved. `quiet` stops git from committing that;
    while a plan is landed, this is done for all its files at once.
    """

    def __init__(
        self,
        place: RepoPlace,
        merge: Merge,
        seam: Callable[[str], object],
        quiet: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.held = HeldFiles(place.root, place.private / "held")
        self._root, self._merge, self._seam, self._quiet = place.root, merge, seam, quiet
        self._announced: dict[str, Card] = {}

    def prepare(self, write: Write) -> None:
        """Writes the new text next to the old one, and syncs it; nothing is replaced yet."""
        if leads_away(write.path):
            raise PathRefusedError(f"{write.path}: {LEADS_AWAY}.", hint="Name another file.")
        target = self._root / write.path
        if write.after is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
        elif not target.parent.is_dir():
            return  # the file is gone already, with its folder
        # The card before the text: after a kill -9 in between, the card names a text that does not
        # exist, and is dropped. A text without a card would stay in the work tree for ever.
        card = self.held.announce(write.path, write.base or b"", text_id(write.after))
        self._announced[write.path] = card
        if write.after is not None:
            _fill(card.temp, write.after, write.mode, target)

    def discard(self, write: Write) -> None:
        """Removes what `prepare` wrote."""
        if card := self._announced.pop(write.path, None):
            card.temp.unlink(missing_ok=True)
            card.drop()

    def place(self, write: Write, rounds: int = _ROUNDS) -> None:
        """Puts a prepared text in its place; what was saved there meanwhile is added to it."""
        card = self._announced.pop(write.path, None)
        displaced = self._exchanged(card, write) if card else None
        self._seam("exchanged")
        if card is None:
            return
        is_new = displaced not in (None, write.base, write.after)
        if is_new and write.after is None:
            # A deletion is undone: somebody has just written to the file, so it stays.
            create(card.temp, self._root / write.path)
        elif displaced is not None and displaced == write.after:
            card.forget(displaced)
        card.hold()
        # Without rounds an editor saves faster than we merge: the second look adds the rest.
        if is_new and write.after is not None and rounds:
            self._looked_at(card, rounds - 1)

    def sync(self, written: Iterable[str], found: Collection[str] = ()) -> None:
        """Syncs the folders of the paths that we have written, so that the new names are on disk,
        and those that we `found`, with their files: most programs save without a sync.
        """
        sync_with_folders([*map(self._root.joinpath, found)], map(self._root.joinpath, written))

    def collect(self) -> list[Card]:
        """After a crash: removes our temporary files from the work tree. Returns all cards.

        Each is our text that was never put in place, or a displaced text: what a card has not seen
        of it may be in the current file or not.
        """
        cards = self.held.cards(all_ages=True)
        for card in cards:
            part_of(card.temp).unlink(missing_ok=True)
            _finish_link(card, self._root / card.note.path)
            data = displaced_text(card.temp)
            if data is None:
                continue
            if text_id(data) == card.note.after:
                card.forget(data)
            # Said before it is held: the other way round a crash would leave our own text as one
            # that somebody has displaced.
            card.hold()
        return cards

    def bring_back(self) -> None:
        """Puts back into each file what an interrupted replacement took out of it.

        This happens before git may look: otherwise a commit by hand would remove it from history
        too.
        """
        interrupted = [card for card in self.collect() if card.late() not in (None, card.note.seen)]
        if not interrupted:
            return
        with self._quiet():
            for card in interrupted:
                self._stands_still(card, wait=True)

    def settle(self, *, wait: bool) -> list[Card]:
        """Looks once more at the held files, and drops those into which nobody has written.

        With `wait` at all of them, otherwise at those that are old enough. Those with new text are
        returned, and dropped by the caller when history has them: if they were dropped here, a
        crash before that commit could lose text that an editor has overwritten since.
        """
        self.collect()
        displaced = []
        for card in self.held.cards(all_ages=wait):
            if card.late() is None:
                card.drop()
            elif self._stands_still(card, wait=wait):
                if card.note.seen == card.note.base:
                    card.drop()
                else:
                    displaced.append(card)
        if wait:
            self.held.sweep()
        return displaced

    def _stands_still(self, card: Card, *, wait: bool) -> bool:
        for _ in range(_ROUNDS):
            if pause := must_wait(card.file):
                if not wait:
                    return False
                time.sleep(pause)
            is_open = self._looked_at(card)
            if is_open is not None:
                return not is_open
        return False

    def _looked_at(self, card: Card, rounds: int = _ROUNDS) -> bool | None:
        """Takes up what is new in a displaced file; if nothing is, tells whether it is open."""
        # Before the file is read. In the other order an editor could write after the read and close
        # the file before this check.
        is_open = card.is_open()
        late = card.late() or b""
        if is_open:
            # Of a text that is being written anew only whole lines, and nothing that it lacks: that
            # is still to come. Taken out now, it would be gone for good after a crash before `see`:
            # the next look finds it there, and in what it has seen.
            seen, whole = card.note.seen, late[: late.rfind(b"\n") + 1]
            late = seen if b"\0" in late else self._merge(card.note.path, b"", seen, whole) or b""
        if late == card.note.seen:
            return is_open
        self._take_up(card, late, rounds)
        return None

    def _take_up(self, card: Card, late: bytes, rounds: int) -> None:
        """Adds to the current file what somebody wrote into a displaced one."""
        # A folder or a link may be there now; then only history has the text.
        with suppress(PathRefusedError):
            self._add(card.note, late, rounds)
            self._seam("taken up")
        # Last: after a crash before it, it is merged once more, which adds nothing twice.
        card.see(late)

    def _add(self, note: Note, late: bytes, rounds: int) -> None:
        """Merges what is new into the current file; it may be there already."""
        with self._quiet():
            state = read_file(self._root, note.path)
            merged = self._merge(note.path, note.seen, state.data or b"", late)
            if merged is None or merged == state.data:
                return
            write = Write(note.path, state.data, merged, state.mode or _PLAIN_FILE)
            self.prepare(write)
            self.place(write, rounds)
            self.sync([write.path])

    def _exchanged(self, card: Card, write: Write) -> bytes | None:
        target = self._root / write.path
        if write.after is not None:
            return self._swap(card.temp, target)
        try:
            _refuse_other_kinds(target)
            target.replace(card.temp)
        except FileNotFoundError:
            return None
        return card.temp.read_bytes()

    def _swap(self, temp: Path, target: Path) -> bytes | None:
        # Until one of the two succeeds: the target may appear and vanish between the two calls.
        while True:
            _refuse_other_kinds(target)
            if exchange(temp, target):
                return temp.read_bytes()
            if create(temp, target):
                return None


def _finish_link(card: Card, target: Path) -> None:
    """Finishes a replacement without an exchange, in which the displaced file has a second name."""
    second = aside(card.temp)
    if not is_file(second):
        return
    if is_file(target) and second.samefile(target):
        second.unlink()  # nothing was replaced yet
    else:
        second.replace(card.temp)


def _fill(temp: Path, data: bytes, mode: int, target: Path) -> None:
    # Under another name until it is complete and synced: a file named `temp` counts as complete.
    part = part_of(temp)
    part.unlink(missing_ok=True)
    rights = 0o600 if target.exists() else mode & 0o777 | 0o666
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, rights)
    try:
        _write_all(descriptor, data)
        _wear(descriptor, target, mode)
        os.fsync(descriptor)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    part.replace(temp)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _wear(descriptor: int, target: Path, mode: int) -> None:
    """Gives the new file the permissions and the owner of the one that it replaces.

    Whether it is executable, which is all that git records, is decided by `mode`.
    """
    try:
        old = target.lstat()
    except FileNotFoundError:
        return
    rights = old.st_mode & 0o7777
    if mode & 0o100 and not rights & 0o100:
        rights |= (rights & 0o444) >> 2
    elif rights & 0o100 and not mode & 0o100:
        rights &= ~0o111
    os.fchmod(descriptor, rights)
    if os.geteuid() == 0 and (old.st_uid, old.st_gid) != (0, 0):
        os.fchown(descriptor, old.st_uid, old.st_gid)


def _refuse_other_kinds(target: Path) -> None:
    """Raises for a folder or a link that somebody has just put there: it must never be
    exchanged.
    """
    if target.is_symlink() or (target.exists() and not stat.S_ISREG(target.stat().st_mode)):
        raise PathRefusedError(
            f"{target} is no longer a file.", hint="Move it away, and run this again."
        )
