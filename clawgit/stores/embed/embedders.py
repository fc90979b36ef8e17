"""The embedders on this machine."""

from collections.abc import Callable, Mapping
from pathlib import Path

from clawgit.stores.embed.contract import Embedder, EmbedderError, EmbedderOptions
from clawgit.stores.embed.onnx_minilm import CACHE, OnnxMiniLM
from clawgit.stores.embed.static import StaticEmbedder


def _static(wanted: EmbedderOptions) -> Embedder:
    _refuse_other_models(StaticEmbedder.provider, StaticEmbedder.model, wanted)
    return StaticEmbedder()


def _onnx_minilm(wanted: EmbedderOptions) -> Embedder:
    _refuse_other_models(OnnxMiniLM.provider, OnnxMiniLM.model, wanted)
    return OnnxMiniLM(Path(wanted.env.get("HOME", "/")) / CACHE)


EMBEDDERS: Mapping[str, Callable[[EmbedderOptions], Embedder]] = {
    "static": _static,
    "onnx-minilm": _onnx_minilm,
}


def _refuse_other_models(provider: str, model: str, wanted: EmbedderOptions) -> None:
    if wanted.model not in ("", model):
        raise EmbedderError(
            f"The embedder {provider} has one model, {model}, and embedder_model says "
            f"{wanted.model}.",
            hint="Leave embedder_model empty, or name the embedder that runs that model.",
        )
