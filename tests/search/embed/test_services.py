"""What each service is sent, and how its answer is read."""

import json
from typing import Any

import numpy as np
import pytest

from clawgit.search.embed import EmbedderOptions, normalised, open_embedder
from clawgit.search.stores.models import ModelError
from tests.search.embed.service import KEY, Fault, Server, row_of


def rows_of(*texts: str) -> list[list[float]]:
    rows: list[list[float]] = normalised(
        np.array([row_of(text) for text in texts], np.float32)
    ).tolist()
    return rows


@pytest.mark.parametrize(
    ("name", "model"), [("ollama", "bge-m3"), ("openai", "text-embedding-3-small")]
)
def test_each_service_is_asked_as_openai_is(server: Server, name: str, model: str) -> None:
    """The server answers out of order."""
    rows = open_embedder(name, server.wanted()).embed(["a", "b"])
    assert rows.tolist() == rows_of("a", "b")
    [asked] = server.asked
    assert asked.path == "/v1/embeddings"
    assert asked.body == {"model": model, "input": ["a", "b"]}
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


@pytest.mark.parametrize(
    ("name", "options", "said", "hint"),
    [
        ("openai", EmbedderOptions({"OPENAI_API_KEY": "", "HOME": "/"}), "openai needs a key",
            "Set the environment variable OPENAI_API_KEY."),
        ("openai", EmbedderOptions({"OPENAI_API_KEY": "hush\nx"}),
            "holds characters that no key has", ""),
        ("ollama", EmbedderOptions({}, url="http://me:hush@example.org"),
            "The address of the embedder cannot", ""),
    ],
)  # fmt: skip
def test_without_a_sound_key_and_address_nothing_is_sent_and_no_word_of_them_shown(
    name: str, options: EmbedderOptions, said: str, hint: str
) -> None:
    with pytest.raises(ModelError, match=said) as caught:
        open_embedder(name, options)
    assert "hush" not in caught.value.message + caught.value.hint
    assert hint in caught.value.hint


# Faults of a service: what is tried again, what is cut smaller, and what becomes an error that nam


BUSY = Fault(429, (("Retry-After", "7"),), '{"error": {"message": "slow down"}}')


def embed(server: Server, *texts: str, **wanted: Any) -> list[list[float]]:
    rows: list[list[float]] = (
        open_embedder("openai", server.wanted(**wanted)).embed(texts or ("a",)).tolist()
    )
    return rows


@pytest.mark.parametrize(
    ("faults", "waited"), [([BUSY], [7.0]), ([Fault(429, (("Retry-After", "soon"),))], [0.5])]
)
def test_what_may_pass_is_tried_again(
    server: Server, faults: list[Fault], waited: list[float]
) -> None:
    server.faults = list(faults)
    assert len(embed(server)) == 1
    assert (server.waited, len(server.asked)) == (waited, len(faults) + 1)


def test_a_service_that_hangs_is_given_up_after_its_time(server: Server) -> None:
    server.faults = [Fault(hang=True)]
    with pytest.raises(ModelError, match="timed out"):
        embed(server, patience=0, seconds=0.05)


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (401, f'{{"error": {{"message": "Incorrect API key: {KEY}"}}}}',
            "does not accept the key: 401 Incorrect"),
        (400, f'{{"detail": "bad key {KEY}"}}', "refuses the texts: 400 bad key …"),
        (302, "", "answers 302"),
    ],
)  # fmt: skip
def test_a_refusal_is_told_once_and_names_no_key(
    server: Server, status: int, body: str, message: str
) -> None:
    server.faults = [Fault(status, (("Location", server.url),), body)] * 50
    with pytest.raises(ModelError, match=message) as caught:
        embed(server)
    assert KEY not in caught.value.message + caught.value.hint
    assert server.waited == []
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"data": [{"index": 0, "embedding": [1.0]}]},
        {"data": [{"index": at, "embedding": [1.0] * (at + 1)} for at in range(2)]},
    ],
)
def test_a_wrong_answer_is_refused(server: Server, answer: Any) -> None:
    server.faults = [Fault(body=json.dumps(answer))]
    with pytest.raises(ModelError, match="sends no vector"):
        embed(server, "a", "b")


def test_a_batch_that_is_too_large_is_halved_until_it_fits(server: Server) -> None:
    server.refuse_over = 3
    texts = [f"text {number}" for number in range(10)]
    rows = embed(server, *texts)
    expected = [embed(server, text)[0] for text in texts]
    assert rows == expected


def test_a_text_that_is_too_long_is_shortened_until_it_fits(server: Server) -> None:
    server.longest = 300
    embed(server, "word " * 200, "short")
    sent = [len(asked.texts[0]) for asked in server.asked if len(asked.texts) == 1]
    assert sent == [1000, 500, 250, 5]
