"""The embedder that comes with clawgit: it reads a text as a whole, in any of eight languages."""

from collections.abc import Sequence

from clawgit.domain.search.passage import parts
from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import E5, E5_MODEL, Rows, normalised
from clawgit.stores.models import EMBEDDER, END, START, opened, pieces, side_by_side

_MOST_TOKENS = 128

_TEXT, _QUESTION = 0, 1
"""How the model is told which of the two it reads."""


class E5Embedder:
    """Some 5 ms a line. It knows synonyms and word order. `models/make_embedder.py` made it."""

    provider = E5
    model = E5_MODEL

    def __init__(self) -> None:
        self._pieces, self._session = pieces(), opened(EMBEDDER)
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        kind = _QUESTION if query else _TEXT

        def mean(text: str) -> Rows:
            return self._mean(as_learned(*parts(text)), kind)

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, found in enumerate(side_by_side(mean, texts)):
            rows[row] = found
        return normalised(rows)

    def knows(self, question: str) -> bool:
        """Whether a question is in letters that there are pieces for."""
        return self._pieces.know(question)

    def _mean(self, text: str, kind: int) -> Rows:
        """The mean of what the model makes of each token."""
        tokens = [START, *self._pieces.ids(text)[: _MOST_TOKENS - 2], END]
        ids = np.array([tokens], np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.full_like(ids, kind),
        }
        [hidden, *_] = self._session.run(None, given)
        row: Rows = np.asarray(hidden)[0].mean(axis=0)
        return row


def as_learned(text: str, above: Sequence[str]) -> str:
    """A line with what stands above it, which comes last so that it is cut off, and not the line,
    if all is too long.
    """
    return " ".join((text, *(f"({heading})" for heading in above)))
