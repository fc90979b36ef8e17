"""How near the items of a large memory are to a question: only texts that look near are compared.

Comparing all would be the larger part of a search in a process that stays open.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from clawgit.doors import numpy as np
from clawgit.stores.nearness import Items, Middle
from clawgit.stores.sketch import Sketch
from clawgit.stores.vectors import VectorFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

SURVEYED_FROM = 50_000
"""From this many items on, a survey is worth it."""

SCANS = 8
"""How many questions are answered by comparing all texts before a survey is made: it takes as long
as a dozen of them, and is no use for a memory that changes all the time."""

_SHARE = 128
"""One text in so many may be compared whole, and as many may have come or gone since the survey. So
the first ten hits of 383 of 384 questions stay what they were in 121,000 lines of real text, and
those of all 384 in 146,000 made-up ones.
"""

_READ = 192
"""So many of these are compared before it is asked whether to go on."""

_BLOCK = 1024
_LEAST = 1e-6


class Survey:
    """The signs of all texts of a memory, and their mean direction, relative to its middle."""

    def __init__(self, items: Items, file: VectorFile, middle: Middle) -> None:
        self._texts = items.distinct
        self._mean = np.zeros(len(middle.vector), np.float32)
        blocks = self._seen(items, file, middle)
        self._sketch = Sketch(blocks, len(self._texts), len(middle.vector))
        self._mean /= max(len(items.ids), 1)
        self._items, self._fresh = items, self._texts[:0]

    def _seen(
        self, items: Items, file: VectorFile, middle: Middle
    ) -> "Iterator[NDArray[np.float32]]":
        counts = items.counts
        for start in range(0, len(self._texts), _BLOCK):
            vectors = file.vectors_of(self._texts[start : start + _BLOCK])
            seen = vectors - middle.vector
            seen /= np.maximum(np.linalg.norm(seen, axis=1), _LEAST)[:, np.newaxis]
            # A text without a vector is similar to nothing.
            seen[~vectors.any(axis=1)] = 0
            self._mean += counts[start : start + _BLOCK].astype(np.float32) @ seen
            yield seen

    def covers(self, items: Items) -> bool:
        """Whether the memory is nearly the same. New texts are compared fully."""
        if items is not self._items:
            self._items = items
            self._fresh = items.distinct[~np.isin(items.distinct, self._texts, assume_unique=True)]
        before, now, fresh = len(self._texts), len(items.distinct), len(self._fresh)
        gone = before - (now - fresh)
        return (fresh + gone) * _SHARE <= before

    def mean_likeness(self, direction: "NDArray[np.float32]") -> float:
        """The mean cosine of all items."""
        return float(self._mean @ direction)

    def likest(self, direction: "NDArray[np.float32]") -> "NDArray[np.int32]":
        """The current texts that look most like a question: new ones, and then the likest first."""
        places = self._sketch.nearest(direction, self._sketch.count // _SHARE)
        texts = np.concatenate([self._fresh, self._texts[places]])
        held = self._items.distinct
        at = np.minimum(np.searchsorted(held, texts), len(held) - 1)
        found: NDArray[np.int32] = texts[held[at] == texts]
        return found


class Shortlist:
    """The cosines between one question and the items that look like it."""

    def __init__(
        self,
        items: Items,
        file: VectorFile,
        middle: Middle,
        vector: "NDArray[np.float32]",
        survey: Survey,
    ) -> None:
        self._items, self._file, self._middle, self._vector = items, file, middle, vector
        self._survey = survey
        direction = vector - middle.vector
        self._direction = direction / max(float(np.linalg.norm(direction)), _LEAST)

    @property
    def mean(self) -> float:
        return self._survey.mean_likeness(self._direction)

    def nearest(self, count: int) -> list[int]:
        """The items most like the question, best first."""
        likest = self._survey.likest(self._direction)
        best, cosines = likest[:0], np.zeros(0, np.float32)
        for start in range(0, len(likest), _READ):
            texts = likest[start : start + _READ]
            found = self._middle.cosines(self._file, texts, self._vector)
            before = len(best)
            texts, found = np.concatenate([best, texts]), np.concatenate([cosines, found])
            first = np.lexsort((texts, -found))[:count]
            best, cosines = texts[first], found[first]
            # Those to come look less like it than these, of which none was near enough.
            if first.max() < before:
                break
        return [item for items in self._items.of_texts(best) for item in items][:count]

    def cosines(self, ids: Sequence[int]) -> dict[int, float]:
        cosines = self._middle.cosines(self._file, self._items.text_of(ids), self._vector)
        return dict(zip(ids, cosines.tolist(), strict=True))
