"""The vector file: a row for each text that was ever embedded, mapped and scanned as a whole.

It is also the embedding cache. This module loads numpy; `vector_files` knows the paths.
"""

import hashlib
import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple
from weakref import finalize

from clawgit.doors import numpy as np
from clawgit.doors import secrets
from clawgit.errors import StorageError
from clawgit.stores.clearing import clear_the_way
from clawgit.stores.embed.contract import Embeds, Rows
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.vector_files import KEY_LENGTH, slug

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NOWHERE = -1
"""The row of a text that has no vector."""

_NOT_THERE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError)
_ROUNDED = 0.01
"""How much a vector's length may differ from 1."""

_FEW = 16
"""Picking rows is faster than a whole scan only if they are fewer than one in this many."""

_SCANNED_BYTES = 32 << 20
"""A million vectors are a gigabyte. At most this much of them stays in the memory of a process."""

_PAGED = 1024
"""A number of rows that fills whole pages, whatever their width."""

_MOST_READ = 32_768
"""Up to this many rows are read one by one; more are faster through the map."""

_PATIENCE = 10.0
"""Seconds to wait for another process that adds vectors."""

_FIRST_BATCH = 32
_LARGEST_BATCH = 4096
_BATCH_SECONDS = 0.25
"""A batch that took less than this is followed by one of twice its size."""


class TornVectorsError(StorageError):
    """The file has rows that are no vectors; a disk or a program damaged it.

    See `VectorFile.mend`.
    """


class Text(NamedTuple):
    """A text of the index: its id there, the first 16 bytes of its sha256, and what it says."""

    id: int
    key: bytes
    text: str


class FilledVectors(NamedTuple):
    """How many texts were found among those embedded before, and how many were embedded now."""

    reused: int
    embedded: int


class _Files(NamedTuple):
    """`vectors` and `keys` grow row by row; `rows` says which row each text of the index has.

    The keys begin with a random mark, which `rows` repeats, so it is never read with other files.
    """

    vectors: Path
    keys: Path
    rows: Path
    lock: Path


