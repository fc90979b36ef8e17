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
        """The places of so many vectors that look most like this one, with ties."""
        likeness = self._likeness(vector)
        # There are few steps: counting them is faster than sorting.
        above = np.cumsum(np.bincount(likeness)[::-1])
        least = len(above) - 1 - int(np.searchsorted(above, count))
        places: NDArray[np.intp] = np.flatnonzero(likeness >= max(least, 0))
        return places

    def _likeness(self, vector: "NDArray[np.float32]") -> "NDArray[np.uint16]":
        """How much of what the question asks for has the same sign, in whole steps."""
        asked = np.abs(vector) * self._sizes
        steps = np.round(asked * ((2**_PLANES - 1) / max(float(asked.max()), 1e-9)))
        planes = [self._packed(steps.astype(np.uint8) >> plane & 1) for plane in range(_PLANES)]
        opposite = self._packed(vector <= 0)
        likeness = np.zeros(self.count, np.uint16)
        for start in range(0, self.count, _AT_ONCE):
            part = likeness[start : start + _AT_ONCE]
            for word, signs in enumerate(self._signs[:, start : start + _AT_ONCE]):
                same = signs ^ opposite[word]
                for plane, bits in enumerate(planes):
                    part += np.bitwise_count(same & bits[word]).astype(np.uint16) << plane
        return likeness

    def _packed(self, bits: "NDArray[np.bool_] | NDArray[np.uint8]") -> "NDArray[np.uint64]":
        return np.packbits(np.pad(bits, (0, self._pads))).view(np.uint64)
