"""The vectors of the models: whole numbers of 8 bits, of which each is compared with a question.

Of each model there are two files, which all worktrees share. `.i8` has a row for each text that was
ever embedded, so it is the cache of the embedder too; `.keys` has the key of each row. Both begin
with the same random mark, so that neither is read with another's.
"""

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import finalize

from clawgit.doors import numpy as np
from clawgit.doors import secrets
from clawgit.errors import StorageError
from clawgit.stores.clearing import clear_the_way
from clawgit.stores.git.lock import workspace_lock

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clawgit.stores.embed.contract import Rows

KEY = 16
"""A text is known by so many bytes of its sha256. A mark is as long, and its last four bytes tell
how long a row is.
"""

_WIDTH = 4
_LARGEST = 127
_EXACT = 1 << 24
"""A float of 32 bits holds every whole number up to here."""

_ROUNDED = 0.01
"""How much the length of a sound row may differ from 1."""

_BLOCK = 1024
"""How many rows are read and compared at once: as many as a processor's cache holds."""

_FEW = 16
"""Picking rows is faster than a whole scan only if they are fewer than one in this many."""

_PATIENCE = 10.0
"""Seconds to wait for another process that writes."""

_UNFINISHED = "unfinished"


class DamagedVectorsError(StorageError):
    """There are rows that are no vectors; a disk or a program spoilt them. See `Vectors.mend`."""


