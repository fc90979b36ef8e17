"""The embedder that is always available: the mean of word vectors from a file in the package."""

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import STATIC_MODEL, EmbedderError, Rows
from clawgit.stores.embed.other_words import OtherWords, Vocabulary
from clawgit.stores.embed.rows import normalised
from clawgit.stores.embed.wordpiece import WordPieces

if TYPE_CHECKING:
    from clawgit.domain.search.wording import AlikeWords

MODEL = Path(__file__).parent / "model"
VECTORS = "vectors.npy"
VOCABULARY = "vocabulary.txt"
_LONGEST_TEXT = 20_000
"""Characters; more words do not make the mean better."""


class StaticEmbedder:
    """Needs only numpy, and 25 µs per line.

    `bench/make_static_model.py` makes the two files of its English, `bench/make_other_words.py`
    those of the other languages.
    """

    provider = "static"
    model = STATIC_MODEL

    def __init__(self, folder: Path = MODEL) -> None:
        try:
            self._table = np.load(folder / VECTORS, mmap_mode="r").view(np.ndarray)
            vocabulary = (folder / VOCABULARY).read_text("utf-8").split("\n")
            self._pieces = WordPieces(vocabulary)
            self._others = OtherWords(folder, self._pieces.vocabulary, self._table)
        except (OSError, ValueError) as error:
            raise EmbedderError(
                f"The model that ships with clawgit cannot be read: {error}.",
                hint="Install clawgit again: pip install --force-reinstall clawgit",
            ) from error
        self.dimensions = int(self._table.shape[1])

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:  # noqa: ARG002 - one model for both
        sums = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            others, rest = self._others.taken(text[:_LONGEST_TEXT])
            pieces = self._pieces.ids(rest)
            sums[row] = self._table[pieces].sum(axis=0, dtype=np.int32) if pieces else 0
            if others:
                sums[row] += self._others.sums(others)
        return normalised(sums)

    def comparer(self, question: str) -> "AlikeWords":
        """Compares single words in the language of a question."""
        return partial(self._nearest, self._others.vocabulary(question))

    def _nearest(
        self, known: Vocabulary, asked: Sequence[str], texts: Sequence[str]
    ) -> list[list[float]]:
        """For each text, the cosine of its nearest word to each of those asked."""
        said = [known.telling(text) for text in texts]
        distinct = [*dict.fromkeys(word for words in said for word in words)]
        place = {word: at for at, word in enumerate(distinct)}
        whole = [known.whole.get(word, word) for word in asked]
        cosines = self._words(distinct, known) @ self._words(whole, known).T
        groups = [[place[word] for word in words] for words in said]
        nearest: list[list[float]] = _largest(cosines, groups).tolist()
        return nearest

    def _words(self, words: Sequence[str], known: Vocabulary) -> Rows:
        """The vectors of words of the other language, and of those that are one English piece: the
        mean of pieces says little of a word.
        """
        rows = np.zeros((len(words), self.dimensions), np.float32)
        whole: list[tuple[int, int]] = []
        for at, word in enumerate(words):
            if others := known.rows(word):
                rows[at] = self._others.word(others)
            elif word.isalpha() and (piece := self._piece(word)) is not None:
                whole.append((at, piece))
        if whole:
            places, pieces = map(list, zip(*whole, strict=True))
            rows[places] = self._table[pieces]
        return normalised(rows)

    def _piece(self, word: str) -> int | None:
        """The piece that a word is as a whole; None for a single letter, and for other words."""
        if len(word) == 1:
            return None
        if word.isascii():
            return self._pieces.vocabulary.get(word.lower())
        pieces = self._pieces.ids(word)
        return pieces[0] if len(pieces) == 1 else None


def _largest(rows: Rows, groups: Sequence[Sequence[int]]) -> Rows:
    """The largest number of each column in each group of rows; zeros for a group of none."""
    largest = np.zeros((len(groups), rows.shape[1]), rows.dtype)
    # All groups at once: a call of numpy for each takes longer than the comparison.
    held = [at for at, group in enumerate(groups) if group]
    if held:
        starts = [0, *accumulate(len(groups[at]) for at in held[:-1])]
        largest[held] = np.maximum.reduceat(rows[[*chain(*groups)]], starts, axis=0)
    return largest
