"""The items of numbered lists, and how many of them are missing where a list is not shown whole."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from clawgit.domain.markdown import frames

_NUMBER = re.compile(r" {0,3}([0-9]{1,9})[.)] ")


class Step(NamedTuple):
    """An item of a numbered list: item `at` of `of`, counted from 1."""

    list: str
    at: int
    of: int


class Numbered(NamedTuple):
    """A passage by its headings, and by its number in a list; None for any other passage."""

    heads: tuple[str, ...]
    number: int | None


def number_of(item: str) -> int | None:
    match = _NUMBER.match(item)
    return int(match[1]) if match else None


def steps(path: str, passages: Sequence[Numbered]) -> Iterator[Step | None]:
    """The step that each passage of a file is, None if it is none."""
    found: dict[int, Step] = {}
    for places in _lists(passages):
        name = f"{path}#{places[0]}"
        found |= {place: Step(name, at, len(places)) for at, place in enumerate(places, 1)}
    return map(found.get, range(len(passages)))


def _lists(passages: Sequence[Numbered]) -> Iterator[list[int]]:
    """The places of the items of each numbered list."""
    places: list[int] = []
    for place, passage in enumerate(passages):
        if passage.number is None:
            continue
        if places and not _goes_on(passages, places[-1], place):
            yield places
            places = []
        places.append(place)
    if places:
        yield places


def _goes_on(passages: Sequence[Numbered], last: int, place: int) -> bool:
    """Whether two numbered items belong to one list. Code or a remark may stand between them,
    unless all have the same number.
    """
    before, after = passages[last], passages[place]
    if before.heads != after.heads or before.number is None or after.number is None:
        return False
    # Markdown numbers by itself, so each item may be written as 1.
    is_repeated = after.number == before.number and place == last + 1
    return after.number > before.number or is_repeated


class Gap(NamedTuple):
    """How many steps are missing before one that is shown, and after the last that is shown."""

    before: int = 0
    after: int = 0


def gaps(shown: Sequence[Step | None]) -> Iterator[Gap]:
    """The gap of each piece that is shown, in the order of the text."""
    ends = {step.list: step.at for step in shown if step}
    last: dict[str, int] = {}
    for step in shown:
        if step is None:
            yield Gap()
            continue
        before = max(step.at - last.get(step.list, 0) - 1, 0)
        is_end = step.at == ends[step.list]
        last[step.list] = step.at
        yield Gap(before, step.of - step.at if is_end else 0)


def with_gap(text: str, gap: Gap) -> str:
    """A step with a line for the steps that are missing before and after it."""
    return "\n".join(filter(None, (_missing(gap.before), text, _missing(gap.after))))


def _missing(count: int) -> str:
    return frames.STEPS_LEFT_OUT.format(count=count) if count else ""


def more_gaps(step: Step, shown: Collection[int]) -> int:
    """How many more gaps a list has if this step is shown beside those `shown` of it: -1 if it
    closes one.
    """
    new = len({step.at - 1, step.at + 1}.difference(shown, (0, step.of + 1)))
    return new - 1 if shown else new