class VectorFile:
    """The vectors of one model, by the text ids of one index. Reading takes no lock.

    An index that was built again has another `generation`: its texts find their rows by their keys,
    in `fill`.
    """

    def __init__(
        self, folder: Path, provider: str, model: str, dimensions: int, generation: str
    ) -> None:
        name = slug(provider, model, dimensions)
        self._files = _Files(
            *(folder / f"{name}.{tail}" for tail in ("f32", "keys", "rows", "lock"))
        )
        for file in self._files[:3]:
            clear_the_way(file)
        self._dimensions, self._generation = dimensions, generation
        self._known: dict[bytes, int] | None = None
        self._map: mmap.mmap | None = None
        self._opened = -1
        self._mark, self._count = self._measured()
        self._matrix = self._mapped()
        self._rows = self._read_rows()

    @property
    def count(self) -> int:
        """How many texts have a vector here, past ones included."""
        return self._count

    def missing(self, ids: "NDArray[np.int32]") -> list[int]:
        """The text ids that have no vector here yet. A negative one is no text."""
        missing: list[int] = ids[(ids >= 0) & (self._rows_of(ids) == _NOWHERE)].tolist()
        return missing

    def scores(
        self, query: "NDArray[np.float32]", ids: "NDArray[np.int32]"
    ) -> "NDArray[np.float32]":
        """The cosine of each of these texts and the query; 0 for a text without a vector.

        Several queries are columns, and each has a column of the result. Raises `TornVectorsError`
        if a row is no vector.
        """
        rows = self._rows_of(ids)
        with np.errstate(invalid="ignore", over="ignore"):
            scores = self._scores_of(rows, query)
        longest = np.abs(scores).max() if len(scores) else 0.0
        is_blank = not longest and self._count and not self._matrix.any()
        # `not <=`, since a NaN is neither greater nor less than anything.
        if is_blank or not longest <= 1 + _ROUNDED:
            raise self._torn()
        return scores

    def _scores_of(
        self, rows: "NDArray[np.int32]", query: "NDArray[np.float32]"
    ) -> "NDArray[np.float32]":
        if len(rows) * _FEW < self._count:
            scores: NDArray[np.float32] = self._picked(rows) @ query
            scores[rows == _NOWHERE] = 0
            return scores
        # The last is what _NOWHERE points to.
        by_row = np.zeros((self._count + 1, *query.shape[1:]), np.float32)
        step = self._at_once
        for at in range(0, self._count, step):
            end = min(at + step, self._count)
            np.dot(self._matrix[at:end], query, out=by_row[at:end])
            self._let_go(at, end)
        return by_row[rows]

    @property
    def _at_once(self) -> int:
        """How many rows are scanned at once; their bytes fill whole pages."""
        return max(_SCANNED_BYTES // self._width // _PAGED, 1) * _PAGED

    def _let_go(self, start: int, end: int) -> None:
        """Releases the pages of scanned rows; the system caches them while it has room."""
        if self._map is None or self._count <= self._at_once or not hasattr(mmap, "MADV_DONTNEED"):
            return
        self._map.madvise(mmap.MADV_DONTNEED, start * self._width, (end - start) * self._width)

    def _rows_of(self, ids: "NDArray[np.int32]") -> "NDArray[np.int32]":
        if not len(self._rows):
            return np.full(len(ids), _NOWHERE, np.int32)
        known = self._rows[np.minimum(ids, len(self._rows) - 1)]
        return np.where((ids >= 0) & (ids < len(self._rows)), known, np.int32(_NOWHERE))

    def vectors_of(self, ids: "NDArray[np.int32]") -> Rows:
        """The vectors of texts of the index; zeros for a text without one."""
        rows = self._rows_of(ids)
        vectors = np.zeros((len(ids), self._dimensions), np.float32)
        vectors[rows != _NOWHERE] = self._picked(rows[rows != _NOWHERE])
        return vectors

    def _picked(self, rows: "NDArray[np.int32]") -> Rows:
        """The vectors of some rows; any for _NOWHERE.

        In a large file they are read: a mapped row would load its neighbours too, and take longer.
        """
        if self._count <= self._at_once or len(rows) > _MOST_READ:
            picked: Rows = self._matrix[rows]
            self._let_go(0, self._count)
            return picked
        width, opened = self._width, self._opened
        places = (np.maximum(rows, 0).astype(np.int64) * width).tolist()
        read = b"".join([os.pread(opened, width, place) for place in places])
        if len(read) < len(rows) * width:
            raise self._torn()
        return np.frombuffer(read, np.float32).reshape(-1, self._dimensions)

    def _torn(self) -> TornVectorsError:
        return TornVectorsError(f"{self._files.vectors} is damaged.", hint="clawgit memory index")

    def mean_of(self, ids: "NDArray[np.int32]") -> "NDArray[np.float32]":
        """The mean vector of some texts.

        Raises `TornVectorsError` if it is longer than a vector can be.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            rows = self._rows_of(ids)
            known = self._picked(rows[rows != _NOWHERE])
            mean: NDArray[np.float32] = known.sum(axis=0) / max(len(ids), 1)
            # `not <=`, since a NaN is neither greater nor less than anything.
            if not mean @ mean <= 1 + _ROUNDED:
                raise self._torn()
        return mean

    def reuse(self, texts: Sequence[Text]) -> list[Text]:
        """Gives each text the row of its key; returns the texts without one."""
        known = self._keys_known()
        self._assign([(text.id, known[text.key]) for text in texts if text.key in known])
        return [text for text in texts if text.key not in known]

    def add(self, texts: Sequence[Text], vectors: Rows) -> None:
        """Stores the vectors of these texts. After a crash a few may be missing at the end."""
        with self._writing():
            self._heal()
            known = self._keys_known()
            fresh = {text.key: at for at, text in enumerate(texts) if text.key not in known}
            # The vectors before their keys: a crash in between leaves vectors without keys, which
            # the next write cuts off. Keys without vectors would name other texts' rows.
            _append(
                self._files.vectors,
                self._count * self._width,
                vectors[list(fresh.values())].tobytes(),
            )
            _append(self._files.keys, KEY_LENGTH * (1 + self._count), b"".join(fresh))
            known.update(zip(fresh, range(self._count, self._count + len(fresh)), strict=True))
            self._count += len(fresh)
        self._matrix = self._mapped()
        self._assign([(text.id, known[text.key]) for text in texts])

    def mend(self) -> None:
        """Drops the rows that are no vectors; their texts are missing then."""
        if self._whole_rows().all():
            return
        with self._writing():
            self._heal()
            self._matrix = self._mapped()
            whole = self._whole_rows()
            if not whole.all():  # nobody was quicker
                self._rewrite(whole)
                self._heal()
        self._matrix = self._mapped()

    def keep(self, keys: Iterable[bytes]) -> int:
        """Drops every row except those of these keys; returns how many."""
        with self._writing():
            self._heal()
            self._matrix = self._mapped()
            known = self._keys_known()
            kept = np.zeros(self._count, np.bool_)
            kept[[known[key] for key in keys if key in known]] = True
            gone = int(self._count - kept.sum())
            if gone:
                self._rewrite(kept)
                self._heal()
        self._matrix = self._mapped()
        return gone

    def _whole_rows(self) -> "NDArray[np.bool_]":
        """Which rows have the length of a vector: 1, or 0 for a text that the model does not know.

        A file of only zeros is damaged: the model knows some texts.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            squares = np.einsum("ij,ij->i", self._matrix, self._matrix)
        whole: NDArray[np.bool_] = (np.abs(squares - 1) <= _ROUNDED) | (
            (squares == 0) & bool(squares.any())
        )
        return whole

    def _rewrite(self, kept: "NDArray[np.bool_]") -> None:
        """Writes new files with only these rows.

        The old keys are deleted first and the new ones written last: a crash in between may lose
        the cache, but never leaves keys with other texts' vectors.
        """
        keys = self._files.keys.read_bytes()[KEY_LENGTH : KEY_LENGTH * (1 + self._count)]
        vectors = self._matrix[kept].tobytes()
        self._files.keys.unlink()
        self._files.vectors.unlink()
        _append(self._files.vectors, 0, vectors)
        new = self._files.keys.with_suffix(".new")
        left = (
            keys[KEY_LENGTH * row : KEY_LENGTH * (row + 1)] for row in kept.nonzero()[0].tolist()
        )
        _append(new, 0, secrets.token_bytes(KEY_LENGTH) + b"".join(left))
        new.replace(self._files.keys)

    def save(self) -> None:
        """Saves which text has which row, so that the next process need not look up keys."""
        with self._writing():
            new = self._files.rows.with_suffix(".new")
            new.write_bytes(self._heading() + self._rows.tobytes())
            new.replace(self._files.rows)

    @property
    def _width(self) -> int:
        return 4 * self._dimensions

    def _heading(self) -> bytes:
        """What the rows are valid for: these keys, and this generation of the index."""
        return self._mark + hashlib.sha256(self._generation.encode()).digest()

    def _measured(self) -> tuple[bytes, int]:
        """The mark of the keys, and how many rows are complete.

        A crash may leave vectors without keys, or a part of one.
        """
        try:
            with self._files.keys.open("rb") as file:
                mark = file.read(KEY_LENGTH)
            keys, vectors = self._files.keys.stat().st_size, self._files.vectors.stat().st_size
        except _NOT_THERE:
            return b"", 0
        return mark, max(0, min(keys // KEY_LENGTH - 1, vectors // self._width))

    def _mapped(self) -> "NDArray[np.float32]":
        if not self._count:
            self._map = None
            return np.zeros((0, self._dimensions), np.float32)
        with self._files.vectors.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), self._count * self._width, access=mmap.ACCESS_READ)
            self._opened = os.dup(file.fileno())
            # Open as long as the map: another process may replace the file.
            finalize(self._map, os.close, self._opened)
        return np.frombuffer(self._map, np.float32).reshape(self._count, self._dimensions)

    def _read_rows(self) -> "NDArray[np.int32]":
        heading = self._heading()
        try:
            content = self._files.rows.read_bytes()
        except _NOT_THERE:
            content = b""
        if not content.startswith(heading) or not self._count:
            return np.zeros(0, np.int32)
        rows = np.frombuffer(content, np.int32, (len(content) - len(heading)) // 4, len(heading))
        return np.where((rows >= 0) & (rows < self._count), rows, np.int32(_NOWHERE))

    def _keys_known(self) -> dict[bytes, int]:
        """The row of each key. Built when first needed: a search does not need it."""
        if self._known is None:
            self._known = {}
            self._learn(0)
        return self._known

    def _learn(self, start: int) -> None:
        if self._known is None or start == self._count:
            return
        with self._files.keys.open("rb") as file:
            file.seek(KEY_LENGTH * (1 + start))
            keys = file.read(KEY_LENGTH * (self._count - start))
        for row in range(start, self._count):
            at = KEY_LENGTH * (row - start)
            self._known.setdefault(keys[at : at + KEY_LENGTH], row)

    def _assign(self, pairs: Sequence[tuple[int, int]]) -> None:
        if not pairs:
            return
        ids, rows = np.array(pairs, np.int32).T
        if (short := int(ids.max()) + 1 - len(self._rows)) > 0:
            # At least doubled each time, so that it is seldom copied.
            room = max(short, len(self._rows))
            self._rows = np.concatenate([self._rows, np.full(room, _NOWHERE, np.int32)])
        self._rows[ids] = rows

    def _heal(self) -> None:
        """Reads what others have added, and cuts off what a crash left half written."""
        mark, count = self._measured()
        if len(mark) < KEY_LENGTH or not count:
            mark = secrets.token_bytes(KEY_LENGTH)
            # A new file, not a shortened one: another process may have the old one mapped.
            self._files.vectors.unlink(missing_ok=True)
            self._files.keys.write_bytes(mark)
        if mark != self._mark:
            self._forget(mark)
        whole = (KEY_LENGTH * (1 + count), count * self._width)
        if count and whole != (self._files.keys.stat().st_size, self._files.vectors.stat().st_size):
            # It may name rows that will soon have other texts.
            self._files.rows.unlink(missing_ok=True)
        before, self._count = self._count, count
        self._learn(before)

    def _forget(self, mark: bytes) -> None:
        """Starts over: these are other files than those that were opened."""
        self._mark, self._count = mark, 0
        self._rows = self._rows[:0]
        self._known = {}

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with workspace_lock(self._files.lock, "keeping vectors", _PATIENCE):
            try:
                yield
            except OSError as error:
                raise StorageError(
                    f"{self._files.vectors.parent} cannot be written: {error.strerror}.",
                    hint="Check the free space, and the owner and permissions of the .git folder.",
                ) from error


def fill(
    embedder: Embeds,
    file: VectorFile,
    texts: Iterable[tuple[int, bytes, str]],
    *,
    progress: Callable[[int], None] | None = None,
    limit: int | None = None,
) -> FilledVectors:
    """Embeds what the file lacks, at most `limit` texts; each batch is on disk before the next.

    Batches grow while they are quick: with a fast model there are few writes, with a slow one
    little is lost. `progress` gets the number of texts done so far.
    """
    reused, embedded, size = 0, 0, _FIRST_BATCH
    stream = map(Text._make, texts)
    while batch := list(islice(stream, size)):
        started = monotonic()
        fresh = file.reuse(batch)
        now = fresh if limit is None else fresh[: limit - embedded]
        if now:
            file.add(now, embedder.embed([text.text for text in now]))
        reused, embedded = reused + len(batch) - len(fresh), embedded + len(now)
        if progress is not None:
            progress(reused + embedded)
        if len(now) < len(fresh):
            break
        if monotonic() - started < _BATCH_SECONDS:
            size = min(2 * size, _LARGEST_BATCH)
        else:
            size = max(_FIRST_BATCH, size // 2)
    if reused or embedded:
        file.save()
    return FilledVectors(reused, embedded)


def _append(file: Path, end: int, content: bytes) -> None:
    """Writes from `end` on, over what a crash left there, and syncs."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        os.ftruncate(descriptor, end)
        view = memoryview(content)
        while view:
            end += (written := os.pwrite(descriptor, view, end))
            view = view[written:]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
