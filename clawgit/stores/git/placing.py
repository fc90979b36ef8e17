"""Replacing files of the work tree one by one, while an editor may save to any of them at any moment.

A new text is written beside the old one and exchanged with it. What comes out is compared with what was read; if it
differs, both are merged and the exchange is made again. What came out is held and looked at once more.
"""

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import PathRefusedError
from clawgit.stores.git.exchange import create, exchange
from clawgit.stores.git.held import PREFIX, SUFFIX, Card, Displaced, HeldFiles
from clawgit.stores.git.worktree import read_file, read_settled

_ROUNDS = 5

Merge = Callable[[str, bytes | None, bytes | None, bytes | None], bytes | None]
"""(path, base, ours, theirs) → what loses nothing of either; all in the form that lies on disk."""


class Write(NamedTuple):
    """A file to be replaced: `base` is what should lie there, `after` what shall; None is no file."""

    path: str
    base: bytes | None
    after: bytes | None
    mode: int


class Placer:
    """Writes files of one work tree and keeps what they displaced until it is certain that nobody writes there."""

    def __init__(self, root: Path, held: Path, merge: Merge) -> None:
        self.held = HeldFiles(held)
        self._root, self._merge = root, merge

    def prepare(self, write: Write) -> None:
        """Writes the new text beside the old one, on disk for good; nothing is replaced yet."""
        if write.after is None:
            return
        target = self._root / write.path
        target.parent.mkdir(parents=True, exist_ok=True)
        _fill(self._temp(write), write.after, write.mode, target)

    def discard(self, write: Write) -> None:
        """Takes back what `prepare` wrote."""
        self._temp(write).unlink(missing_ok=True)

    def place(self, write: Write, *, once_more: bool = False) -> None:
        """Puts a prepared text in its place. Whatever was saved there meanwhile is added to it and stays on disk.
        `once_more`: it may have been put there before a crash, so what comes out may hold it already.
        """
        for _ in range(_ROUNDS):
            temp, target = self._temp(write), self._root / write.path
            out = self._remove(temp, target) if write.after is None else self._swap(temp, target)
            if out is None or out in (write.base, write.after):
                self.held.keep(temp, write.path, out or b"", out or b"")
                break
            if write.after is None:
                self._put_back(temp, target, write)
                break
            out = self._whole(temp, write.base or b"", out)
            tail = None if once_more else _appended(write.base, out)
            if tail is not None and _append(target, tail):
                self._keep(temp, write, out)
                break
            merged = self._merge(write.path, write.base, write.after, out)
            self._keep(temp, write, out)
            write = Write(write.path, write.after, merged, write.mode)
            if write.base == write.after:
                break
            self.prepare(write)
            once_more = tail is not None  # an append that did not hold may yet have been read, and saved again
        else:  # an editor saves faster than we merge: the second look takes up what is left
            self._keep(self._temp(write), write, write.base or b"")

    def sync(self, writes: Iterable[Write]) -> None:
        """Has the folders of what was placed on disk for good; each once, for a folder of thousands takes its time."""
        for folder in dict.fromkeys((self._root / write.path).parent for write in writes):
            _sync_folder(folder)

    def finish_interrupted(self, path: str, text_of: Callable[[str], bytes | None]) -> None:
        """After a crash: what lies beside a file is our text that never got in, or a text that came out. Both are
        held; `text_of` finds the text that was read by the start of its blob id.
        """
        for temp in sorted((self._root / path).parent.glob(f"{PREFIX}{_short(path.encode())}-*{SUFFIX}")):
            _, _, base_name, after_name = temp.name.removesuffix(SUFFIX).split("-")
            target = self._root / path
            if "part" in temp.name or (target.exists() and temp.samefile(target)):
                temp.unlink()
                continue
            data = temp.read_bytes()
            if _short(data) in (base_name, after_name):
                self.held.keep(temp, path, data, data)
            else:
                base = text_of(base_name) or b""
                self.held.keep(temp, path, base, base, begun=True)

    def settle(self, *, wait: bool) -> list[Displaced]:
        """Looks once more at every held file that is old enough (with `wait`, at all), and lets go what stood still.
        What somebody saved into one is told, and let go by the caller when history has it.
        """
        displaced = []
        for card in self.held.cards(all_ages=wait):
            if card.late() is None:
                self.held.let_go(card)
            elif self._stands_still(card, wait=wait):
                base, late = card.base(), card.seen()
                if late == base:
                    self.held.let_go(card)
                else:
                    displaced.append(Displaced(card, card.path, base, late))
        if wait:
            self.held.sweep()
        return displaced

    def _stands_still(self, card: Card, *, wait: bool) -> bool:
        for _ in range(_ROUNDS):
            if pause := card.wait():
                if not wait:
                    return False
                time.sleep(pause)
            is_open = card.is_open()  # asked first: what was written until then is read below
            late = card.late() or b""
            if late == card.seen():
                return not is_open
            self._take_up(card, late)
        return False

    def _take_up(self, card: Card, late: bytes) -> None:
        """Somebody wrote into a file after it had been displaced: what they added goes where the file is now. Where a
        crash cut that off, only a merge will do, which adds nothing twice.
        """
        interrupted = card.begun.exists()
        card.begun.touch()
        try:
            if interrupted:
                self.finish_interrupted(card.path, lambda _name: None)
            self._add(card.path, card.seen(), late, once_more=interrupted)
        except PathRefusedError:
            pass  # a folder or a link lies there now; history keeps the text
        card.see(late)

    def _add(self, path: str, seen: bytes, late: bytes, *, once_more: bool) -> None:
        state = read_file(self._root, path)
        tail = None if once_more or not state.exists else _appended(seen, late)
        if tail is not None and _append(self._root / path, tail):
            return
        state = read_file(self._root, path)
        merged = self._merge(path, seen, state.data or b"", late)
        if merged != state.data and merged is not None:
            write = Write(path, state.data, merged, state.mode or 0o100644)
            self.prepare(write)
            self.place(write, once_more=True)
            self.sync([write])

    def _keep(self, temp: Path, write: Write, seen: bytes) -> None:
        """Holds a file that came out with something new in it; `seen` of it is on disk again."""
        self.held.keep(temp, write.path, write.base or b"", seen)

    def _put_back(self, temp: Path, target: Path, write: Write) -> None:
        """We were to delete the file, but somebody has just written to it: what they wrote stays."""
        if not create(temp, target):
            self._keep(temp, write, write.base or b"")

    def _whole(self, temp: Path, base: bytes, out: bytes) -> bytes:
        """A text that came out half written is read until it stands still; its editor still has it open."""
        if out.endswith(b"\n") and not base.startswith(out):
            return out
        return read_settled(temp.parent, temp.name, base).data or b""

    def _swap(self, temp: Path, target: Path) -> bytes | None:
        while True:
            _refuse_other_kinds(target)
            if exchange(temp, target):
                return temp.read_bytes()
            if create(temp, target):
                return None

    def _remove(self, temp: Path, target: Path) -> bytes | None:
        try:
            _refuse_other_kinds(target)
            target.replace(temp)
        except FileNotFoundError:
            return None
        return temp.read_bytes()

    def _temp(self, write: Write) -> Path:
        names = f"{_short(write.path.encode())}-{_short(write.base or b'')}-{_short(write.after or b'')}"
        return (self._root / write.path).parent / f"{PREFIX}{names}{SUFFIX}"


