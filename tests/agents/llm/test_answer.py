"""What a model may be asked for, and what is made of its answer."""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.agents.llm import MisfitError, fitted, json_in, schema
from tests.each import for_each


@dataclass(frozen=True, slots=True)
class Place:
    """Where."""

    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What was said."""

    text: str
    tag: Literal["event", "decision"]
    times: int = 1
    places: tuple[Place, ...] = ()
    new: bool = True


def test_the_schema_says_what_is_wanted() -> None:
    made = schema(Fact)
    assert (made["required"], made["description"]) == (["text", "tag"], "What was said.")
    assert made["properties"]["tag"]["enum"] == ["event", "decision"]


@for_each(
    "value, where",
    [([], "the answer"), ({"tag": "event"}, "text"), ({"text": 5, "tag": "event"}, "text")],
)
def test_what_does_not_fit_is_told_where(value: object, where: str) -> None:
    with pytest.raises(MisfitError, match=f"^{where}: "):
        fitted(Fact, value)


@for_each("text", ['{"a": [1]}', 'Sure!\n```json\n{"a": [1]}\n```\nBye {friend}'])
def test_json_is_found_whatever_stands_around_it(text: str) -> None:
    assert json_in(text) == {"a": [1]}


@settings(max_examples=30)
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
