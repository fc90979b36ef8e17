"""Embedders: what turns text into vectors. One file each, one row each in `EMBEDDERS`."""

from collections.abc import Callable, Mapping
from pathlib import Path

from clawgit.errors import UsageError
from clawgit.stores.embed.contract import Embedder, EmbedderError, Limits, Wanted
from clawgit.stores.embed.gemini import GEMINI
from clawgit.stores.embed.ollama import OLLAMA
from clawgit.stores.embed.onnx_minilm import CACHE, OnnxMiniLM
from clawgit.stores.embed.openai import OPENAI
from clawgit.stores.embed.remote import Dialect, RemoteEmbedder
from clawgit.stores.embed.static import StaticEmbedder
from clawgit.stores.embed.voyage import VOYAGE

__all__ = ["EMBEDDERS", "MODELS", "Embedder", "EmbedderError", "Limits", "Wanted", "open_embedder"]


def _static(wanted: Wanted) -> Embedder:
    _only(StaticEmbedder.provider, StaticEmbedder.model, wanted)
    return StaticEmbedder()


def _onnx_minilm(wanted: Wanted) -> Embedder:
    _only(OnnxMiniLM.provider, OnnxMiniLM.model, wanted)
    return OnnxMiniLM(Path(wanted.env.get("HOME", "/")) / CACHE)


def _remote(dialect: Dialect) -> Callable[[Wanted], Embedder]:
    return lambda wanted: RemoteEmbedder(dialect, wanted)


EMBEDDERS: Mapping[str, Callable[[Wanted], Embedder]] = {
    "static": _static,
    "onnx-minilm": _onnx_minilm,
    "ollama": _remote(OLLAMA),
    "openai": _remote(OPENAI),
    "voyage": _remote(VOYAGE),
    "gemini": _remote(GEMINI),
}


MODELS: Mapping[str, str] = {
    **{one.provider: one.model for one in (StaticEmbedder, OnnxMiniLM)},
    **{one.provider: one.model for one in (OLLAMA, OPENAI, VOYAGE, GEMINI)},
}
"""The model of each where none is named."""


def open_embedder(name: str, wanted: Wanted) -> Embedder:
    """The embedder of that name. Raises `EmbedderError` where it cannot be used; nothing goes over
    the network yet.
    """
    if name not in EMBEDDERS:
        raise UsageError(f"There is no embedder {name!r}.", hint=f"One of: {', '.join(EMBEDDERS)}.")
    try:
        import numpy as np  # noqa: F401, PLC0415 - 60 ms, and without it no vector is worth anything
    except ImportError as error:
        raise EmbedderError(
            "Searching by meaning needs numpy.", hint="pip install 'clawgit[enhanced]'"
        ) from error
    return EMBEDDERS[name](wanted)


def _only(provider: str, model: str, wanted: Wanted) -> None:
    if wanted.model not in ("", model):
        raise EmbedderError(
            f"The embedder {provider} has one model, {model}, and embedder_model says "
            f"{wanted.model}.",
            hint="Leave embedder_model empty, or name the embedder that runs that model.",
        )
