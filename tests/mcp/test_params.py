"""What a tool takes: the schema tells it, and the check holds calls to it and names what would be
right."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it comes with mcp, without stubs

from clawgit.errors import UsageError
from clawgit.mcp.params import NUMBER, SWITCH, TEXT, TEXTS, WHOLE, Param, schema, taken
from tests.each import for_each

PARAMS = (
    Param("query", TEXT, "The question.", required=True, longest=20),
    Param("maxResults", WHOLE, "At most this many hits.", least=1, most=200),
    Param("from", WHOLE, "The first line.", least=1),
    Param("minScore", NUMBER, "Least score.", least=0, most=1),
    Param("source", TEXT, "Which.", choices=("memory", "archive")),
    Param("explain", SWITCH, "Tell."),
    Param("evidence", TEXTS, "What it rests on.", longest=10),
)


def test_what_is_right_is_taken() -> None:
    given = {
        "query": "q",
        "maxResults": 3.0,
        "minScore": 1,
        "source": "memory",
        "explain": True,
        "evidence": ["a"],
    }
    assert taken("t", PARAMS, given) == {**given, "maxResults": 3, "evidence": ("a",)}
    assert taken("t", PARAMS, {"query": "q", "source": None}) == {"query": "q"}


@for_each(
    "given, message",
    [
        ({}, "t needs query: The question."),
        ({"query": None}, "t needs query: The question."),
        ({"query": " \n"}, "t needs query: The question."),
        ({"query": "q", "maxresults": 3}, "t has no parameter 'maxresults'."),
        ({"query": 3}, "query must be a text."),
        ({"query": "q" * 21}, "query has 21 characters; at most 20 are allowed."),
        ({"query": "q", "maxResults": True}, "maxResults must be a whole number from 1 to 200."),
        ({"query": "q", "maxResults": 2.5}, "maxResults must be a whole number from 1 to 200."),
        ({"query": "q", "maxResults": 10**400}, "maxResults must be a whole number from 1 to 200."),
        ({"query": "q", "from": 0}, "from must be a whole number from 1."),
        ({"query": "q", "minScore": float("nan")}, "minScore must be a number from 0 to 1."),
        ({"query": "q", "source": "x"}, "source must be one of memory, archive."),
        ({"query": "q", "explain": "yes"}, "explain must be true or false."),
        ({"query": "q", "evidence": "a"}, "evidence must be a list of at most 50 texts."),
        ({"query": "q", "evidence": ["a", 3]}, "evidence must be a list of at most 50 texts."),
        ({"query": "q", "evidence": ["a"] * 51}, "evidence must be a list of at most 50 texts."),
        (
            {"query": "q", "evidence": ["a" * 11]},
            "evidence has 11 characters; at most 10 are allowed.",
        ),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as told:
        taken("t", PARAMS, given)
    assert told.value.message == message


@for_each(
    "given, hint",
    [
        ({"query": "q", "source": "memry"}, "Did you mean memory?"),
        ({"query": "q", "source": "x"}, "Leave source out if you do not need it."),
        ({"query": "q", "maxResults": 0}, "Leave maxResults out if you do not need it."),
        ({"query": 3}, ""),
        ({"query": "q" * 21}, "Send less, or in parts."),
    ],
)
def test_a_wrong_value_is_answered_with_what_to_do(given: dict[str, Any], hint: str) -> None:
    with pytest.raises(UsageError) as told:
        taken("t", PARAMS, given)
    assert (told.value.hint or "") == hint


def test_an_unknown_parameter_is_answered_with_the_right_ones() -> None:
    with pytest.raises(UsageError) as told:
        taken("t", PARAMS, {"query": "q", "maxresult": 3})
    assert told.value.hint == (
        "Did you mean maxResults? t takes query (string, required), maxResults (integer), from "
        "(integer),"
        " minScore (number), source (string), explain (boolean), evidence (array)."
    )


def test_schema_and_check_agree() -> None:
    said = schema(PARAMS)
    Draft202012Validator.check_schema(said)
    judge = Draft202012Validator(said)
    assert judge.is_valid({"query": "q", "maxResults": 200, "evidence": ["a"]})
    for wrong in (
        {},
        {"query": "q", "more": 1},
        {"query": "q", "maxResults": 201},
        {"query": "q", "source": "x"},
    ):
        assert not judge.is_valid(wrong)
        with pytest.raises(UsageError):
            taken("t", PARAMS, wrong)
