"""How near each item of an index is in meaning to a question."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clawgit.doors import numpy as np
from clawgit.stores.vectors import VectorFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SAMPLE = 2000
"""So many items give the mean cosine of all with an error below .01."""


class Items:
    """The items of an index and the texts that they hold, as arrays, from `IndexReader.live`."""

    def __init__(self, live: tuple[bytes, bytes]) -> None:
        self.ids, self.texts = (np.frombuffer(packed, np.int32) for packed in live)

    def of_texts(self, texts: Iterable[int]) -> dict[int, list[int]]:
        """The items that hold each of these texts."""
        asked_for = np.fromiter(texts, np.int32)
        items: dict[int, list[int]] = {}
        for at in np.flatnonzero(np.isin(self.texts, asked_for)).tolist():
            items.setdefault(int(self.texts[at]), []).append(int(self.ids[at]))
        return items

    def text_of(self, ids: Sequence[int]) -> "NDArray[np.int32]":
        texts_of_items: NDArray[np.int32] = self.texts[
            np.searchsorted(self.ids, np.array(ids, np.int32))
        ]
        return texts_of_items


class Scan:
    """The cosines between one question and every item, computed at once."""

    def __init__(self, items: Items, file: VectorFile, vector: "NDArray[np.float32]") -> None:
        self._items = items
        self._cosines = file.scores(vector, items.texts)

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
        vector: "NDArray[np.float32]",
        nearest: Sequence[tuple[int, float]],
    ) -> None:
        """`nearest` are text ids with their cosines, best first."""
        self._items, self._file, self._vector = items, file, vector
        self._nearest = nearest
        # Every n-th text, not a random choice: the same question has the same mean every time.
        step = max(1, len(items.texts) // _SAMPLE)
        sample = file.scores(vector, items.texts[::step])
        self.mean = float(sample.mean()) if len(sample) else 0.0

    def nearest(self, count: int) -> list[int]:
        holding = self._items.of_texts(text for text, _ in self._nearest)
        return [item for text, _ in self._nearest for item in holding.get(text, ())][:count]

    def cosines(self, ids: Sequence[int]) -> dict[int, float]:
        scores = self._file.scores(self._vector, self._items.text_of(ids))
        return dict(zip(ids, scores.tolist(), strict=True))
