"""Chroma's default model without Chroma: same file, same vectors, no padding to 256 tokens."""

from collections.abc import Sequence
from pathlib import Path

from clawgit.stores.embed.contract import MINILM_MODEL, EmbedderError, Rows
from clawgit.stores.embed.mean_of_tokens import Frame, MeanOfTokens
from clawgit.stores.embed.wordpiece import WordPieces

CACHE = Path(".cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx")
"""Where Chroma stores it, below the home folder."""

_MOST_TOKENS = 256
_AT_ONCE = 8
_FRAME = ("[CLS]", "[SEP]", "[PAD]")
_UNKNOWN = "[UNK]"


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
        vocabulary = (folder / "vocab.txt").read_text("utf-8").split("\n")
        at = {word: number for number, word in enumerate(vocabulary)}
        self._pieces = WordPieces(vocabulary, (at[_UNKNOWN],))
        self._model = MeanOfTokens(
            folder / "model.onnx",
            Frame(*(at[sign] for sign in _FRAME)),
            _MOST_TOKENS,
            _AT_ONCE,
            who=self.provider,
            hint="Delete the folder, and let Chroma fetch it again.",
        )
        self.dimensions = self._model.dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:  # noqa: ARG002 - one model for both
        return self._model.rows([self._pieces.ids(text) for text in texts])
