"""Fixtures: a server that speaks as the services do, and each embedder ready to use."""

from collections.abc import Iterator

import pytest

from clawgit.search.embed import Embedder, EmbedderOptions, open_embedder
from tests.search.embed.service import Server, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


@pytest.fixture(params=["e5", "openai"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "e5":
        yield open_embedder("e5", EmbedderOptions({}))
    else:
        with serving() as started:
            yield open_embedder(request.param, started.wanted())
