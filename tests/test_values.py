"""Our named tuples do what Python's own do, at less cost to define."""

import copy
import pickle
import typing
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import pytest

from clawgit.values import NamedTuple, Record

T = TypeVar("T")


class Ours(NamedTuple):
    """A place."""

    path: str
    line: int
    words: Sequence[str] = ()
    score: float = 0.5

    @property
    def shown(self) -> str:
        return f"{self.path}:{self.line}"

    @classmethod
    def start(cls, path: str) -> "Ours":
        return cls(path, 1)


class Theirs(typing.NamedTuple):
    """The same, made by `typing`."""

    path: str
    line: int
    words: Sequence[str] = ()
    score: float = 0.5


class Nothing(NamedTuple):
    """No field at all."""


class Boxed(NamedTuple, Generic[T]):
    content: T


class Longer(Ours):
    """A class below ours."""


SAME: dict[str, Callable[[Any], object]] = {
    "parts by position": lambda kind: kind("a.md", 3, ["x"], 1.0)[:],
    "parts by name": lambda kind: kind(line=3, path="a.md").words,
    "defaults": lambda kind: kind("a.md", 3).score,
    "a replaced part": lambda kind: kind("a.md", 3)._replace(line=4)[:],
    "as a mapping": lambda kind: kind("a.md", 3)._asdict(),
    "from parts": lambda kind: kind._make(["a.md", 3, (), 0.1])[:],
    "names": lambda kind: (kind._fields, kind.__match_args__, kind._field_defaults),
    "types": typing.get_type_hints,
    "text": lambda kind: repr(kind("a.md", 3)).removeprefix(kind.__name__),
    "equal to a tuple": lambda kind: kind("a.md", 3) == ("a.md", 3, (), 0.5),
    "hash": lambda kind: hash(kind("a.md", 3)),
    "order": lambda kind: min([kind("b.md", 1), kind("a.md", 2)])[:],
    "a copy": lambda kind: copy.copy(kind("a.md", 3))[:],
    "kept and read back": lambda kind: pickle.loads(pickle.dumps(kind("a.md", 3)))[:],  # noqa: S301 - our own
    "no other attribute": lambda kind: hasattr(kind("a.md", 3), "__dict__"),
}  # fmt: skip


@pytest.mark.parametrize("what", SAME)
def test_it_is_used_like_one_of_typing(what: str) -> None:
    assert SAME[what](Ours) == SAME[what](Theirs)


WRONG: dict[str, Callable[[Any], object]] = {
    "too few": lambda kind: kind("a.md"),
    "too many": lambda kind: kind("a.md", 1, (), 0.1, "more"),
    "an unknown name": lambda kind: kind("a.md", 1, colour="red"),
    "a part twice": lambda kind: kind("a.md", path="b.md", line=1),
    "an unknown part replaced": lambda kind: kind("a.md", 1)._replace(colour="red"),
    "from too few": lambda kind: kind._make(["a.md"]),
    "set afterwards": lambda kind: setattr(kind("a.md", 1), "line", 2),
}


@pytest.mark.parametrize("what", WRONG)
def test_it_refuses_what_one_of_typing_refuses(what: str) -> None:
    said = []
    for kind in (Ours, Theirs):
        with pytest.raises((TypeError, ValueError, AttributeError)) as caught:
            WRONG[what](kind)
        said.append((type(caught.value), str(caught.value).replace("Theirs", "Ours")))
    assert said[0] == said[1]


def test_methods_and_what_is_made_of_it() -> None:
    assert Ours.start("a.md").shown == "a.md:1"
    assert Ours.__doc__ == "A place."
    assert Nothing() == ()
    assert Boxed[int](3).content == 3
    assert Longer("a.md", 1).shown == "a.md:1"
    match Ours("a.md", 7):
        case Ours(path, line):
            assert (path, line) == ("a.md", 7)


def test_a_default_before_a_field_without_one_is_refused() -> None:
    body = {"__annotations__": {"first": int, "second": int}, "first": 1}
    (made,) = NamedTuple.__mro_entries__(())  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="comes before one without"):
        type(made)("Wrong", (made,), body)


class Done(Record):
    """What was done."""

    path: str
    lines: int = 1


class DoneTwice(Done):
    """The same, and how often."""

    times: int
    count: int = 2

    @property
    def shown(self) -> str:
        return f"{self.path}, {self.times} times"


def test_a_kind_of_a_record_has_its_fields_and_more() -> None:
    done = Done(path="a.md")
    twice = DoneTwice(**done._replace(lines=4)._asdict(), times=2)
    assert twice._asdict() == {"path": "a.md", "lines": 4, "times": 2, "count": 2}
    assert (twice.path, twice.count, twice.shown) == ("a.md", 2, "a.md, 2 times")
    assert isinstance(twice, Done)
    assert repr(done) == "Done(path='a.md', lines=1)"
    assert (done, hash(done)) == (Done(path="a.md", lines=1), hash(Done(path="a.md")))
    for value in (done, twice):
        assert pickle.loads(pickle.dumps(value)) == copy.copy(value) == value  # noqa: S301 - our own
    assert typing.get_type_hints(DoneTwice) == {
        "path": str,
        "lines": int,
        "times": int,
        "count": int,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: DoneTwice(path="a.md"),  # type: ignore[call-arg]
        lambda: Done(path="a.md", times=2),  # type: ignore[call-arg]
        lambda: Done("a.md"),  # type: ignore[call-arg]
        lambda: setattr(Done(path="a.md"), "path", "b.md"),
        lambda: Done(path="a.md")._replace(times=2),
    ],
)
def test_a_record_refuses_what_its_fields_are_not(wrong: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        wrong()
