"""Lines of a file: as a search names them, and followed back in history, to their place one version
earlier or the file that they came from.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from clawgit.core import NamedTuple
from clawgit.core.doors import difflib
from clawgit.core.markdown.comment import split
from clawgit.core.markdown.decoding import exact_text
from clawgit.git.rules.common_ends import common_start
from clawgit.language.lazily import lazily

Where = TypeVar("Where")
_ALIKE = 0.5
"""A line that is at least this much like the one it replaced is the same line, reworded."""

_MOVED = 0.85
"""Across files the place says nothing, so the words must agree more."""

_TAG = lazily(r"\s#[\w-]+")

TELLING = 8
"""A line with fewer characters says too little to be recognised elsewhere."""

_PLACE = lazily(r"(?P<path>(?s:.+?))(?::|#L)(?P<line>[0-9]+)(?:-L?(?P<last>[0-9]+))?")


class Place(NamedTuple):
    path: str
    line: int
    last: int


def place_of(name: str) -> Place | None:
    """The place that a name is: PATH:LINE, PATH:LINE-LINE or PATH#LLINE-LLINE; None if it names no
    line.
    """
    found = _PLACE.fullmatch(name)
    if found is None:
        return None
    return Place(found["path"], int(found["line"]), int(found["last"] or found["line"]))


class Spot(NamedTuple):
    """A line in one version of a file. `at` counts from 0; `alone`: no other line is the same."""

    text: str
    at: int
    line: str
    alone: bool = False


def normal(data: bytes | None) -> str:
    """A file's text for comparing lines: one kind of line end, invalid UTF-8 kept as it is."""
    text = exact_text(data)
    return text.replace("\r\n", "\n") if "\r" in text else text


def spot(text: str, at: int) -> Spot | None:
    """The line with that number, or None. After the last line end there is no further line."""
    lines = text.split("\n")
    if not 0 <= at < len(lines) or (at == len(lines) - 1 and not lines[at]):
        return None
    return Spot(text, at, lines[at])


def spot_of(text: str, ident: str) -> Spot | None:
    """The line that carries the claw comment of an entry."""
    if f"claw:{ident}" not in text:
        return None
    places = (at for at, line in enumerate(text.split("\n")) if claw_id(line) == ident)
    return next((spot(text, at) for at in places), None)


def claw_id(line: str) -> str:
    return split(line).id if "claw:" in line else ""


def earlier(here: Spot, old: str) -> Spot | None:
    """Where the line stood in the version before; None if it is new."""
    # The cheap looks come first: a history has a thousand versions, and most leave a line alone.
    is_alone = here.alone or _only(here.text, here.line) is not None
    if is_alone and (then := same_line(here.line, old)):
        return then
    ident = claw_id(here.line)
    if ident and (entry := spot_of(old, ident) or _renamed(here, old)):
        return entry
    at = _counterpart(here, old)
    return None if at is None else spot(old, at)


def _renamed(here: Spot, old: str) -> Spot | None:
    """The only line with these words, under another id: of two texts of one entry, a merge gives
    one a new id.
    """
    words = _words(here.line)
    olds, news = ([*map(_words, text.split("\n"))] for text in (old, here.text))
    return spot(old, olds.index(words)) if olds.count(words) == news.count(words) == 1 else None


def same_line(line: str, text: str) -> Spot | None:
    """The same line in another text, if it stands there exactly once."""
    at = _only(text, line)
    return None if at is None else Spot(text, at, line, alone=True)


def moved_from(here: Spot, others: Mapping[str, tuple[str, str]]) -> tuple[str, Spot] | None:
    """The line that the same change removed from another file: its path and place.

    `others`: path → text before and text after the change.
    """
    if len(split(here.line).visible.strip()) < TELLING:
        return None
    removed = (
        ((path, Spot(before, at, line)), line)
        for path, (before, after) in others.items()
        for at, line in _removed(before, after)
    )
    return _most_alike(here.line, removed, _MOVED)[0]


def _most_alike(
    line: str, olds: Iterable[tuple[Where, str]], floor: float
) -> tuple[Where | None, float]:
    """Where the first of the old lines most like a line is, and how alike; None below `floor`."""
    best: Where | None = None
    for where, old in olds:
        likeness = how_alike(old, line, floor)
        if likeness > floor or (best is None and likeness == floor):
            best, floor = where, likeness
    return best, floor


def _only(text: str, line: str) -> int | None:
    """The place of a line that stands in a text exactly once. Plain string search, since it runs
    for thousands of versions.
    """
    padded = f"\n{text}\n"
    row = f"\n{line}\n"
    first = padded.find(row)
    if first < 0 or padded.find(row, first + 1) >= 0:
        return None
    return padded.count("\n", 0, first)


def _counterpart(here: Spot, old: str) -> int | None:
    """The place of the line in the old text by a diff; None if it is new."""
    # What both texts begin and end with is cut off first: a diff of the whole is slow.
    head = here.text.count("\n", 0, common_start(here.text, old))
    if here.at < head:
        return here.at
    news = here.text.split("\n")
    olds = old.split("\n")
    tail = common_start(news[head:][::-1], olds[head:][::-1])
    if here.at >= len(news) - tail:
        return here.at - len(news) + len(olds)
    old_part = olds[head : len(olds) - tail]
    new_part = news[head : len(news) - tail]
    at = here.at - head
    matcher = difflib.SequenceMatcher(None, old_part, new_part, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if not j1 <= at < j2:
            continue
        if kind == "equal":
            return head + i1 + at - j1
        place = _reworded(new_part[j1:j2], at - j1, old_part[i1:i2])
        return None if place is None else head + i1 + place
    return None


def _reworded(news: Sequence[str], at: int, olds: Sequence[str]) -> int | None:
    """The place of the old line most like the new one, unless a neighbour is more like it."""
    match, best = _most_alike(news[at], enumerate(olds), _ALIKE)
    if match is None:
        return None
    for place, rival in enumerate(news):
        if place != at and how_alike(olds[match], rival, best) > best:
            return None
    return match


def how_alike(old: str, new: str, floor: float) -> float:
    """How alike two lines read, 0 if less than `floor`. Ids, if both have one, decide alone."""
    old_id = claw_id(old)
    new_id = claw_id(new)
    if old_id and new_id:
        return 2.0 if old_id == new_id else 0.0
    old_words = _words(old)
    new_words = _words(new)
    if not old_words or not new_words:
        return 0.0
    if old_words == new_words:
        return 1.0
    matcher = difflib.SequenceMatcher(None, old_words, new_words, autojunk=False)
    # First two upper bounds, the cheaper one first, then the ratio itself.
    if matcher.real_quick_ratio() < floor or matcher.quick_ratio() < floor:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= floor else 0.0


def _words(line: str) -> str:
    """A line without its comment and tags."""
    return _TAG.sub("", split(line).visible).strip()


def _removed(before: str, after: str) -> Iterator[tuple[int, str]]:
    left = Counter(after.split("\n"))
    for at, line in enumerate(before.split("\n")):
        if left[line]:
            left[line] -= 1
        elif line.strip():
            yield at, line
