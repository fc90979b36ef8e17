"""Embedders turn text into vectors. One file each.

Importing this loads neither numpy nor a model: some callers only want to name a model.
"""

from collections.abc import Mapping
from importlib.util import find_spec

from clawgit.errors import UsageError
from clawgit.stores.embed.contract import (
    MINILM_MODEL,
    STATIC_MODEL,
    Embedder,
    EmbedderError,
    EmbedderOptions,
    EmbedLimits,
)
from clawgit.stores.embed.dialect import Dialect
from clawgit.stores.embed.embedders import EMBEDDERS
from clawgit.stores.embed.gemini import GEMINI
from clawgit.stores.embed.ollama import OLLAMA
from clawgit.stores.embed.openai import OPENAI
from clawgit.stores.embed.remote import RemoteEmbedder
from clawgit.stores.embed.voyage import VOYAGE

__all__ = ["MODELS", "EmbedLimits", "Embedder", "EmbedderError", "EmbedderOptions", "open_embedder"]

_DIALECTS: Mapping[str, Dialect] = {
    dialect.provider: dialect for dialect in (OLLAMA, OPENAI, VOYAGE, GEMINI)
}
"""The embedders that are asked over the network."""

MODELS: Mapping[str, str] = {
    "static": STATIC_MODEL,
    "onnx-minilm": MINILM_MODEL,
    **{provider: dialect.model for provider, dialect in _DIALECTS.items()},
}
"""Embedder → the model that it uses if none is named."""


def open_embedder(name: str, wanted: EmbedderOptions) -> Embedder:
    """The embedder of that name; nothing goes over the network yet.

    Raises `EmbedderError` if it cannot be used.
    """
    if name not in MODELS:
        raise UsageError(f"There is no embedder {name!r}.", hint=f"One of: {', '.join(MODELS)}.")
    if find_spec("numpy") is None:
        raise EmbedderError(
            "Searching by meaning needs numpy.", hint="pip install 'clawgit[enhanced]'"
        )
    if name in _DIALECTS:
        return RemoteEmbedder(_DIALECTS[name], wanted)
    return EMBEDDERS[name](wanted)
