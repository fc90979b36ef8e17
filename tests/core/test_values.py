"""A frozen value of ours does what one of `typing` does."""

import typing
from collections.abc import Callable
from typing import Any

import pytest

from clawgit.core import NamedTuple


class Ours(NamedTuple):
    path: str
    line: int = 0
    text: str = ""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


class Theirs(typing.NamedTuple):
    path: str
    line: int = 0
    text: str = ""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


Make = Callable[[Any], Any]


@pytest.mark.parametrize(
    "make",
    [
        lambda kind: kind("a"),
        lambda kind: kind("a", 1, "b"),
        lambda kind: kind("a", text="b"),
        lambda kind: kind(text="b", path="a"),
        lambda kind: kind._make(["a", 1, "b"]),
        lambda kind: kind("a")._replace(line=3),
        lambda kind: kind("a", 2).place,
        lambda kind: kind("a")._asdict(),
        lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__),
        lambda kind: hash(kind("a", 1)),
        lambda kind: sorted([kind("b"), kind("a")]),
        lambda kind: repr(kind("a")).partition("(")[2],
    ],
)
def test_a_value_is_made_and_read_as_one_of_typing(make: Make) -> None:
    assert make(Ours) == make(Theirs)


@pytest.mark.parametrize(
    "make",
    [
        lambda kind: kind("a", 1, "b", "c"),
        lambda kind: kind("a", path="b"),
        lambda kind: kind("a", other=1),
        lambda kind: kind._make(["a", 1, "b", "c"]),
        lambda kind: kind._make(["a"]),
        lambda kind: kind(),
        lambda kind: kind(line=1),
        lambda kind: setattr(kind("a"), "line", 3),
        lambda kind: setattr(kind("a"), "other", 3),
    ],
)
def test_what_typing_refuses_is_refused(make: Make) -> None:
    for kind in (Ours, Theirs):
        with pytest.raises((TypeError, AttributeError)):
            make(kind)
