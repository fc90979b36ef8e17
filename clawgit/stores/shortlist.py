"""How near the items of a large memory are to a question: only texts that look near are compared.

Comparing all would be the larger part of a search in a process that stays open.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from clawgit.doors import numpy as np
from clawgit.stores.nearness import Items, Middle
from clawgit.stores.vectors import VectorFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_WEIGHT_BITS = 3
"""The numbers of the question are not cut to two bits: each has a weight of so many bits."""

_ROUGHLY, _CLOSELY = 8, 2
"""So many times as many vectors as are wanted are compared by their signs with weights, and so many
by the sizes too."""

_SAMPLE = 16
"""One in so many is counted to find these: about so many are enough."""

_AT_ONCE = 16_384
"""How many vectors are processed at once, so that intermediate results fit into the processor's
cache."""

_WORD = 64
"""Bits are counted in words of this length."""


class Sketch:
    """Unit vectors in short, 64 bytes for a kilobyte, in the order in which they come.

    A random rotation, the same for all, spreads what a vector says over all its numbers. Then two
    bits of each number are kept: its sign, and whether it is large. They stand for −3, −1, 1 and 3.
    """

    def __init__(
        self, blocks: "Iterable[NDArray[np.float32]]", count: int, dimensions: int
    ) -> None:
        self.count = count
        self._rotation = _rotation(dimensions)
        words = self._rotation.shape[1] // _WORD
        # The signs of all are counted, word by word; the sizes of a few are picked.
        self._signs = np.empty((words, count), np.uint64)
        self._sizes = np.empty((count, words), np.uint64)
        start = 0
        for block in blocks:
            rotated, end = block @ self._rotation, start + len(block)
            is_positive = rotated > 0
            # The usual size of a number is the border between 1 and 3.
            is_large = np.abs(rotated) > dimensions**-0.5
            self._signs[:, start:end] = _packed(is_positive).T
            # To a positive number of a question, 3, 1, −1 and −3 are worth 3, 2, 1 and 0: twice
            # the sign, and this bit. To a negative one it is the other way round.
            self._sizes[start:end] = _packed(is_positive == is_large)
            start = end
        self._sampled = np.ascontiguousarray(self._signs[:, ::_SAMPLE])

    def nearest(self, vector: "NDArray[np.float32]", count: int) -> "NDArray[np.intp]":
        """The places of so many vectors that look most like this one, best first."""
        rotated = vector @ self._rotation
        opposite = _packed(rotated <= 0)
        weights = _weights(rotated)
        places, same = self._most_signs(opposite, _ROUGHLY * count)
        likeness = 2 * _weighed(same, weights)
        best = _largest(likeness, _CLOSELY * count)
        places, likeness = places[best], likeness[best]
        likeness += _weighed((self._sizes[places] ^ opposite).T, weights)
        return places[_largest(likeness, count)]

    def _most_signs(
        self, opposite: "NDArray[np.uint64]", count: int
    ) -> "tuple[NDArray[np.intp], NDArray[np.uint64]]":
        """The places of about so many vectors with the most signs in common with a question, at
        least of one, and which signs these are.
        """
        # There are few sums: counting them in a sample is faster than sorting.
        above = np.cumsum(np.bincount(_in_common(self._sampled, opposite))[::-1])
        least = max(len(above) - 1 - int(np.searchsorted(above, count // _SAMPLE)), 0)
        places: list[NDArray[np.intp]] = []
        found: list[NDArray[np.uint64]] = []
        for start in range(0, self.count, _AT_ONCE):
            signs = self._signs[:, start : start + _AT_ONCE]
            at = np.flatnonzero(_in_common(signs, opposite) >= least)
            places.append(at + start)
            found.append(signs[:, at])
        return np.concatenate(places), np.concatenate(found, axis=1) ^ opposite[:, np.newaxis]


@lru_cache(maxsize=1)
def _rotation(dimensions: int) -> "NDArray[np.float32]":
    """Any rotation does; it must only be the same for all. Columns of zeros fill the last word."""
    random = np.random.default_rng(0).standard_normal((dimensions, dimensions))
    rotation = np.linalg.qr(random)[0].astype(np.float32)
    return np.pad(rotation, [(0, 0), (0, -dimensions % _WORD)])


def _packed(bits: "NDArray[np.bool_] | NDArray[np.uint8]") -> "NDArray[np.uint64]":
    """The bits of the last axis, as words."""
    return np.packbits(bits, axis=-1).view(np.uint64)


def _weights(rotated: "NDArray[np.float32]") -> "list[NDArray[np.uint64]]":
    """How much each number of a question weighs, in whole steps: the lowest bits of all numbers,
    then the next.
    """
    sizes = np.abs(rotated)
    steps = np.round(sizes * ((2**_WEIGHT_BITS - 1) / max(float(sizes.max()), 1e-9)))
    return [_packed(steps.astype(np.uint8) >> bit & 1) for bit in range(_WEIGHT_BITS)]


def _in_common(words: "NDArray[np.uint64]", opposite: "NDArray[np.uint64]") -> "NDArray[np.uint16]":
    """How many signs each vector has in common with the question."""
    same = np.zeros(words.shape[1], np.uint16)
    for signs, other in zip(words, opposite, strict=True):
        same += np.bitwise_count(signs ^ other)
    return same


def _weighed(
    same: "NDArray[np.uint64]", weights: "list[NDArray[np.uint64]]"
) -> "NDArray[np.uint16]":
    """The sum of the weights where a vector agrees with the question.

    Two bytes have room for 3,120 dimensions, and are sorted in one pass.
    """
    likeness = np.zeros(same.shape[1], np.uint16)
    for word, signs in enumerate(same):
        for bit, weighing in enumerate(weights):
            likeness += np.bitwise_count(signs & weighing[word]).astype(np.uint16) << bit
    return likeness


def _largest(numbers: "NDArray[np.uint16]", count: int) -> "NDArray[np.intp]":
    """The places of so many of the largest numbers, the largest first."""
    return np.argsort(numbers, kind="stable")[::-1][:count]


SURVEYED_FROM = 20_000
"""From this many items on, a survey is worth it."""

SCANS = 8
"""How many questions are answered by comparing all texts before a survey is made: it takes as long
as a dozen of them, and is no use for a memory that changes all the time."""

_SHARE = 128
"""One text in so many may be compared whole, and as many may have come or gone since the survey. So
the first ten hits of 383 of 384 questions stay what they were in 121,000 lines of real text, and
those of all 384 in 146,000 made-up ones.
"""

_FEWEST = 1_000
"""At least so many may be compared whole: then the first ten hits of all 384 questions stay the
same in 12,500 and in 25,000 lines of real text, and of 383 in 45,000.
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
        most = max(self._sketch.count // _SHARE, _FEWEST)
        places = self._sketch.nearest(direction, most)
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
