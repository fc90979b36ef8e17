"""The life of a line: where it stood one version earlier, and from which file it was moved here."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from clawgit.domain.change.beginning import shared
from clawgit.domain.markdown.comment import split

_ALIKE = 0.5
"""From here on a line that replaced another is the same line, reworded."""

_MOVED = 0.85
"""Across files nothing but the words themselves says that two lines are one."""

_TAG = re.compile(r"\s#[\w-]+")

TELLING = 8
"""A line with fewer characters says too little to be recognised elsewhere."""


class Spot(NamedTuple):
    """A line in one version of a file. `at` counts from 0; `alone`: no other line there reads the
    same.
    """

    text: str
    at: int
    line: str
    alone: bool = False


def normal(data: bytes) -> str:
    """A file's text as lines are compared: one kind of line end, and bytes that are no UTF-8 kept
    as they are.
    """
    text = data.decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n") if "\r" in text else text


def spot(text: str, at: int) -> Spot | None:
    """The line with a number; None where the text is shorter. Nothing after the last line end is no
    line.
    """
    lines = text.split("\n")
    if not 0 <= at < len(lines) or (at == len(lines) - 1 and not lines[at]):
        return None
    return Spot(text, at, lines[at])


def spot_of(text: str, ident: str) -> Spot | None:
    """The line that carries the claw comment of an entry."""
    if f"claw:{ident}" not in text:
        return None
    found = (at for at, line in enumerate(text.split("\n")) if claw_id(line) == ident)
    at = next(found, None)
    return None if at is None else spot(text, at)


def claw_id(line: str) -> str:
    return split(line).id if "claw:" in line else ""


def earlier(here: Spot, old: str) -> Spot | None:
    """Where the line stood in the version before; None where it was born in between."""
    alone = here.alone or _only(here.text, here.line) is not None
    if alone and (at := _only(old, here.line)) is not None:
        return Spot(old, at, here.line, alone=True)
    if (ident := claw_id(here.line)) and (found := spot_of(old, ident)):
        return found
    at = _counterpart(here, old)
    return None if at is None else spot(old, at)


def same_line(line: str, text: str) -> Spot | None:
    """The very same line in another text, where it stands there once."""
    at = _only(text, line)
    return None if at is None else Spot(text, at, line)


def moved_from(here: Spot, others: Mapping[str, tuple[str, str]]) -> tuple[str, Spot] | None:
    """The line that one change took away from one of its files (path → text before, text after) to
    put it here.
    """
    if len(split(here.line).visible.strip()) < TELLING:
        return None
    best, source = _MOVED, None
    for path, (before, after) in others.items():
        for at, line in _removed(before, after):
            likeness = _likeness(line, here.line, best)
            if likeness > best or (source is None and likeness == best):
                best, source = likeness, (path, Spot(before, at, line))
    return source


def _only(text: str, line: str) -> int | None:
    """The place of a line that stands in a text exactly once. Thousands of versions are told apart
    by this alone.
    """
    padded, wanted = f"\n{text}\n", f"\n{line}\n"
    first = padded.find(wanted)
    if first < 0 or padded.find(wanted, first + 1) >= 0:
        return None
    return padded.count("\n", 0, first)


def _counterpart(here: Spot, old: str) -> int | None:
    head = here.text.count("\n", 0, shared(here.text, old))
    if here.at < head:
        return here.at
    news, olds = here.text.split("\n"), old.split("\n")
    tail = _common(news[head:][::-1], olds[head:][::-1])
    if here.at >= len(news) - tail:
        return here.at - len(news) + len(olds)
    old_part, new_part = olds[head : len(olds) - tail], news[head : len(news) - tail]
    at = here.at - head
    for kind, i1, i2, j1, j2 in SequenceMatcher(
        None, old_part, new_part, autojunk=False
    ).get_opcodes():
        if j1 <= at < j2:
            if kind == "equal":
                return head + i1 + at - j1
            found = _reworded(new_part[j1:j2], at - j1, old_part[i1:i2])
            return None if found is None else head + i1 + found
    return None


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _reworded(news: Sequence[str], at: int, olds: Sequence[str]) -> int | None:
    """The old line that became the new one: the most alike, unless a neighbour is more alike to
    it.
    """
    best, found = _ALIKE, None
    for place, old in enumerate(olds):
        likeness = _likeness(old, news[at], best)
        if likeness > best or (found is None and likeness == best):
            best, found = likeness, place
    if found is None:
        return None
    rivals = (line for place, line in enumerate(news) if place != at)
    return None if any(_likeness(olds[found], line, best) > best for line in rivals) else found


def _likeness(old: str, new: str, floor: float) -> float:
    """How alike two lines read, 0 where that is below `floor`. The same id is beyond doubt, another
    one too.
    """
    mine, theirs = claw_id(old), claw_id(new)
    if mine and theirs:
        return 2.0 if mine == theirs else 0.0
    one, other = (_TAG.sub("", split(line).visible).strip() for line in (old, new))
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < floor or matcher.quick_ratio() < floor:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= floor else 0.0


def _removed(before: str, after: str) -> Iterator[tuple[int, str]]:
    left = Counter(after.split("\n"))
    for at, line in enumerate(before.split("\n")):
        if left[line]:
            left[line] -= 1
        elif line.strip():
            yield at, line
