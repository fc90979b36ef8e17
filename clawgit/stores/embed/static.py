"""The embedder that is always available: the mean of word vectors from a file in the package."""

from collections.abc import Sequence
from pathlib import Path

from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import STATIC_MODEL, EmbedderError, Rows
from clawgit.stores.embed.other_words import OtherWords
from clawgit.stores.embed.rows import normalised
from clawgit.stores.embed.wordpiece import WordPieces

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
            self._others = OtherWords(folder, self._pieces.vocabulary)
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
