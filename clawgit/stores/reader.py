"""Says how well a text answers a question: the model reads both together."""

from collections.abc import Callable, Sequence

from clawgit.doors import numpy as np
from clawgit.stores.models import END, MOST_CHARACTERS, READER, START, Model, pieces, side_by_side

SEPARATOR = " › "
"""It stands between the headings above a line, and between them and the line."""

_MOST_TOKENS = 128
MOST_QUESTION_TOKENS = 48
_MOST_HEADING_TOKENS = 30
_STEP = 8
"""The part of a long line that is read begins at a multiple of so many tokens, or ends with the
line.
"""


class Reader:
    """The reader of `clawgit_models`. Raises `ModelError` if it cannot be used."""

    def __init__(self) -> None:
        self._pieces, self._model = pieces(), Model(READER)

    def knows(self, question: str) -> bool:
        """Whether a question is in letters that there are pieces for."""
        return self._pieces.know(question)

    def chances(self, question: str, texts: Sequence[str]) -> list[float]:
        """The chance of each text to answer the question; of a long one, the part is read that has
        most of the question.
        """
        split = self._pieces.ids
        asked = split(question)[:MOST_QUESTION_TOKENS]
        query, words = [START, *asked, END], frozenset(asked)
        room = _MOST_TOKENS - len(query) - 1

        def chance(text: str) -> float:
            passage = [*part_read(split, text, words, room), END]
            kinds = [0] * len(query) + [1] * len(passage)
            [*_, logit] = self._model.read(query + passage, kinds).reshape(-1).tolist()
            return float(1 / (1 + np.exp(-logit)))

        return side_by_side(chance, texts)


def part_read(
    split: Callable[[str], list[int]], text: str, asked: frozenset[int], room: int
) -> list[int]:
    """The pieces of the headings above a line, and of the line as much as there is room for."""
    above, separator, line = text.rpartition(SEPARATOR)
    headings = split(above[-MOST_CHARACTERS:] + separator)[-_MOST_HEADING_TOKENS:]
    said, most = split(line), room - len(headings)
    if len(said) <= most:
        return headings + said
    starts = range(0, len(said) - most + _STEP, _STEP)
    best = max(starts, key=lambda first: len(asked.intersection(said[first : first + most])))
    first = min(best, len(said) - most)
    return headings + said[first : first + most]
