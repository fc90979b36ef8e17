"""Faults of a service: what is tried again, what is cut smaller, and what becomes an error that
names no key."""

import json
from typing import Any

import pytest

from clawgit.search.embed import EmbedderOptions, open_embedder
from clawgit.search.stores.models import ModelError
from tests.search.embed.service import KEY, Fault, Server

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
        (
            401,
            f'{{"error": {{"message": "Incorrect API key: {KEY}"}}}}',
            "does not accept the key: 401 Incorrect",
        ),
        (400, f'{{"detail": "bad key {KEY}"}}', "refuses the texts: 400 bad key …"),
        (302, "", "answers 302"),
    ],
)
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


def test_a_key_that_no_header_can_hold_is_not_shown() -> None:
    key = "sk-\nx"
    with pytest.raises(ModelError, match="holds characters that no key has"):
        open_embedder("openai", EmbedderOptions({"OPENAI_API_KEY": key}))


def test_an_address_with_a_password_is_refused_and_not_shown() -> None:
    with pytest.raises(ModelError, match="The address of the embedder cannot") as caught:
        open_embedder("ollama", EmbedderOptions({}, url="http://me:hush@example.org"))
    assert "hush" not in caught.value.message + caught.value.hint


def test_a_batch_that_is_too_large_is_halved_until_it_fits(server: Server) -> None:
    server.refuse_over = 3
    texts = [f"text {number}" for number in range(10)]
    rows = embed(server, *texts)
    expected = [embed(server, text)[0] for text in texts]
    assert rows == expected


def test_a_text_that_is_too_long_is_shortened_until_it_fits(server: Server) -> None:
    server.longest = 300
    embed(server, "word " * 200, "short")
    assert [len(asked.texts[0]) for asked in server.asked if len(asked.texts) == 1] == [
        1000,
        500,
        250,
        5,
    ]
