"""Chroma's default model without Chroma: same file, same vectors, no padding to 256 tokens."""

from collections.abc import Sequence
from pathlib import Path

from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import MINILM_MODEL, EmbedderError, Rows, normalised
from clawgit.stores.embed.wordpiece import WordPieces
from clawgit.stores.onnx import opened

CACHE = Path(".cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx")
"""Where Chroma stores it, below the home folder."""

_MOST_TOKENS = 256
_BATCH = 32
_PAD = "[PAD]"
_UNKNOWN = "[UNK]"
_START = "[CLS]"
_END = "[SEP]"


class OnnxMiniLM:
    """all-MiniLM-L6-v2: a hundred times slower than the static model, better at synonyms."""

    provider = "onnx-minilm"
    model = MINILM_MODEL

    def __init__(self, folder: Path) -> None:
        """Downloads nothing: a search should not wait for 80 MB."""
        if not (folder / "model.onnx").is_file():
            raise EmbedderError(
                f"The model of onnx-minilm is not there: {folder / 'model.onnx'}.",
                hint='Let Chroma fetch it: python -c "from chromadb.utils.embedding_functions '
                "import ONNXMiniLM_L6_V2 as M; M()(['hello'])\"",
            )
        hint = "Delete the folder, and let Chroma fetch it again."
        self._session = opened(folder / "model.onnx", EmbedderError, who=self.provider, hint=hint)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])
        vocabulary = (folder / "vocab.txt").read_text("utf-8").split("\n")
        at = {word: number for number, word in enumerate(vocabulary)}
        self._pad, self._start, self._end = at[_PAD], at[_START], at[_END]
        self._pieces = WordPieces(vocabulary, (at[_UNKNOWN],))

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:  # noqa: ARG002 - one model for both
        pieces = [self._pieces.ids(text)[: _MOST_TOKENS - 2] for text in texts]
        tokens = [[self._start, *ids, self._end] for ids in pieces]
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        # Texts of similar length share a batch, so that little is padded.
        by_length = sorted(range(len(texts)), key=lambda at: len(tokens[at]))
        for first in range(0, len(by_length), _BATCH):
            batch = by_length[first : first + _BATCH]
            rows[batch] = self._means([tokens[at] for at in batch])
        return normalised(rows)

    def _means(self, batch: list[list[int]]) -> Rows:
        """The mean over the tokens of each text, without the padding."""
        width = max(map(len, batch))
        ids = np.array([tokens + [self._pad] * (width - len(tokens)) for tokens in batch], np.int64)
        mask = np.array(
            [[1] * len(tokens) + [0] * (width - len(tokens)) for tokens in batch], np.int64
        )
        offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        [hidden, *_] = self._session.run(None, {name: offered[name] for name in self._inputs})
        sums = (np.asarray(hidden) * mask[..., None]).sum(axis=1)
        means: Rows = sums / mask.sum(axis=1, keepdims=True)
        return means
