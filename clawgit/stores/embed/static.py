"""The embedder that is always available: the mean of word vectors from a file in the package."""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache, partial
from itertools import accumulate, chain, count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.search.passage import parts
from clawgit.domain.search.tongue import NO_HOME, Home
from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import STATIC_MODEL, Rows, normalised, unreadable
from clawgit.stores.embed.other_words import OtherWords, Place, Vocabulary
from clawgit.stores.embed.wordpiece import WordPieces

if TYPE_CHECKING:
    from clawgit.domain.search.wording import AlikeWords

MODEL = Path(__file__).parent / "model"
VECTORS = "vectors.npy"
VOCABULARY = "vocabulary.txt"
WEIGHTS, TURN = "weights.npy", "turn.npy"
"""What each word piece counts in a text, and the matrix that turns their sum, so that a question
points to its answers."""

_KEPT = 4096
"""Texts whose words are kept, of some 200 bytes each."""

_ABOVE = 0.5
"""How much the words of the headings above a line count beside its own."""

_LONGEST_TEXT = 20_000
"""Characters; more words do not make the mean better."""


class Bag(NamedTuple):
    """A text as a sum of word pieces: which, and how much each counts."""

    pieces: Sequence[int]
    counts: Sequence[float]


class StaticEmbedder:
    """Needs only numpy, and a fraction of a millisecond per line.

    `bench/make_static_model.py` makes the vectors of its English word pieces,
    `bench/make_other_words.py` the words of the other languages, and `bench/train_static.py` how a
    text is read.
    """

    provider = "static"
    model = STATIC_MODEL

    def __init__(self, folder: Path = MODEL) -> None:
        try:
            self._table, self._pieces = word_vectors(folder)
            self._others = OtherWords(folder, self._pieces.vocabulary, self._table)
            self._weights = np.load(folder / WEIGHTS).astype(np.float32)
            self._turn = np.load(folder / TURN).astype(np.float32)
        except (OSError, ValueError) as error:
            raise unreadable(error) from error
        self.dimensions = int(self._table.shape[1])
        self.home: Home = NO_HOME
        # Kept, since a server compares the same texts again.
        self._said = lru_cache(maxsize=_KEPT)(self._places_in)

    def at_home(self, home: Home) -> "StaticEmbedder":
        """An embedder for questions to a memory, which are likelier in a language of it."""
        asked = copy(self)
        asked.home = home
        return asked

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        home = self.home if query else NO_HOME
        sums = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            pieces, counts = self.bag(text, home)
            if pieces:
                sums[row] = (counts * self._weights[pieces]) @ self._table[pieces]
        return normalised(sums @ self._turn)

    def bag(self, passage: str, home: Home = NO_HOME) -> Bag:
        """The pieces of a line, and those of what stands above it."""
        text, above = parts(passage)
        own = self._bag_of(text, home)
        if not above:
            return own
        pieces, counts = self._bag_of(" ".join(above), home)
        return Bag([*own.pieces, *pieces], [*own.counts, *(_ABOVE * one for one in counts)])

    def _bag_of(self, text: str, home: Home) -> Bag:
        """The pieces of a text; a word of another language is the pieces that translate it."""
        others, rest = self._others.taken(text[:_LONGEST_TEXT], home)
        pieces = self._pieces.ids(rest)
        if not others:
            return Bag(pieces, [1.0] * len(pieces))
        translated, counts = self._others.pieces_of(others)
        return Bag([*translated, *pieces], [*counts, *[1.0] * len(pieces)])

    def knows(self, question: str) -> bool:
        """Whether a question is in a language of the model. Of other words it has pieces alone,
        which mean something else.
        """
        return self._others.has(question, self.home)

    def comparer(self, question: str) -> "AlikeWords":
        """Compares single words in the language of a question."""
        return partial(self._nearest, *self._others.vocabulary(question, self.home))

    def _nearest(
        self,
        known: Vocabulary,
        whole: Mapping[str, str],
        asked: Sequence[str],
        texts: Sequence[str],
    ) -> list[list[float]]:
        """For each text, the cosine of its nearest word to each of those asked; 0 without one."""
        said = [self._said(known, text) for text in texts]
        sought = {
            at: place
            for at, word in enumerate(asked)
            if (place := self._place(known, whole.get(word, word))) is not None
        }
        distinct = [*dict.fromkeys(chain(sought.values(), *said))]
        rows, row_of = self._vectors(distinct), dict(zip(distinct, count()))
        groups = [[*map(row_of.__getitem__, places)] for places in said]
        nearest = np.zeros((len(texts), len(asked)), np.float32)
        of_asked = rows[[*map(row_of.__getitem__, sought.values())]]
        nearest[:, [*sought]] = _largest(rows @ of_asked.T, groups)
        cosines: list[list[float]] = nearest.tolist()
        return cosines

    def _places_in(self, known: Vocabulary, text: str) -> tuple[Place, ...]:
        """Where the vectors of the words of a text are."""
        places = (self._place(known, word) for word in known.telling(text))
        return tuple(place for place in places if place is not None)

    def _place(self, known: Vocabulary, word: str) -> Place | None:
        return known.rows(word) or self._piece(word)

    def _vectors(self, places: Sequence[Place]) -> Rows:
        rows = np.empty((len(places), self.dimensions), np.float32)
        pieces = {at: place for at, place in enumerate(places) if isinstance(place, int)}
        rows[[*pieces]] = self._table[[*pieces.values()]]
        for at, place in enumerate(places):
            if not isinstance(place, int):
                rows[at] = self._others.word(place)
        return normalised(rows)

    def _piece(self, word: str) -> int | None:
        """The piece that a word is as a whole; None for a single letter, and for other words."""
        if len(word) == 1 or not word.isalpha():
            return None
        if word.isascii():
            return self._pieces.vocabulary.get(word.lower())
        pieces = self._pieces.ids(word)
        return pieces[0] if len(pieces) == 1 else None


@lru_cache(maxsize=1)
def word_vectors(folder: Path = MODEL) -> tuple[Rows, WordPieces]:
    """The vectors of English word pieces, of eight bits a number, and what splits a text into these
    pieces.
    """
    table: Rows = np.load(folder / VECTORS, mmap_mode="r").view(np.ndarray)
    return table, WordPieces((folder / VOCABULARY).read_text("utf-8").split("\n"))


def _largest(rows: Rows, groups: Sequence[Sequence[int]]) -> Rows:
    """The largest number of each column in each group of rows; zeros for a group of none."""
    largest = np.zeros((len(groups), rows.shape[1]), rows.dtype)
    # All groups at once: a call of numpy for each takes longer than the comparison.
    held = [at for at, group in enumerate(groups) if group]
    if held:
        starts = [0, *accumulate(len(groups[at]) for at in held[:-1])]
        largest[held] = np.maximum.reduceat(rows[[*chain(*groups)]], starts, axis=0)
    return largest
