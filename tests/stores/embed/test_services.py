"""What each service is sent, in its own words, and how its answer is read."""

import numpy as np
import pytest

from clawgit.stores.embed import EmbedderError, EmbedderOptions, open_embedder
from clawgit.stores.embed.contract import normalised
from tests.stores.embed.service import KEY, Server, row_of


def rows_of(*texts: str) -> list[list[float]]:
    rows: list[list[float]] = normalised(
        np.array([row_of(text) for text in texts], np.float32)
    ).tolist()
    return rows


def test_ollama(server: Server) -> None:
    rows = open_embedder("ollama", server.wanted()).embed(["a", "b"])
    assert rows.tolist() == rows_of("a", "b")
    assert [(asked.path, asked.body) for asked in server.asked] == [
        ("/api/embed", {"model": "bge-m3", "input": ["a", "b"], "truncate": True})
    ]


def test_openai_and_its_answer_out_of_order(server: Server) -> None:
    rows = open_embedder("openai", server.wanted()).embed(["a", "b"])
    assert rows.tolist() == rows_of("a", "b")
    assert [(asked.path, asked.body) for asked in server.asked] == [
        ("/v1/embeddings", {"model": "text-embedding-3-small", "input": ["a", "b"]})
    ]
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_voyage_tells_questions_from_texts(server: Server) -> None:
    voyage = open_embedder("voyage", server.wanted("voyage-4"))
    assert voyage.embed(["a"], query=True).tolist() == rows_of("a")
    voyage.embed(["b"])
    assert [asked.body for asked in server.asked] == [
        {"model": "voyage-4", "input": ["a"], "input_type": "query", "truncation": True},
        {"model": "voyage-4", "input": ["b"], "input_type": "document", "truncation": True},
    ]


def test_gemini_gets_one_content_a_text_and_its_key_in_a_header(server: Server) -> None:
    gemini = open_embedder("gemini", server.wanted(GOOGLE_API_KEY=KEY))
    assert gemini.embed(["a", "b"]).tolist() == rows_of("a", "b")
    gemini.embed(["c"], query=True)
    model = "models/gemini-embedding-001"
    common = {"model": model, "outputDimensionality": 768}
    documents = [
        {**common, "taskType": "RETRIEVAL_DOCUMENT", "content": {"parts": [{"text": text}]}}
        for text in ("a", "b")
    ]
    question = {**common, "taskType": "RETRIEVAL_QUERY", "content": {"parts": [{"text": "c"}]}}
    assert [asked.body["requests"] for asked in server.asked] == [documents, [question]]
    assert {(asked.path, asked.headers["x-goog-api-key"]) for asked in server.asked} == {
        (f"/v1beta/{model}:batchEmbedContents", KEY)
    }


@pytest.mark.parametrize(
    ("model", "query", "text"),
    [
        ("nomic-embed-text:v1.5", "search_query: a", "search_document: a"),
        ("intfloat/multilingual-e5-large", "query: a", "passage: a"),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: a", "a"),
        ("bge-m3", "a", "a"),
    ],
)
@pytest.mark.parametrize("name", ["ollama", "openai"])
def test_open_models_get_the_words_they_were_trained_on(
    server: Server, name: str, model: str, query: str, text: str
) -> None:
    embedder = open_embedder(name, server.wanted(model))
    embedder.embed(["a"], query=True)
    embedder.embed(["a"])
    assert [asked.texts for asked in server.asked] == [[query], [text]]


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("openai", "OPENAI_API_KEY"),
        ("voyage", "VOYAGE_API_KEY"),
        ("gemini", "GEMINI_API_KEY or GOOGLE_API_KEY"),
    ],
)
def test_without_a_key_nothing_is_sent(name: str, variables: str) -> None:
    with pytest.raises(EmbedderError, match=f"{name} needs a key") as caught:
        open_embedder(name, EmbedderOptions({"OPENAI_API_KEY": "", "HOME": "/"}))
    assert caught.value.hint == f"Set the environment variable {variables}."


def test_a_server_of_ones_own_needs_no_key(server: Server) -> None:
    open_embedder("openai", server.wanted(HOME="/")).embed(["a"])
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize(
    ("address", "path"), [("", "/v1"), ("/", "/v1"), ("/v1/", "/v1"), ("/tenant/x", "/tenant/x")]
)
def test_an_address_with_a_path_is_taken_as_it_is(server: Server, address: str, path: str) -> None:
    wanted = server.wanted()
    open_embedder("openai", wanted._replace(url=wanted.url + address)).embed(["a"])
    assert [asked.path for asked in server.asked] == [f"{path}/embeddings"]


def test_the_dimensions_are_learned_from_the_first_answer(server: Server) -> None:
    embedder = open_embedder("ollama", server.wanted())
    embedder.embed(["a"], query=True)
    assert (embedder.dimensions, len(server.asked)) == (8, 1)


def test_whoever_asks_for_the_dimensions_first_costs_one_request(server: Server) -> None:
    embedder = open_embedder("ollama", server.wanted())
    assert ([embedder.dimensions for _ in range(3)], len(server.asked)) == ([8, 8, 8], 1)
