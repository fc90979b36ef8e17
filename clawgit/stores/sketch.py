"""The vectors in short, 64 bytes for a kilobyte, with which the nearest are found before they are
compared fully.

They are turned first, all alike, so that no number says more than another. Of each number it is
then kept whether it is nearest to −3, −1, 1 or 3: twice one sign, and another.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from clawgit.doors import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_PLANES = 3
"""Bits of each number of the question."""

_ROUGHLY, _CLOSELY = 8, 2
"""So many times as many vectors as are wanted are compared by more than the number of equal signs,
and so many by the finer ones too."""

_SAMPLE = 16
"""One in so many is counted to find these: about so many are enough."""

_AT_ONCE = 16_384
"""How many vectors are processed at once, so that intermediate results fit into the processor's
cache."""

_WORD = 64


class Sketch:
    """Unit vectors in short, in the order in which they come."""

    def __init__(
        self, blocks: "Iterable[NDArray[np.float32]]", count: int, dimensions: int
    ) -> None:
        self.count = count
        self._pads = -dimensions % _WORD
        self._turn = _turn(dimensions)
        words = (dimensions + self._pads) // _WORD
        # The signs of all are counted, word by word; the others are picked.
        self._signs = np.empty((words, count), np.uint64)
        self._finer = np.empty((count, words), np.uint64)
        start = 0
        for block in blocks:
            turned, end = block @ self._turn, start + len(block)
            is_above = turned > 0
            self._signs[:, start:end] = self._packed(is_above).T
            # The usual size of a number is the border between 1 and 3.
            self._finer[start:end] = self._packed(is_above == (np.abs(turned) > dimensions**-0.5))
            start = end
        self._sampled = np.ascontiguousarray(self._signs[:, ::_SAMPLE])

    def nearest(self, vector: "NDArray[np.float32]", count: int) -> "NDArray[np.intp]":
        """The places of so many vectors that look most like this one, best first."""
        turned = vector @ self._turn
        opposite = self._packed(turned <= 0)
        places, same = self._alike(opposite, _ROUGHLY * count)
        sizes = np.abs(turned)
        steps = np.round(sizes * ((2**_PLANES - 1) / max(float(sizes.max()), 1e-9)))
        planes = [self._packed(steps.astype(np.uint8) >> plane & 1) for plane in range(_PLANES)]
        likeness = 2 * _agreement(same, planes)
        best = _largest(likeness, _CLOSELY * count)
        places, likeness = places[best], likeness[best]
        likeness += _agreement((self._finer[places] ^ opposite).T, planes)
        return places[_largest(likeness, count)]

    def _alike(
        self, opposite: "NDArray[np.uint64]", count: int
    ) -> "tuple[NDArray[np.intp], NDArray[np.uint64]]":
        """The places of about so many vectors with the most signs in common with a question, at
        least of one, and which signs these are.
        """
        # There are few sizes: counting them in a sample is faster than sorting.
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

    def _packed(self, bits: "NDArray[np.bool_] | NDArray[np.uint8]") -> "NDArray[np.uint64]":
        """The bits of the last axis, in whole words."""
        if not self._pads:
            return np.packbits(bits, axis=-1).view(np.uint64)
        pads = [(0, 0)] * (bits.ndim - 1) + [(0, self._pads)]
        return np.packbits(np.pad(bits, pads), axis=-1).view(np.uint64)


@lru_cache(maxsize=1)
def _turn(dimensions: int) -> "NDArray[np.float32]":
    """Any turn that mixes all numbers does; it must only be the same for all."""
    random = np.random.default_rng(0).standard_normal((dimensions, dimensions))
    turn: NDArray[np.float32] = np.linalg.qr(random)[0].astype(np.float32)
    return turn


def _in_common(words: "NDArray[np.uint64]", opposite: "NDArray[np.uint64]") -> "NDArray[np.uint16]":
    """How many signs each vector has in common with the question."""
    same = np.zeros(words.shape[1], np.uint16)
    for signs, other in zip(words, opposite, strict=True):
        same += np.bitwise_count(signs ^ other)
    return same


def _agreement(
    same: "NDArray[np.uint64]", planes: "list[NDArray[np.uint64]]"
) -> "NDArray[np.uint16]":
    """How much of what the question asks for has the same sign, in whole steps.

    Two bytes have room for 3,120 dimensions, and are sorted in one pass.
    """
    agreement = np.zeros(same.shape[1], np.uint16)
    for word, signs in enumerate(same):
        for plane, bits in enumerate(planes):
            agreement += np.bitwise_count(signs & bits[word]).astype(np.uint16) << plane
    return agreement


def _largest(numbers: "NDArray[np.uint16]", count: int) -> "NDArray[np.intp]":
    """The places of so many of the largest numbers, the largest first."""
    return np.argsort(numbers, kind="stable")[::-1][:count]