def _fill(temp: Path, data: bytes, mode: int, target: Path) -> None:
    part = temp.with_name(temp.name.removesuffix(SUFFIX) + "part" + SUFFIX)
    part.unlink(missing_ok=True)
    rights = 0o600 if target.exists() else mode & 0o777 | 0o666
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, rights)
    try:
        _write_all(descriptor, data)
        _wear(descriptor, target)
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


def _wear(descriptor: int, target: Path) -> None:
    """Gives the new file the permissions and the owner of the one that it replaces."""
    try:
        old = target.lstat()
    except FileNotFoundError:
        return
    os.fchmod(descriptor, old.st_mode & 0o7777)
    if os.geteuid() == 0 and (old.st_uid, old.st_gid) != (0, 0):
        os.fchown(descriptor, old.st_uid, old.st_gid)


def _refuse_other_kinds(target: Path) -> None:
    """A folder or a link that somebody has just put there must never be exchanged."""
    if target.is_symlink() or (target.exists() and not stat.S_ISREG(target.stat().st_mode)):
        raise PathRefusedError(f"{target} is no file any more.", hint="Move it away, and run this again.")


def _appended(base: bytes | None, out: bytes) -> bytes | None:
    """The lines that were added at the end, where that is all that was done; None where more was."""
    base = base or b""
    if not out.startswith(base) or b"\0" in out or not out.endswith(b"\n"):
        return None
    if base and not base.endswith(b"\n") and not out[len(base) :].startswith((b"\n", b"\r\n")):
        return None
    return out[len(base) :]


def _append(target: Path, tail: bytes) -> bool:
    """One write at the end of the file: it cannot meet with another one, as a rewrite could. False where somebody
    put another file, or none, in its place meanwhile.
    """
    try:
        descriptor = os.open(target, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        size = os.fstat(descriptor).st_size
        ends_well = size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"
        _write_all(descriptor, tail if ends_well else b"\n" + tail)
        os.fsync(descriptor)
        return os.path.samestat(os.fstat(descriptor), target.lstat())
    except FileNotFoundError:
        return False
    finally:
        os.close(descriptor)


def _short(data: bytes) -> str:
    """The start of the blob id of a text, by which it may be found again in git."""
    return blob_id(data)[:12]


def blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _sync_folder(folder: Path) -> None:
    """One that somebody has just taken away, as git does with an empty one, has nothing left to keep."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
