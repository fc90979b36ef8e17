"""Embedders turn text into vectors.

To add one: a service is a row in `dialects.py`; a local model is a module, a row in `MODELS` and a
line in `open_embedder`. Its name goes into `config/settings.py`, and if it sends nothing away into
the guard in `config/guards.py`; the scripts that it knows go into `ops/search/text_vectors.py`, and
`bench/make_other_words.py` teaches the static one another language.

Importing this loads neither numpy nor a model: some callers only want to name a model.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from clawgit.errors import UsageError
from clawgit.stores.embed.contract import (
    E5_MODEL,
    MINILM_MODEL,
    STATIC_MODEL,
    Embedder,
    EmbedderError,
    EmbedderOptions,
    EmbedLimits,
)
from clawgit.stores.embed.dialects import DIALECTS
from clawgit.stores.embed.e5 import E5Embedder
from clawgit.stores.embed.onnx_minilm import CACHE, OnnxMiniLM
from clawgit.stores.embed.remote import RemoteEmbedder
from clawgit.stores.embed.static import StaticEmbedder

__all__ = ["MODELS", "EmbedLimits", "Embedder", "EmbedderError", "EmbedderOptions", "open_embedder"]

MODELS: Mapping[str, str] = {
    "static": STATIC_MODEL,
    "e5": E5_MODEL,
    "onnx-minilm": MINILM_MODEL,
    **{provider: dialect.model for provider, dialect in DIALECTS.items()},
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
    if name in DIALECTS:
        return RemoteEmbedder(DIALECTS[name], wanted)
    if wanted.model not in ("", MODELS[name]):
        raise EmbedderError(
            f"The embedder {name} has one model, {MODELS[name]}, and embedder_model says "
            f"{wanted.model}.",
            hint="Leave embedder_model empty, or name the embedder that runs that model.",
        )
    if name == StaticEmbedder.provider:
        return StaticEmbedder()
    if name == E5Embedder.provider:
        return E5Embedder()
    return OnnxMiniLM(Path(wanted.env.get("HOME", "/")) / CACHE)
