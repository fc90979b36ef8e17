"""Fixtures: a server that speaks for all services, and each embedder ready to use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgit.stores.embed import MODELS, Embedder, EmbedderOptions, open_embedder
from clawgit.stores.embed.onnx_minilm import CACHE
from tests.stores.embed.service import Server, serving
from tests.stores.embed.tiny_onnx import write_model


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


@pytest.fixture(params=list(MODELS))
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Embedder]:
    if request.param in {"static", "e5"}:
        yield open_embedder(request.param, EmbedderOptions({}))
    elif request.param == "onnx-minilm":
        write_model(tmp_path / CACHE)
        yield open_embedder("onnx-minilm", EmbedderOptions({"HOME": str(tmp_path)}))
    else:
        with serving() as started:
            yield open_embedder(request.param, started.wanted())
