"""Embedders: what turns text into vectors. One file each, one row each in `embedders.EMBEDDERS`.

This module loads neither numpy nor a model: those who only want to name a model import it, too.
"""

from collections.abc import Mapping

from clawgit.errors import UsageError
from clawgit.stores.embed.contract import (
    MINILM_MODEL,
    STATIC_MODEL,
    Embedder,
    EmbedderError,
    EmbedderOptions,
    EmbedLimits,
)
from clawgit.stores.embed.gemini import GEMINI
from clawgit.stores.embed.ollama import OLLAMA
from clawgit.stores.embed.openai import OPENAI
from clawgit.stores.embed.voyage import VOYAGE

__all__ = ["MODELS", "EmbedLimits", "Embedder", "EmbedderError", "EmbedderOptions", "open_embedder"]

MODELS: Mapping[str, str] = {
    "static": STATIC_MODEL,
    "onnx-minilm": MINILM_MODEL,
    **{dialect.provider: dialect.model for dialect in (OLLAMA, OPENAI, VOYAGE, GEMINI)},
}
"""Embedder → the model that it uses if none is named."""


def open_embedder(name: str, wanted: EmbedderOptions) -> Embedder:
    """The embedder of that name; nothing goes over the network yet.

    Raises `EmbedderError` if it cannot be used.
    """
    if name not in MODELS:
        raise UsageError(f"There is no embedder {name!r}.", hint=f"One of: {', '.join(MODELS)}.")
    try:
        from clawgit.stores.embed.embedders import EMBEDDERS  # noqa: PLC0415 - numpy, 60 ms
    except ImportError as error:
        raise EmbedderError(
            "Searching by meaning needs numpy.", hint="pip install 'clawgit[enhanced]'"
        ) from error
    return EMBEDDERS[name](wanted)
