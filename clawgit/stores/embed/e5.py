"""The embedder that comes with clawgit: it reads a text as a whole, in any of eight languages."""

from collections.abc import Sequence

from clawgit.domain.search.row import parts
from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import E5, E5_MODEL, Rows, normalised
from clawgit.stores.models import EMBEDDER, END, START, Model, pieces, side_by_side

_MOST_TOKENS = 128

_TEXT, _QUESTION = 0, 1
"""How the model is told which of the two it reads."""


class E5Embedder:
    """Some 5 ms a line. It knows synonyms and word order. `models/make_embedder.py` made it."""

    provider = E5
    model = E5_MODEL

    def __init__(self) -> None:
        self._pieces, self._model = pieces(), Model(EMBEDDER)
        self.dimensions = int(self._model.width)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        kind = _QUESTION if query else _TEXT

        def mean(text: str) -> Rows:
            read = self._pieces.ids(as_learned(*parts(text)))[: _MOST_TOKENS - 2]
            tokens = [START, *read, END]
            row: Rows = self._model.read(tokens, [kind] * len(tokens))[0].mean(axis=0)
            return row

        rows = np.array(side_by_side(mean, texts), np.float32)
        return normalised(rows.reshape(len(texts), self.dimensions))

    def knows(self, question: str) -> bool:
        """Whether a question is in letters that there are pieces for."""
        return self._pieces.know(question)


def as_learned(text: str, above: Sequence[str]) -> str:
    """A line with what stands above it, which comes last so that it is cut off, and not the line,
    if all is too long.
    """
    return " ".join((text, *(f"({heading})" for heading in above)))
