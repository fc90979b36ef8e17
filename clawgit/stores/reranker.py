"""Says how well a text answers a question, by a cross-encoder: it reads both together."""

from collections.abc import Callable, Sequence

from clawgit.doors import numpy as np
from clawgit.stores.models import END, MOST_CHARACTERS, READER, START, opened, pieces, side_by_side

SEPARATOR = " › "
"""It stands between the headings above a line, and between them and the line."""

_MOST_TOKENS = 128
MOST_QUESTION_TOKENS = 48
_MOST_HEADING_TOKENS = 30
_STEP = 8
"""The part of a long line that is read begins at a multiple of so many tokens, or ends with the
line.
"""


class Reranker:
    """The reader of `clawgit_models`. Raises `ModelError` if it cannot be used."""

    def __init__(self) -> None:
        self._pieces, self._session = pieces(), opened(READER)

    def knows(self, question: str) -> bool:
        """Whether a question is in letters that there are pieces for."""
        return self._pieces.know(question)

    def relevance(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, 0 to 1; of a long one, the part is read that has
        most of the question.
        """
        split = self._pieces.ids
        asked = split(question)[:MOST_QUESTION_TOKENS]
        query = [START, *asked, END]
        room, words = _MOST_TOKENS - len(query) - 1, frozenset(asked)

        def chance(text: str) -> float:
            return self._chance(query, [*part_read(split, text, words, room), END])

        return side_by_side(chance, texts)

    def _chance(self, query: list[int], passage: list[int]) -> float:
        ids = np.array([query + passage], np.int64)
        kinds = np.ones_like(ids)
        kinds[:, : len(query)] = 0
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        [logits, *_] = self._session.run(None, given)
        return float(1 / (1 + np.exp(-np.asarray(logits, np.float64).reshape(-1)[-1])))


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
