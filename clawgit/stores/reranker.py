"""Says how well a text answers a question, by a cross-encoder: it reads both together.

Optional, from an ONNX file; one is built in.
"""

from collections.abc import Callable, Sequence
from os.path import isfile
from pathlib import Path
from typing import NamedTuple

from clawgit.doors import numpy as np
from clawgit.errors import ClawgitError
from clawgit.stores.embed.wordpiece import WordPieces
from clawgit.stores.onnx import opened, run_failures, side_by_side
from clawgit.stores.unigram import (
    END,
    SHIPPED,
    START,
    UNKNOWN,
    are_known,
    read_pieces,
)

_BUILT_IN = SHIPPED / "reader.onnx"
"""It reads many languages, so its pieces are not those of a BERT vocabulary."""

SEPARATOR = " › "
"""It stands between the headings above a line, and between them and the line."""

_HINT = "Name the ONNX file of a cross-encoder."
_FRAME = ("[CLS]", "[SEP]", "[UNK]")
_MOST_TOKENS = 128
MOST_QUESTION_TOKENS = 48
_MOST_HEADING_TOKENS = 30
_STEP = 8
"""The part of a long line that is read begins at a multiple of so many tokens, or ends with the
line.
"""

_WORDS = "vocab.txt"
_MOST_CHARACTERS = 2000
"""More characters than `_MOST_TOKENS` tokens can have; tokenizing a long text is slow."""

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})

_CERTAIN = 60.0
"""Above this, a float cannot show more certainty."""


class RerankerError(ClawgitError):
    """The file that `reranker` names cannot be used; a search goes on without it."""

    kind = "reranker"


class _Pieces(NamedTuple):
    """What splits a text, and the pieces that begin a text, end it, and stand for letters that have
    no piece.
    """

    split: Callable[[str], list[int]]
    start: int
    end: int
    unknown: int


class Reranker:
    """A cross-encoder with one logit or two: the built-in one, or a BERT whose vocab.txt lies
    beside it.
    """

    def __init__(self, file: Path = _BUILT_IN) -> None:
        if file == _BUILT_IN:
            split, last = read_pieces(file.parent).ids, None
            self._pieces = _Pieces(split, START, END, UNKNOWN)
        else:
            self._pieces, last = _bert_pieces(file)
        self._session = opened(file, RerankerError, who="A reranker", hint=_HINT)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        if not self._inputs <= _INPUTS:
            raise RerankerError(f"{file} reads something else than BERT does.", hint=_HINT)
        if last is not None:
            try:
                self._chance([self._pieces.start, self._pieces.end], [last])
            except run_failures() as error:
                raise RerankerError(
                    f"{file} cannot read all words of {file.with_name(_WORDS)}.",
                    hint="Use the model's own.",
                ) from error

    def knows(self, question: str) -> bool:
        """Whether a question is in letters that there are pieces for."""
        pieces = self._pieces.split(question[:_MOST_CHARACTERS])
        return are_known(question, pieces, self._pieces.unknown)

    def relevance(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, 0 to 1; of a long one, the part is read that has
        most of the question.
        """
        split, start, end, *_ = self._pieces
        asked = split(question[:_MOST_CHARACTERS])[:MOST_QUESTION_TOKENS]
        query = [start, *asked, end]
        room, words = _MOST_TOKENS - len(query) - 1, frozenset(asked)

        # Each alone: its numbers of 8 bits are rounded by what is read at once, so a chance would
        # depend on other texts. With nothing to fill up, that takes half of the time, too.
        def chance(text: str) -> float:
            return self._chance(query, [*part_read(split, text, words, room), end])

        return side_by_side(chance, texts)

    def _chance(self, query: list[int], passage: list[int]) -> float:
        ids = np.array([query + passage], np.int64)
        kinds = np.ones_like(ids)
        kinds[:, : len(query)] = 0
        offered = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        [logits, *_] = self._session.run(None, {name: offered[name] for name in self._inputs})
        row = np.asarray(logits, np.float64).reshape(-1)
        # Two logits are no and yes: what counts is by how much yes is greater.
        certain = row[-1] - (row[0] if len(row) > 1 else 0.0)
        return float(1 / (1 + np.exp(-np.clip(certain, -_CERTAIN, _CERTAIN))))


def part_read(
    split: Callable[[str], list[int]], text: str, asked: frozenset[int], room: int
) -> list[int]:
    """The pieces of the headings above a line, and of the line as much as there is room for."""
    above, separator, line = text.rpartition(SEPARATOR)
    headings = split(above[-_MOST_CHARACTERS:] + separator)[-_MOST_HEADING_TOKENS:]
    said, most = split(line[:_MOST_CHARACTERS]), room - len(headings)
    if len(said) <= most:
        return headings + said
    starts = range(0, len(said) - most + _STEP, _STEP)
    best = max(starts, key=lambda first: len(asked.intersection(said[first : first + most])))
    first = min(best, len(said) - most)
    return headings + said[first : first + most]


def lacking(file: Path) -> Path | None:
    """The file of a reranker, or the vocabulary beside it, if it is not there."""
    for needed in (file, file.parent / _WORDS):
        if not isfile(needed):  # noqa: PTH113 - for a name that is too long, Path raises
            return needed
    return None


def _bert_pieces(file: Path) -> tuple[_Pieces, int]:
    """Those of the vocabulary beside a model, and the last of them."""
    if needed := lacking(file):
        raise RerankerError(
            f"The reranker is not there: {needed}.",
            hint="`clawgit config set reranker built-in` uses the one that comes with "
            'clawgit, `clawgit config set reranker ""` none.',
        )
    beside = file.parent / _WORDS
    vocabulary = beside.read_text("utf-8", "replace").split("\n")
    at = {word: number for number, word in enumerate(vocabulary)}
    if not at.keys() >= set(_FRAME):
        raise RerankerError(
            f"{beside} is not a vocabulary as BERT has it.", hint="Use the model's own."
        )
    start, end, unknown = (at[sign] for sign in _FRAME)
    last = max(number for word, number in at.items() if word)
    return _Pieces(WordPieces(vocabulary, (unknown,)).ids, start, end, unknown), last