def key_of(text: str) -> bytes:
    """The key of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()[:KEY]


class _Files(NamedTuple):
    rows: Path
    keys: Path
    lock: Path


class Vectors:
    """The vectors of one model. Reading takes no lock."""

    def __init__(self, folder: Path, provider: str, model: str, dimensions: int) -> None:
        self._files = _files_of(folder / _slug(provider, model, dimensions))
        kind = [("factor", "<f4"), ("row", "i1", (dimensions,))]
        self._kind, self._dimensions = np.dtype(kind, align=True), dimensions
        self._width = self._kind.itemsize
        self.mark, self.count = b"", -1
        self.follow()

    def follow(self) -> bool:
        """Reads what was written since; returns whether anything was."""
        try:
            with self._files.keys.open("rb") as keys, self._files.rows.open("rb") as rows:
                mark, count = _standing(keys.fileno(), rows.fileno())
                if _width(mark) != self._width:
                    mark, count = b"", 0
                if (mark, count) == (self.mark, self.count):
                    return False
                self._take(mark, count, os.pread(keys.fileno(), KEY * count, KEY))
                # Of the same two files: another process may replace them at any time.
                self._open = os.dup(rows.fileno())
                finalize(self._keys, os.close, self._open)
        except OSError:
            if (self.mark, self.count) == (b"", 0):
                return False
            self._take(b"", 0, b"")
        return True

    def _take(self, mark: bytes, count: int, keys: bytes) -> None:
        self.mark, self.count = mark, count
        self._keys = np.frombuffer(keys, "<u8").reshape(-1, 2)
        # The first half of a key is enough to sort by, and the other half then tells.
        self._order = np.argsort(self._keys[:, 0])
        self._sorted = self._keys[self._order, 0]

    def rows(self, keys: bytes) -> "NDArray[np.int32]":
        """The row of each of these keys, which stand one after the other; -1 for an unknown one."""
        wanted = np.frombuffer(keys, "<u8").reshape(-1, 2)
        found = np.full(len(wanted), -1, np.int32)
        if self.count:
            # In their order, a million keys are found in a tenth of the time.
            asked = np.argsort(wanted[:, 0])
            at = np.searchsorted(self._sorted, wanted[asked, 0])
            rows = self._order[np.minimum(at, self.count - 1)]
            is_known = (self._keys[rows] == wanted[asked]).all(axis=1)
            found[asked[is_known]] = rows[is_known]
        return found

    def cosines(
        self, query: "NDArray[np.float32]", rows: "NDArray[np.int32]"
    ) -> "NDArray[np.float32]":
        """The cosine of each of these rows and a query of length 1; 0 for the row -1.

        Raises `DamagedVectorsError` if a row is no vector.
        """
        # All numbers are whole, and no sum of them too large for a float to hold: so the result
        # does not depend on the order in which a processor adds, or on what is read together.
        size = _EXACT / (_LARGEST * self._dimensions**0.5) - self._dimensions**0.5
        asked = np.rint(query * size).astype(np.float32)
        if len(rows) * _FEW < self.count:
            cosines = _products(self._picked(rows), asked) / np.float32(size)
            cosines[rows < 0] = 0
        else:
            # Last comes a 0, to which -1 points.
            all_rows = [_products(some, asked) for some in self._blocks()]
            cosines = np.concatenate([*all_rows, np.zeros(1, np.float32)])[rows] / np.float32(size)
        # `not <=`, since a NaN is neither greater nor less than anything.
        if len(cosines) and not np.abs(cosines).max() <= 1 + _ROUNDED:
            raise self._damaged()
        return cosines

    def vectors(self, rows: "NDArray[np.int32]") -> "Rows":
        """The vectors of some rows, as they are kept; zeros for -1."""
        some = self._picked(rows)
        found: Rows = some["row"] * np.where(rows < 0, np.float32(0), some["factor"])[:, None]
        return found

    def _blocks(self) -> "Iterator[NDArray[np.void]]":
        """All rows. They are read and not mapped: the pages of a map would cost ten times as long
        as the comparing, and stay in the memory of the process.
        """
        for start in range(0, self.count, _BLOCK):
            yield self._read(start, min(_BLOCK, self.count - start))

    def _picked(self, rows: "NDArray[np.int32]") -> "NDArray[np.void]":
        """Some rows, and any for -1."""
        if not self.count:
            return np.zeros(len(rows), self._kind)
        places = np.maximum(rows, 0).tolist()
        return np.concatenate([np.zeros(0, self._kind), *(self._read(row, 1) for row in places)])

    def _read(self, first: int, count: int) -> "NDArray[np.void]":
        place, size = KEY + first * self._width, count * self._width
        content = os.pread(self._open, size, place)
        if len(content) < size:
            raise self._damaged()
        return np.frombuffer(content, self._kind)

    def add(self, keys: Sequence[bytes], vectors: "Rows") -> None:
        """Stores the vectors of keys that were unknown a moment ago."""
        with _writing(self._files):
            known = self.rows(b"".join(keys)).tolist() if self.follow() else [-1] * len(keys)
            if not self.mark:
                self._begin()
            fresh = {key: at for at, key in enumerate(keys) if known[at] < 0}
            rows = self._packed(vectors[list(fresh.values())])
            # The rows before their keys: a crash in between leaves rows without keys, which are
            # written over next. Keys without rows would be given those of other texts.
            _append(self._files.rows, KEY + self.count * self._width, rows.tobytes())
            _append(self._files.keys, KEY + self.count * KEY, b"".join(fresh))
        self.follow()

    def _begin(self) -> None:
        """Makes new files; another process may have the old ones open."""
        mark = _new_mark(self._width)
        for file in self._files[:2]:
            file.unlink(missing_ok=True)
            _append(file, 0, mark)

    def _packed(self, vectors: "Rows") -> "NDArray[np.void]":
        """Vectors in whole numbers, with the factor that gives each the length 1."""
        rows = np.zeros(len(vectors), self._kind)
        largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
        whole = np.rint(vectors * (_LARGEST / np.where(largest > 0, largest, 1)))
        lengths = np.linalg.norm(whole, axis=1)
        rows["row"], rows["factor"] = whole, 1 / np.where(lengths > 0, lengths, 1)
        return rows

    def keep(self, keys: Collection[bytes]) -> int:
        """Drops all rows but those of these keys; returns how many."""
        gone = _only(self._files, frozenset(keys).__contains__)
        self.follow()
        return gone

    def mend(self) -> int:
        """Drops the rows that are no vectors, so that their texts are unknown; returns how many."""
        self.follow()
        is_sound = np.concatenate([np.zeros(0, np.bool_), *map(_sound, self._blocks())])
        spoilt = {*map(bytes, self._keys[~is_sound])}
        gone = _only(self._files, lambda key: key not in spoilt) if spoilt else 0
        self.follow()
        return gone

    def _damaged(self) -> DamagedVectorsError:
        return DamagedVectorsError(f"{self._files.rows} is damaged.", hint="clawgit memory index")


def _products(some: "NDArray[np.void]", asked: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The products of some rows and a question; NaN for a row that cannot be one."""
    factors = some["factor"]
    sound = np.where((factors > 0) & (factors <= 1), factors, np.float32(np.nan))
    products: NDArray[np.float32] = (some["row"].astype(np.float32) @ asked) * sound
    return products


