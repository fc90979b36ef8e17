"""The vectors of the models: whole numbers of 8 bits, of which each is compared with a question.

Each model has a file, which all worktrees share. It has a row for each text that was ever embedded,
so it is the cache of the embedder too: the text's key, a factor, and the numbers. It only grows at
its end, or is replaced as a whole.
"""

import hashlib
import os
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.core.disk.database import clear_the_way
from clawgit.core.disk.plainfile import put_in_place
from clawgit.core.doors import numpy as np
from clawgit.core.errors import StorageError
from clawgit.git.lock import workspace_lock
from clawgit.search.rules.row import KEY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clawgit.search.embed import Rows

_HEAD = KEY + 4
"""How many bytes of a row are its key and its factor."""

_LARGEST = 127
_EXACT = 1 << 24
"""A float of 32 bits holds every whole number up to here."""

_NEARLY = 1.01
"""How much the factor of a sound row may be beside its bounds, rounded as it is."""

_BLOCK = 1024
"""How many rows are compared at once: as many as a processor's cache holds."""

_PATIENCE = 10.0
"""Seconds to wait for another process that writes."""

_UNFINISHED = "unfinished"


class Vectors:
    """The vectors of one model, as they were read last. Reading takes no lock.

    `stand` tells the file from others that were there before, and how many rows it has.
    """

    def __init__(self, folder: Path, provider: str, model: str, dimensions: int) -> None:
        self._file = folder / f"{name_of(provider, model, dimensions)}.vectors"
        kind = [("key", "<u8", (2,)), ("factor", "<f4"), ("row", "i1", (dimensions,))]
        self._kind, self._dimensions = np.dtype(kind), dimensions
        self.stand = (0, -1)
        self.follow()

    @property
    def count(self) -> int:
        return self.stand[1]

    def follow(self) -> bool:
        """Reads what was written since; returns whether anything was."""
        before, self.stand, read = self.stand, (0, 0), np.zeros(0, self._kind)
        with suppress(OSError), self._file.open("rb") as file:
            status = os.fstat(file.fileno())
            self.stand = status.st_ino, status.st_size // self._kind.itemsize
            if self.stand != before:
                read = np.fromfile(file, self._kind, self.count)
                self.stand = status.st_ino, len(read)
        if self.stand == before:
            return False
        # What a disk or a program spoilt is unknown, and so made again.
        read[~self._sound(read["factor"])] = 0
        self._all, self._keys = read, read["key"].copy()
        # The first half of a key is enough to sort by, and the other half then tells.
        self._order = np.argsort(self._keys[:, 0])
        self._sorted = self._keys[self._order, 0]
        return True

    def _sound(self, factors: "NDArray[np.float32]") -> "NDArray[np.bool_]":
        """Which rows are vectors: the largest number of one is 127, and its length is 1."""
        least = 1 / (_LARGEST * self._dimensions**0.5 * _NEARLY)
        is_whole = (factors >= least) & (factors <= _NEARLY / _LARGEST)
        # What a model does not know at all is a row of zeros with the factor 1.
        sound: NDArray[np.bool_] = is_whole | (factors == 1)
        return sound

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
            # A power cut may leave rows of zeros; a key of zeros is no text.
            is_known &= wanted[asked].any(axis=1)
            found[asked[is_known]] = rows[is_known]
        return found

    def cosines(
        self, query: "NDArray[np.float32]", rows: "NDArray[np.int32]"
    ) -> "NDArray[np.float32]":
        """The cosine of each of these rows and a query of length 1; 0 for the row -1."""
        # All numbers are whole, and no sum of them too large for a float to hold: so the result
        # does not depend on the order in which a processor adds, or on what is read together.
        size = _EXACT / (_LARGEST * self._dimensions**0.5) - self._dimensions**0.5
        asked = np.rint(query * size).astype(np.float32)
        if not self.count:
            return np.zeros(len(rows), np.float32)
        blocks = (rows[at : at + _BLOCK] for at in range(0, len(rows), _BLOCK))
        each = [_products(self._all[some], asked) for some in blocks]
        products = np.concatenate([np.zeros(0, np.float32), *each])
        return np.where(rows < 0, np.float32(0), products / np.float32(size))

    def vectors(self, rows: "NDArray[np.int32]") -> "Rows":
        """The vectors of some rows, as they are kept; zeros for -1."""
        found: Rows = np.zeros((len(rows), self._dimensions), np.float32)
        some = self._all[rows[rows >= 0]]
        found[rows >= 0] = some["row"] * some["factor"][:, None]
        return found

    def add(self, keys: Sequence[bytes], vectors: "Rows") -> None:
        """Stores the vectors of keys that were unknown a moment ago."""
        with _writing(self._file):
            self.follow()
            known = self.rows(b"".join(keys)).tolist()
            fresh = {key: at for at, key in enumerate(keys) if known[at] < 0}
            rows = self._packed(vectors[[*fresh.values()]])
            rows["key"] = np.frombuffer(b"".join(fresh), "<u8").reshape(-1, 2)
            with self._file.open("ab") as out:
                out.truncate(self.count * rows.itemsize)  # a crash may have left a part of a row
                out.write(rows.tobytes())
                out.flush()
                os.fsync(out.fileno())
        self.follow()

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
        wanted = frozenset(keys)
        with _writing(self._file):
            self.follow()
            stays = np.array([bytes(key) in wanted for key in self._keys], np.bool_)
            if not stays.all():
                put_in_place(self._file, self._all[stays].tobytes(), synced=True)
        self.follow()
        return int(np.count_nonzero(~stays))


def _products(some: "NDArray[np.void]", asked: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The products of some rows and a question."""
    products: NDArray[np.float32] = (some["row"].astype(np.float32) @ asked) * some["factor"]
    return products


def kept(folder: Path, provider: str, model: str) -> int:
    """How many vectors of a model are in a folder."""
    files = folder.glob(f"{name_of(provider, model, '*')}.vectors")
    # The bytes of a row by the dimensions in the file's name.
    sizes = ((file.stat().st_size, _HEAD + int(file.stem.split("-")[-2])) for file in files)
    return max((size // width for size, width in sizes), default=0)


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


def name_of(provider: str, model: str, dimensions: int | str) -> str:
    """A name of a model that people can read; its hash keeps similar ones apart."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"{provider}-{model}")[:60].strip("-")
    return f"{name}-{dimensions}-{hashlib.sha256(repr((provider, model)).encode()).hexdigest()[:8]}"


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    with workspace_lock(file.with_suffix(".lock"), "keeping vectors", _PATIENCE):
        try:
            clear_the_way(file)
            yield
        except OSError as error:
            raise StorageError(
                f"{file.parent} cannot be written: {error.strerror}.",
                hint="Check the free space, and the owner and permissions of the .git folder.",
            ) from error
