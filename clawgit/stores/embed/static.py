"""The embedder that is always there: a table of word vectors, mapped from a file, and their
mean.
"""

from collections.abc import Sequence
from pathlib import Path

from clawgit.stores.embed.contract import EmbedderError, Rows, normalised
from clawgit.stores.embed.wordpiece import WordPieces

MODEL = Path(__file__).parent / "model"
VECTORS = "vectors.npy"
VOCABULARY = "vocabulary.txt"
_LONGEST_TEXT = 20_000


class StaticEmbedder:
    """Needs numpy alone, no network, and 20 µs a line. `bench/make_static_model.py` makes its two
    files.
    """

    provider = "static"
    model = "minilm-256-v1"

    def __init__(self, folder: Path = MODEL) -> None:
        import numpy as np  # noqa: PLC0415 - 60 ms, for those alone who embed

        try:
            self._table = np.load(folder / VECTORS, mmap_mode="r").view(np.ndarray)
            vocabulary = (folder / VOCABULARY).read_text("utf-8").split("\n")
        except (OSError, ValueError) as error:
            raise EmbedderError(
                f"The model that ships with clawgit cannot be read: {error}.",
                hint="Install clawgit again: pip install --force-reinstall clawgit",
            ) from error
        self._pieces = WordPieces(vocabulary)
        self.dimensions = int(self._table.shape[1])

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:  # noqa: ARG002 - one model for both
        import numpy as np  # noqa: PLC0415

        sums = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            pieces = self._pieces.ids(text[:_LONGEST_TEXT])
            sums[row] = self._table[pieces].sum(axis=0, dtype=np.int32) if pieces else 0
        return normalised(sums)