def _sound(some: "NDArray[np.void]") -> "NDArray[np.bool_]":
    """Which of some rows are vectors."""
    lengths = np.linalg.norm(some["row"].astype(np.float32), axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        is_whole = np.abs(lengths * some["factor"] - 1) <= _ROUNDED
    # What a model does not know at all is a row of zeros with the factor 1.
    sound: NDArray[np.bool_] = is_whole | (lengths == 0) & (some["factor"] == 1)
    return sound


def kept(folder: Path, provider: str, model: str) -> int:
    """How many vectors of a model are in a folder."""
    files = folder.glob(_slug(provider, model, "*") + ".keys")
    return max((file.stat().st_size // KEY - 1 for file in files), default=0)


def only(folder: Path, keys: Collection[bytes]) -> int:
    """Deletes all vectors but those of these texts, of every model, without numpy; returns how
    many.
    """
    for left in folder.glob("*.new"):  # of a rewriting that was cut off
        left.unlink(missing_ok=True)
    found = [_files_of(file.with_suffix("")) for file in folder.glob("*.keys")]
    return sum(_only(files, frozenset(keys).__contains__) for files in found)


def is_unfinished(folder: Path) -> bool:
    """Whether a search left texts without a vector; the runner's next round embeds them."""
    return (folder / _UNFINISHED).exists()


def mark_unfinished(folder: Path, *, unfinished: bool = True) -> None:
    # It is a hint for the runner: a full disk must not end the search that leaves it.
    with suppress(OSError):
        if unfinished:
            (folder / _UNFINISHED).touch()
        else:
            (folder / _UNFINISHED).unlink(missing_ok=True)


def _files_of(base: Path) -> _Files:
    return _Files(*(base.with_name(f"{base.name}.{tail}") for tail in ("i8", "keys", "lock")))


def _slug(provider: str, model: str, dimensions: int | str) -> str:
    """A file name that people can read; its hash keeps models with similar names apart."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"{provider}-{model}")[:60].strip("-")
    return f"{name}-{dimensions}-{hashlib.sha256(repr((provider, model)).encode()).hexdigest()[:8]}"


def _new_mark(width: int) -> bytes:
    return secrets.token_bytes(KEY - _WIDTH) + width.to_bytes(_WIDTH, "little")


def _width(mark: bytes) -> int:
    return int.from_bytes(mark[-_WIDTH:], "little")


def _standing(keys: int, rows: int) -> tuple[bytes, int]:
    """The mark of two open files, and how many rows are whole; "" if they do not belong together.

    A crash may leave rows without keys, or a part of one.
    """
    mark = os.pread(keys, KEY, 0)
    if len(mark) < KEY or mark != os.pread(rows, KEY, 0) or not _width(mark):
        return b"", 0
    named, stored = os.fstat(keys).st_size // KEY - 1, os.fstat(rows).st_size - KEY
    return mark, min(named, stored // _width(mark))


def _only(files: _Files, is_kept: Callable[[bytes], bool]) -> int:
    """Rewrites the files with the rows of some keys only; returns how many went."""
    with _writing(files):
        if not files.keys.exists() or not files.rows.exists():
            return 0
        with files.keys.open("rb") as keys, files.rows.open("rb") as rows:
            mark, count = _standing(keys.fileno(), rows.fileno())
            known = keys.read()[KEY:]
        if not mark:  # nobody can tell whose rows these are
            files.keys.unlink()
            files.rows.unlink()
            return 0
        named = (known[at : at + KEY] for at in range(0, KEY * count, KEY))
        kept = [row for row, key in enumerate(named) if is_kept(key)]
        if len(kept) < count:
            fresh = _new_mark(_width(mark))
            # A crash in between costs the cache: files with different marks are not read.
            _rewrite(files.rows, fresh, kept, _width(mark))
            _rewrite(files.keys, fresh, kept, KEY)
        return count - len(kept)


def _rewrite(file: Path, mark: bytes, kept: Iterable[int], size: int) -> None:
    new = file.with_suffix(".new")
    with file.open("rb") as old, new.open("wb") as out:
        out.write(mark)
        out.writelines(os.pread(old.fileno(), size, KEY + row * size) for row in kept)
        out.flush()
        os.fsync(out.fileno())
    new.replace(file)


def _append(file: Path, end: int, content: bytes) -> None:
    """Writes from `end` on, over what a crash left there, and syncs."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    with open(descriptor, "r+b") as out:  # noqa: PTH123 - of a descriptor
        out.truncate(end)
        out.seek(end)
        out.write(content)
        out.flush()
        os.fsync(descriptor)


@contextmanager
def _writing(files: _Files) -> Iterator[None]:
    with workspace_lock(files.lock, "keeping vectors", _PATIENCE):
        try:
            clear_the_way(files.rows)
            clear_the_way(files.keys)
            yield
        except OSError as error:
            raise StorageError(
                f"{files.rows.parent} cannot be written: {error.strerror}.",
                hint="Check the free space, and the owner and permissions of the .git folder.",
            ) from error
