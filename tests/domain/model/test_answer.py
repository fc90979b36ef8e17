"""What a model may be asked for, and what is made of its answer."""

import json
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.model.answer import MisfitError, fitted, json_in, schema


@dataclass(frozen=True, slots=True)
class Place:
    """Where."""

    name: str
    distances: dict[str, float]


class Fact(NamedTuple):
    """What was said."""

    text: str
    tag: Literal["event", "decision"]
    times: int = 1
    sure: float | None = None
    day: date | None = None
    places: tuple[Place, ...] = ()
    names: list[str] = []  # noqa: RUF012 - a shape as an agent may ask for it
    new: bool = True


WHOLE = {
    "text": "x", "tag": "event", "times": 2, "sure": 0.5, "day": "2026-02-14", "new": False,
    "places": [{"name": "Berlin", "distances": {"Rome": 1}}], "names": ["a"],
}  # fmt: skip


def test_a_record_comes_out_as_its_type() -> None:
    made = fitted(Fact, WHOLE)
    assert made == Fact(
        "x", "event", 2, 0.5, date(2026, 2, 14), (Place("Berlin", {"Rome": 1.0}),), ["a"], new=False
    )
    assert isinstance(made.places[0], Place)


def test_what_may_be_left_out_gets_its_default() -> None:
    assert fitted(Fact, {"text": "x", "tag": "event", "more": 1}) == Fact("x", "event")
    assert fitted(Fact, {"text": "x", "tag": "event", "times": None, "sure": None}) == Fact(
        "x", "event"
    )


def test_the_schema_says_what_is_wanted() -> None:
    made = schema(Fact)
    assert (made["required"], made["description"]) == (["text", "tag"], "What was said.")
    assert made["properties"]["tag"] == {"type": "string", "enum": ["event", "decision"]}
    assert made["properties"]["day"] == {
        "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]
    }
    assert made["properties"]["places"]["items"]["required"] == [one.name for one in fields(Place)]
    assert made["properties"]["places"]["items"]["properties"]["distances"][
        "additionalProperties"
    ] == {"type": "number"}
    assert schema(int) == {
        "type": "object", "properties": {"answer": {"type": "integer"}}, "required": ["answer"],
        "additionalProperties": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (int, {"answer": 3}, 3), (int, 3.0, 3), (float, "0.8", 0.8), (str, "x", "x"),
            (bool, True, True),
        (tuple[str, ...], {"answer": ["a"]}, ("a",)), (dict[str, int], {"a": 1}, {"a": 1}),
        (datetime, "2026-02-14T09:00:00",
            datetime(2026, 2, 14, 9)),  # noqa: DTZ001 - it came without a zone
    ],
)  # fmt: skip
def test_what_is_no_record_has_one_field(kind: Any, value: object, expected: object) -> None:
    assert fitted(kind, value) == expected


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], r"the answer must be an object, not \[\]"),
        ({"tag": "event"}, "text is missing"),
        ({"text": 5, "tag": "event"}, "text must be a text, not 5"),
        ({"text": "x", "tag": "joke"}, "tag must be one of 'event', 'decision', not \"joke\""),
        ({"text": "x", "tag": "event", "times": 1.5}, "times must be a whole number"),
        ({"text": "x", "tag": "event", "sure": "nan"}, "sure must be a number"),
        ({"text": "x", "tag": "event", "day": "soon"}, "day must be a date as ISO 8601 has it"),
        (
            {"text": "x", "tag": "event", "places": [{"name": "B", "distances": 1}]},
            r"places\[0\].distances must be an",
        ),
    ],
)
def test_what_does_not_fit_is_told_where(value: object, words: str) -> None:
    with pytest.raises(MisfitError, match=words):
        fitted(Fact, value)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1]}',
        'Sure!\n```json\n{"a": [1]}\n```\nBye {friend}',
        'First {"b": 1}, no: {"a": [1]} it is',
        '{{{[[[ {"a": [1]}',
    ],
)
def test_json_is_found_whatever_stands_around_it(text: str) -> None:
    assert json_in(text) == {"a": [1]}


@pytest.mark.parametrize("text", ["", "none", "{", "[" * 100_000, "{a}" * 100_000])
def test_text_without_json_is_told_quickly(text: str) -> None:
    with pytest.raises(MisfitError, match="no JSON"):
        json_in(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
    )
)
def test_any_value_fits_or_is_told(value: object) -> None:
    found = json_in(f"x {json.dumps([value])} y")
    assert found == [value]
    with suppress(MisfitError):
        assert isinstance(fitted(Fact, value), Fact)
