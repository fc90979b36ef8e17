"""What each service is sent, and how its answer is read."""

import numpy as np
import pytest

from clawgit.search.embed import EmbedderOptions, normalised, open_embedder
from clawgit.search.stores.models import ModelError
from tests.search.embed.service import KEY, Server, row_of


def rows_of(*texts: str) -> list[list[float]]:
    rows: list[list[float]] = normalised(
        np.array([row_of(text) for text in texts], np.float32)
    ).tolist()
    return rows


@pytest.mark.parametrize(
    ("name", "path", "model", "more"),
    [("ollama", "/v1", "bge-m3", {}), ("openai", "/v1", "text-embedding-3-small", {})],
)
def test_each_service_is_asked_as_openai_is(
    server: Server, name: str, path: str, model: str, more: dict[str, object]
) -> None:
    """The server answers out of order."""
    rows = open_embedder(name, server.wanted()).embed(["a", "b"])
    assert rows.tolist() == rows_of("a", "b")
    [asked] = server.asked
    assert asked.path == f"{path}/embeddings"
    assert asked.body == {"model": model, "input": ["a", "b"], **more}
    assert asked.headers.get("authorization") == (None if name == "ollama" else f"Bearer {KEY}")


@pytest.mark.parametrize(
    ("model", "query", "text"),
    [
        ("nomic-embed-text:v1.5", "search_query: a", "search_document: a"),
        ("intfloat/multilingual-e5-large", "query: a", "passage: a"),
    ],
)
def test_open_models_get_the_words_they_were_trained_on(
    server: Server, model: str, query: str, text: str
) -> None:
    embedder = open_embedder("ollama", server.wanted(model))
    embedder.embed(["a"], query=True)
    embedder.embed(["a"])
    assert [asked.texts for asked in server.asked] == [[query], [text]]


def test_without_a_key_nothing_is_sent() -> None:
    name = "openai"
    variables = "OPENAI_API_KEY"
    with pytest.raises(ModelError, match=f"{name} needs a key") as caught:
        open_embedder(name, EmbedderOptions({"OPENAI_API_KEY": "", "HOME": "/"}))
    assert caught.value.hint == f"Set the environment variable {variables}."
