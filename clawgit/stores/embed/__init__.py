"""Embedders: what turns text into vectors. One file each.

This module loads neither numpy nor a model: those who only want to name a model import it, too.
"""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

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
from clawgit.stores.embed.gemini import GEMINI
from clawgit.stores.embed.ollama import OLLAMA
from clawgit.stores.embed.openai import OPENAI
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
    opened: Embedder
    if name in _DIALECTS:
        opened = _loaded("remote").RemoteEmbedder(_DIALECTS[name], wanted)
    else:
        opened = _loaded("embedders").EMBEDDERS[name](wanted)
    return opened


def _loaded(module: str) -> ModuleType:
    """A module of this folder: one loads numpy, which takes 60 ms, the other urllib as well."""
    try:
        return import_module(f"clawgit.stores.embed.{module}")
    except ImportError as error:
        raise EmbedderError(
            "Searching by meaning needs numpy.", hint="pip install 'clawgit[enhanced]'"
        ) from error
