"""The larger of the two embedders that come with clawgit: it reads a text as a whole, in any of
eight languages.
"""

from collections.abc import Sequence
from pathlib import Path

from clawgit.domain.search.passage import parts
from clawgit.stores.embed.contract import E5_MODEL, REINSTALL, Rows, unreadable
from clawgit.stores.embed.mean_of_tokens import Frame, MeanOfTokens
from clawgit.stores.unigram import END, NOTHING, SHIPPED, START, are_known, read_pieces

_FILE = SHIPPED / "embedder.onnx"
_MOST_TOKENS = 128
_AT_ONCE = 1
"""Its numbers of 8 bits are rounded by what is read at once, so a vector would depend on others."""

_MOST_CHARACTERS = 2000
"""More than so many tokens can have."""

_TEXT, _QUESTION = 0, 1
"""How the model is told which of the two it reads."""


class E5Embedder:
    """Some forty times slower than the static model. It knows synonyms and word order.
    `bench/make_embedder.py` makes it.
    """

    provider = "e5"
    model = E5_MODEL

    def __init__(self, file: Path = _FILE) -> None:
        try:
            self._pieces = read_pieces(file.parent)
        except (OSError, ValueError) as error:
            raise unreadable(error) from error
        frame = Frame(START, END, NOTHING)
        self._model = MeanOfTokens(
            file, frame, _MOST_TOKENS, _AT_ONCE, who=self.provider, hint=REINSTALL
        )
        self.dimensions = self._model.dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        pieces = [self._pieces.ids(as_learned(*parts(text))[:_MOST_CHARACTERS]) for text in texts]
        return self._model.rows(pieces, _QUESTION if query else _TEXT)

    def knows(self, question: str) -> bool:
        """Whether a question is in letters that there are pieces for."""
        return are_known(question, self._pieces.ids(question[:_MOST_CHARACTERS]))


def as_learned(text: str, above: Sequence[str]) -> str:
    """A line with what stands above it, which comes last so that it is cut off, and not the line,
    if all is too long.
    """
    return " ".join((text, *(f"({heading})" for heading in above)))
