"""A frozen value is never made of too many or too few values, nor changed; all else that is asked
of one, every other test asks."""

from collections.abc import Callable

import pytest

from clawgit.core import NamedTuple


class Place(NamedTuple):
    path: str
    line: int = 0
    text: str = ""


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
def test_what_typing_refuses_is_refused(make: Callable[[type[Place]], object]) -> None:
    with pytest.raises((TypeError, AttributeError)):
        make(Place)
