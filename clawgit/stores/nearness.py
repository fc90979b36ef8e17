"""How near each item of an index is in meaning to a question."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.doors import numpy as np
from clawgit.stores.vectors import VectorFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SAMPLE = 2000
"""From this many items, the mean cosine of all is known with an error below .01."""

FEW = 50
"""With so few items, only half of the mean is subtracted: it is partly their own meaning."""

_LEAST = 1e-6


class Items:
    """The items of an index and their texts, as arrays, from `IndexReader.live`."""

    def __init__(self, live: tuple[Sequence[range], bytes]) -> None:
        runs, texts = live
        ids = [np.arange(run.start, run.stop, dtype=np.int32) for run in runs]
        self.ids: NDArray[np.int32] = np.concatenate(ids) if ids else np.zeros(0, np.int32)
        self.texts: NDArray[np.int32] = np.frombuffer(texts, np.int32)

    @cached_property
    def _by_text(self) -> "tuple[NDArray[np.int32], NDArray[np.int32]]":
        """The places of the items in the order of their texts, and these texts."""
        order = np.argsort(self.texts, kind="stable").astype(np.int32)
        return order, self.texts[order]

    @cached_property
    def distinct(self) -> "NDArray[np.int32]":
        """The texts that are compared, each once."""
        ordered = np.sort(self.texts)
        # `np.unique` does the same, and loads masked arrays for it: 6 ms of every search.
        is_new = ordered >= 0
        is_new[1:] &= ordered[1:] != ordered[:-1]
        return ordered[is_new]

    def of_texts(self, texts: "NDArray[np.int32]") -> Iterator[list[int]]:
        """The items with each of these texts, ascending."""
        order, ordered = self._by_text
        starts = np.searchsorted(ordered, texts).tolist()
        ends = np.searchsorted(ordered, texts, "right").tolist()
        for start, end in zip(starts, ends, strict=True):
            yield self.ids[order[start:end]].tolist()

    def text_of(self, ids: Sequence[int]) -> "NDArray[np.int32]":
        texts_of_items: NDArray[np.int32] = self.texts[
            np.searchsorted(self.ids, np.array(ids, np.int32))
        ]
        return texts_of_items


class Middle:
    """The mean vector of a memory.

    Cosines are measured from there, since what all texts have in common says nothing about one. It
    changes only with the memory.
    """

    def __init__(self, items: Items, file: VectorFile) -> None:
        # Each text once: a line that is repeated often must not dominate the mean.
        texts = items.distinct
        share = len(texts) / (len(texts) + FEW)
        self.vector: NDArray[np.float32] = file.mean_of(_sampled(texts)) * share
        self._square = float(self.vector @ self.vector)
        self._of_all: NDArray[np.float32] | None = None

    def cosines_of_all(
        self, file: VectorFile, items: Items, vector: "NDArray[np.float32]"
    ) -> "NDArray[np.float32]":
        if self._of_all is not None:
            return self._seen_from(vector, file.scores(vector, items.texts), self._of_all)
        scores, self._of_all = self._both(file, items.texts, vector)
        return self._seen_from(vector, scores, self._of_all)

    def cosines(
        self, file: VectorFile, texts: "NDArray[np.int32]", vector: "NDArray[np.float32]"
    ) -> "NDArray[np.float32]":
        return self._seen_from(vector, *self._both(file, texts, vector))

    def _both(
        self, file: VectorFile, texts: "NDArray[np.int32]", vector: "NDArray[np.float32]"
    ) -> "tuple[NDArray[np.float32], NDArray[np.float32]]":
        """The products of texts with a question and with the middle, in one read."""
        both = file.scores(np.stack((vector, self.vector), axis=1), texts)
        return both[:, 0], both[:, 1]

    def _seen_from(
        self,
        vector: "NDArray[np.float32]",
        scores: "NDArray[np.float32]",
        own: "NDArray[np.float32]",
    ) -> "NDArray[np.float32]":
        asked = float(vector @ self.vector)
        length = np.sqrt(np.maximum(1 - 2 * own + self._square, _LEAST))
        of_question = max(1 - 2 * asked + self._square, _LEAST) ** 0.5
        cosines: NDArray[np.float32] = (scores - asked - own + self._square) / (
            length * of_question
        )
        # A text without a vector is similar to nothing.
        cosines[(scores == 0) & (own == 0)] = 0
        return cosines


def _sampled(texts: "NDArray[np.int32]") -> "NDArray[np.int32]":
    """Every n-th text, not a random choice: the same question has the same mean every time."""
    return texts[:: max(1, len(texts) // _SAMPLE)]


class Scan:
    """The cosines between one question and every item, computed at once."""

    def __init__(
        self, items: Items, file: VectorFile, middle: Middle, vector: "NDArray[np.float32]"
    ) -> None:
        self._items = items
        self._cosines = middle.cosines_of_all(file, items, vector)

    @property
    def mean(self) -> float:
        return float(self._cosines.mean()) if len(self._cosines) else 0.0

    def nearest(self, count: int) -> list[int]:
        """The items most like the question, best first."""
        count = min(count, len(self._cosines))
        if not count:
            return []
        best = np.argpartition(self._cosines, -count)[-count:]
        ordered: list[int] = self._items.ids[
            best[np.argsort(-self._cosines[best], kind="stable")]
        ].tolist()
        return ordered

    def cosines(self, ids: Sequence[int]) -> dict[int, float]:
        at = np.searchsorted(self._items.ids, np.array(ids, np.int32))
        return dict(zip(ids, self._cosines[at].tolist(), strict=True))


class Sampled:
    """The same for texts that Chroma found nearest.

    Only these items, and a sample for the mean, are compared.
    """

    def __init__(
        self,
        items: Items,
        file: VectorFile,
        middle: Middle,
        vector: "NDArray[np.float32]",
        nearest: Sequence[tuple[int, float]],
    ) -> None:
        """`nearest` are text ids with their cosines, best first."""
        self._items, self._file, self._middle, self._vector = items, file, middle, vector
        self._nearest = nearest
        sample = middle.cosines(file, _sampled(items.texts), vector)
        self.mean = float(sample.mean()) if len(sample) else 0.0

    def nearest(self, count: int) -> list[int]:
        texts = np.array([text for text, _ in self._nearest], np.int32)
        return [item for items in self._items.of_texts(texts) for item in items][:count]

    def cosines(self, ids: Sequence[int]) -> dict[int, float]:
        cosines = self._middle.cosines(self._file, self._items.text_of(ids), self._vector)
        return dict(zip(ids, cosines.tolist(), strict=True))
