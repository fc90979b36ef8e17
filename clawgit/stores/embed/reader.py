"""Says how well lines answer a question: a small transformer reads both together, in numpy.

It begins with the word vectors of the static embedder, so it adds less than a megabyte and no
library. It knows English. `bench/make_quick_reader.py` makes it.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import Rows
from clawgit.stores.embed.static import MODEL, word_vectors
from clawgit.stores.embed.wordpiece import WordPieces
from clawgit.values import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float32]"
Ints: TypeAlias = "NDArray[np.int64]"
Truths: TypeAlias = "NDArray[np.bool_]"

WEIGHTS = "reader.npz"
HEADS = 4

QUESTION, ABOVE, LINE = 24, 20, 48
"""The most pieces of a question; of the headings above a line; of the line and its headings."""

CHARACTERS = 2000
"""Of a line: more would take long to cut into pieces."""

NOTHING, START, ASKED, HEADING, SAID = range(5)
"""What stands at a place: nothing, the sign at the beginning, a piece of the question, of the
headings, of the line.
"""

SEPARATOR = " › "
"""It stands between the headings above a line, and between them and the line."""

_BATCH = 8
_STEP = 8
"""The part of a long line that is read begins at a multiple of so many pieces."""

_NEVER = -1e9
_TINY = 1e-5
_CERTAIN = 60.0
"""Above this, a float cannot show more certainty."""


class Frame(NamedTuple):
    """A question and each of some lines, `[line, place]`: the numbers of their pieces, what they
    are, and how many of the same kind stand before.
    """

    pieces: Ints
    kinds: Ints
    places: Ints


class Reader:
    """A reranker for questions in English."""

    def __init__(self, folder: Path = MODEL) -> None:
        self._table, self._pieces = word_vectors(folder)
        with np.load(folder / WEIGHTS) as weights:
            self._weights = {name: weights[name].astype(np.float32) for name in weights.files}
        self._layers = sum(name.endswith("mix.weight") for name in self._weights)

    def relevance(self, question: str, texts: Sequence[str]) -> list[float]:
        """The chance that each text answers the question; of a long one, its likeliest part."""
        asked = self._pieces.ids(question[:CHARACTERS])[:QUESTION]
        lines = [pieces_of(text, asked, self._table, self._pieces) for text in texts]
        # Those of about one length together: the shorter ones of a batch are filled up.
        order = sorted(range(len(lines)), key=lambda at: sum(map(len, lines[at])))
        logits = np.zeros(len(lines), np.float32)
        for first in range(0, len(order), _BATCH):
            some = order[first : first + _BATCH]
            logits[some] = self._read(framed(asked, [lines[at] for at in some]))
        chances = 1 / (1 + np.exp(-np.clip(logits, -_CERTAIN, _CERTAIN)))
        return [float(chance) for chance in chances]

    def _read(self, frame: Frame) -> Floats:
        """The logit of each line."""
        rows = self._table[frame.pieces].astype(np.float32)
        length = np.maximum(np.linalg.norm(rows, axis=-1), _TINY)
        is_piece = frame.kinds > START
        vectors = rows / length[..., None] * is_piece[..., None]
        weights = self._weights
        said = np.stack(
            [*_shared(frame, vectors), self._rarity(length) * is_piece], axis=-1, dtype=np.float32
        )
        told = np.concatenate([said, said[..., :1] * said[..., 2:]], axis=-1)
        seen = self._linear(vectors, "vector") + self._linear(told, "told")
        seen += weights["kind.weight"][frame.kinds] + weights["place.weight"][frame.places]
        mask = np.where(frame.kinds == NOTHING, np.float32(_NEVER), np.float32(0))
        for layer in range(self._layers):
            seen = seen + self._attended(seen, mask[:, None, None, :], f"{layer}.")
            inner = self._linear(self._even(seen, f"{layer}.inner"), f"{layer}.wide")
            seen = seen + self._linear(np.maximum(inner, 0), f"{layer}.narrow")
        seen = self._even(seen, "last")
        parts = (seen[:, 0], _mean(seen, frame.kinds == ASKED), _mean(seen, frame.kinds > ASKED))
        top = np.tanh(self._linear(np.concatenate(parts, axis=-1), "top"))
        logits: Floats = self._linear(top, "score")[:, 0]
        return logits

    def _rarity(self, length: Floats) -> Floats:
        """How rare pieces are: the shorter its vector, the more common a piece is."""
        mean, spread = self._weights["rarity"]
        rarity: Floats = (np.log(length) - mean) / spread
        return rarity

    def _attended(self, seen: Floats, mask: Floats, layer: str) -> Floats:
        """What each place takes over from the others."""
        lines, places, wide = seen.shape
        mixed = self._linear(self._even(seen, f"{layer}outer"), f"{layer}mix")
        shape = (lines, places, 3, HEADS, wide // HEADS)
        wants, offers, gives = mixed.reshape(shape).transpose(2, 0, 3, 1, 4)
        scores = wants @ offers.transpose(0, 1, 3, 2) * np.float32((wide // HEADS) ** -0.5) + mask
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        taken = (scores @ gives).transpose(0, 2, 1, 3).reshape(lines, places, wide)
        return self._linear(taken, f"{layer}taken")

    def _linear(self, seen: Floats, name: str) -> Floats:
        weight = self._weights[f"{name}.weight"]
        # One product of matrices instead of one for each line.
        flat = seen.reshape(-1, seen.shape[-1]) @ weight.T + self._weights[f"{name}.bias"]
        shaped: Floats = flat.reshape(*seen.shape[:-1], len(weight))
        return shaped

    def _even(self, seen: Floats, name: str) -> Floats:
        """Each place with a mean of 0 and a spread of 1, before it is weighed."""
        apart = seen - seen.mean(axis=-1, keepdims=True)
        spread = np.sqrt((apart * apart).mean(axis=-1, keepdims=True) + np.float32(_TINY))
        even: Floats = apart / spread * self._weights[f"{name}.weight"]
        even += self._weights[f"{name}.bias"]
        return even


@lru_cache(maxsize=1)
def shipped_reader() -> Reader:
    return Reader()


def pieces_of(
    text: str, asked: Sequence[int], table: Rows, pieces: WordPieces
) -> tuple[list[int], list[int]]:
    """The pieces of the headings above a line, and those of the line, or of its likeliest part."""
    above, _, line = text.rpartition(SEPARATOR)
    headings = pieces.ids(above[-CHARACTERS:].replace(SEPARATOR, " "))[-ABOVE:]
    return headings, _likeliest(pieces.ids(line[:CHARACTERS]), asked, LINE - len(headings), table)


def _likeliest(said: list[int], asked: Sequence[int], most: int, table: Rows) -> list[int]:
    """The part of a long line that comes nearest to each piece of a question; rare ones, whose
    vectors are longer, count more.
    """
    if len(said) <= most or not asked:
        return said[:most]
    sought, found = (table[[*ids]].astype(np.float32) for ids in (asked, said))
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    near = np.maximum(sought @ (found / np.maximum(lengths, _TINY)).T, 0) ** 2
    near /= np.maximum(np.linalg.norm(sought, axis=1, keepdims=True), _TINY)
    steps = np.maximum.reduceat(near, np.arange(0, len(said), _STEP), axis=1)
    parts = np.lib.stride_tricks.sliding_window_view(steps, most // _STEP, axis=1)
    best = int(parts.max(axis=2).sum(axis=0).argmax())
    first = min(best * _STEP, len(said) - most)
    return said[first : first + most]


def framed(asked: Sequence[int], lines: Sequence[tuple[list[int], list[int]]]) -> Frame:
    """The question with each line, filled up to the longest."""
    width = 1 + len(asked) + max(len(headings) + len(line) for headings, line in lines)
    frame = Frame(*(np.zeros((len(lines), width), np.int64) for _ in range(3)))
    for row, (headings, line) in enumerate(lines):
        parts = ((START, [0]), (ASKED, asked), (HEADING, headings), (SAID, line))
        at = 0
        for kind, pieces in parts:
            end = at + len(pieces)
            frame.pieces[row, at:end] = pieces
            frame.kinds[row, at:end] = kind
            frame.places[row, at:end] = range(len(pieces))
            at = end
    return frame


def _shared(frame: Frame, vectors: Floats) -> tuple[Floats, Floats]:
    """Of each piece of the question or of the line, whether the other has it, and how near the
    nearest of the other is.
    """
    asked, said = frame.kinds == ASKED, frame.kinds > ASKED
    first = int(asked[0].sum()) + 1
    same, near = np.zeros(frame.kinds.shape, np.float32), np.zeros(frame.kinds.shape, np.float32)
    if first == 1 or first == frame.kinds.shape[1]:
        return same, near
    is_said = said[:, None, first:]
    cosines = vectors[:, 1:first] @ vectors[:, first:].transpose(0, 2, 1)
    equal = (frame.pieces[:, 1:first, None] == frame.pieces[:, None, first:]) & is_said
    for found, pairs in ((same, equal), (near, np.where(is_said, np.maximum(cosines, 0), 0))):
        found[:, 1:first], found[:, first:] = pairs.max(axis=2), pairs.max(axis=1)
    return same, near


def _mean(seen: Floats, chosen: Truths) -> Floats:
    count = np.maximum(chosen.sum(axis=1, keepdims=True), 1).astype(np.float32)
    mean: Floats = (seen * chosen[..., None]).sum(axis=1) / count
    return mean
