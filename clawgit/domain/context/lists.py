"""Lists that are shown with the line that leads to them, and such a line with its list."""

from collections.abc import Iterable, Iterator, Sequence

from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.markdown.label import leads

_MOST = 1_000
"""Characters of a list that one of its items brings with it. Of a longer list, its beginning."""


def whole_lists(read: Sequence[ContextPassage], places: Iterable[int]) -> set[int]:
    """The places of the lists that stand at some places of a file, each with the line above it."""
    wanted: set[int] = set()
    for at in places:
        lead = _lead(read, at)
        if lead is not None:
            wanted.update(_within(read, lead, at))
    return wanted


def _lead(read: Sequence[ContextPassage], at: int) -> int | None:
    """The place of the line that leads to the list at a place; None if none does."""
    first = at
    while first >= 0 and read[first].kind == "item":
        first -= 1
    if first < 0 or read[first].heads != read[at].heads or read[first].kind != "para":
        return None
    return first if leads(read[first].text) else None


def _within(read: Sequence[ContextPassage], lead: int, at: int) -> Iterator[int]:
    """The line that leads, and as much of its list as there is room for."""
    yield lead
    room = _MOST - len(read[at].text)
    for place in range(lead + 1, len(read)):
        if read[place].kind != "item" or read[place].heads != read[lead].heads:
            return
        room -= len(read[place].text)
        if room < 0:
            return
        yield place
