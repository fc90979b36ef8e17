"""Embedders turn text into vectors: the one that comes with clawgit, or a service.

To add a service: a row in `services.py`, and its name in `config/settings.py`. Importing this loads
neither numpy nor a model: some callers only want to name a model.
"""

from collections.abc import Mapping
from importlib.util import find_spec

from clawgit.stores.embed.contract import E5, E5_MODEL, Embedder, EmbedderOptions, EmbedLimits
from clawgit.stores.embed.e5 import E5Embedder
from clawgit.stores.embed.services import SERVICES
from clawgit.stores.models import ModelError

__all__ = ["MODELS", "EmbedLimits", "Embedder", "EmbedderOptions", "open_embedder"]

MODELS: Mapping[str, str] = {
    E5: E5_MODEL,
    **{name: service.model for name, service in SERVICES.items()},
}
"""Embedder → the model that it uses if none is named."""


def open_embedder(name: str, wanted: EmbedderOptions) -> Embedder:
    """The embedder of that name; nothing goes over the network yet.

    Raises `ModelError` if it cannot be used.
    """
    if find_spec("numpy") is None:
        raise ModelError("The models need numpy.", hint="pip install 'clawgit[enhanced]'")
    if name in SERVICES:
        from clawgit.stores.embed.wire import ServiceEmbedder  # noqa: PLC0415 - urllib, 12 ms

        return ServiceEmbedder(name, wanted)
    return E5Embedder()
