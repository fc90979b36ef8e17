"""The signs of vectors, 32 bytes for a kilobyte, with which the nearest are found before they are
compared fully.
"""

from typing import TYPE_CHECKING

from clawgit.doors import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_PLANES = 3
"""Bits of each number of the question."""

_ROUGHLY = 8
"""So many times as many vectors as are wanted are compared by more than the number of equal signs.
In 146,000 texts, 98 % of what is wanted is among these, and the first ten of each of 300 questions.
"""

_SAMPLE = 16
"""One in so many is counted to find these: about so many are enough."""

_AT_ONCE = 16_384
"""How many vectors are processed at once, so that intermediate results fit into the processor's
cache."""

_WORD = 64


class Sketch:
    """The signs of unit vectors, in the order in which they come.

    Each number of a vector is replaced by the mean size at its place, with its own sign.
    """

    def __init__(self, vectors: "Iterable[NDArray[np.float32]]", dimensions: int) -> None:
        self._pads = -dimensions % _WORD
        signs: list[NDArray[np.uint64]] = []
        sizes = np.zeros(dimensions)
        for block in vectors:
            bits = np.packbits(np.pad(block > 0, ((0, 0), (0, self._pads))), axis=1)
            signs.append(bits.view(np.uint64).T)
            sizes += np.abs(block).sum(axis=0)
        self._signs = np.concatenate(signs, axis=1)
        self._sizes = sizes / max(self.count, 1)

    @property
    def count(self) -> int:
        return int(self._signs.shape[1])

    def nearest(self, vector: "NDArray[np.float32]", count: int) -> "NDArray[np.intp]":
        """The places of so many vectors that look most like this one, best first."""
        opposite = self._packed(vector <= 0)
        alike = _about(self._same_signs(opposite), _ROUGHLY * count)
        likeness = self._likeness(vector, self._signs[:, alike] ^ opposite[:, np.newaxis])
        return alike[np.argsort(-likeness, kind="stable")[:count]]

    def _same_signs(self, opposite: "NDArray[np.uint64]") -> "NDArray[np.uint16]":
        """How many signs each vector has in common with the question."""
        same = np.zeros(self.count, np.uint16)
        for start in range(0, self.count, _AT_ONCE):
            part = same[start : start + _AT_ONCE]
            for word, signs in enumerate(self._signs[:, start : start + _AT_ONCE]):
                part += np.bitwise_count(signs ^ opposite[word])
        return same

    def _likeness(
        self, vector: "NDArray[np.float32]", same: "NDArray[np.uint64]"
    ) -> "NDArray[np.int16]":
        """How much of what the question asks for has the same sign, in whole steps."""
        asked = np.abs(vector) * self._sizes
        steps = np.round(asked * ((2**_PLANES - 1) / max(float(asked.max()), 1e-9)))
        planes = [self._packed(steps.astype(np.uint8) >> plane & 1) for plane in range(_PLANES)]
        likeness = np.zeros(same.shape[1], np.int16)
        for word, signs in enumerate(same):
            for plane, bits in enumerate(planes):
                likeness += np.bitwise_count(signs & bits[word]).astype(np.int16) << plane
        return likeness

    def _packed(self, bits: "NDArray[np.bool_] | NDArray[np.uint8]") -> "NDArray[np.uint64]":
        return np.packbits(np.pad(bits, (0, self._pads))).view(np.uint64)


def _about(same: "NDArray[np.uint16]", count: int) -> "NDArray[np.intp]":
    """The places of about so many of the largest numbers, with ties; at least of one."""
    # There are few sizes: counting them is faster than sorting.
    above = np.cumsum(np.bincount(same[::_SAMPLE])[::-1])
    least = len(above) - 1 - int(np.searchsorted(above, count // _SAMPLE))
    places: NDArray[np.intp] = np.flatnonzero(same >= max(least, 0))
    return places
