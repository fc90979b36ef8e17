"""The line of a hit: the sentence that answers a question, and what stands beside it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.item import Item
from clawgit.language.clauses import sentences
from clawgit.language.lazily import lazily
from clawgit.search.rules.question import Asked
from clawgit.search.rules.terms import held, matches

FRONT = "front"
"""The kind of the item that says what a note is: its title, other names, tags."""

LONGEST = 240
"""The most characters of the sentence: three rows of a terminal. A longer one is cut around its
matches.
"""

BESIDE = 100
"""At most this many characters are shown of the text before it, and as many of the text after
it.
"""

_LEAD = 40
"""Characters before the first match that stay when a long sentence is cut."""

_CUT = "…"
_BY_LINE = ("fence", "code", "html")
"""Kinds of items whose lines are no sentences."""

_BY_ROW = (FRONT, "table")
"""Kinds of items that are shown whole."""

_TAGS = lazily(r"\s*(?:#[^\s#]+\s*)+")


class HitLine(NamedTuple):
    """One item, shown as a line.

    `first` and `last` are the lines of the item that the text stands on, counted from 0.
    """

    text: str
    before: str = ""
    after: str = ""
    first: int = 0
    last: int = 0


class _Unit(NamedTuple):
    """A sentence, or a line where lines are no sentences."""

    start: int
    end: int


def hit_line(text: str, kind: str, asked: Asked) -> HitLine:
    """The sentence of an item that holds most of the question's words or comes nearest to
    them; the first among equals.

    The text must be masked already: a mask does not recognise half a secret.
    """
    units = [*_units(text, kind)]
    best = units[0]
    if len(units) > 1:
        best = max(units, key=lambda unit: asked.worth(held(text[slice(*unit)])))
    line = one_line(text[slice(*best)])
    shown = _cut_to_match(line, asked)
    at = units.index(best)
    is_cut = not line.startswith(shown.removesuffix(_CUT))
    ends_cut = shown != line and shown.endswith(_CUT)
    return HitLine(
        text=shown,
        before="" if is_cut else _end_of(_told(text, units[:at])),
        after="" if ends_cut else beginning(_told(text, units[at + 1 :])),
        first=text.count("\n", 0, best.start),
        last=text.count("\n", 0, best.end),
    )


def beginning(text: str) -> str:
    """The beginning of a text, cut to the length that is shown next to a hit."""
    line = one_line(text)
    return line if len(line) <= BESIDE else _whole_words(line[:BESIDE], line) + _CUT


def _units(text: str, kind: str) -> Iterator[_Unit]:
    spans: Sequence[_Unit] = ()
    if kind in _BY_ROW:
        spans = [_Unit(0, len(text))]
    elif kind not in _BY_LINE:
        spans = _joined([_Unit(span.start, span.end) for span in sentences(text)], text)
    yield from spans or _lines(text)


def _joined(spans: Sequence[_Unit], text: str) -> list[_Unit]:
    """The sentences, each with the tags after it, which are not a sentence of their own, and with
    what follows a stop that may be that of an abbreviation: `max. two`, `Bj. 2019`.
    """
    units: list[_Unit] = []
    for span in spans:
        first, is_tag = text[span.start], _TAGS.fullmatch(text, *span)
        has_stop = text[: span.start].rstrip().endswith(".")
        if units and (is_tag or (has_stop and (first.islower() or first.isdecimal()))):
            units[-1] = units[-1]._replace(end=span.end)
        else:
            units.append(span)
    return units


def _lines(text: str) -> Iterator[_Unit]:
    """The lines that say something; the whole text if none does."""
    start = 0
    is_empty = True
    for line in text.split("\n"):
        if line.strip():
            is_empty = False
            yield _Unit(start, start + len(line))
        start += len(line) + 1
    if is_empty:
        yield _Unit(0, len(text))


def _told(text: str, units: Sequence[_Unit]) -> str:
    return text[units[0].start : units[-1].end] if units else ""


def _cut_to_match(line: str, asked: Asked) -> str:
    """The part of a long line that holds most matches, with a sign where it was cut."""
    if len(line) <= LONGEST:
        return line
    starts = [start for start, _ in matches(line, asked.terms)] or [0]
    first = max(starts, key=lambda start: sum(start <= other < start + LONGEST for other in starts))
    start = max(0, min(first - _LEAD, len(line) - LONGEST))
    if start == 0:
        return f"{_whole_words(line[:LONGEST], line)}{_CUT}"
    # A word begins after a blank; in a text without blanks the cut stays where it is.
    blank = line.find(" ", start, first)
    start = blank + 1 if blank >= 0 else start
    part = line[start : start + LONGEST]
    if start + len(part) == len(line):
        return _CUT + part
    return f"{_CUT}{_whole_words(part, line[start:])}{_CUT}"


def _end_of(text: str) -> str:
    line = one_line(text)
    if len(line) <= BESIDE:
        return line
    part = line[-BESIDE:]
    return _CUT + (part if " " not in part else part.partition(" ")[2])


def _whole_words(part: str, line: str) -> str:
    """The beginning of a line without the half word at its end."""
    is_whole = line[len(part) : len(part) + 1].isspace()
    return part if is_whole or " " not in part else part.rpartition(" ")[0]


def follows(upper: Item, lower: Item) -> bool:
    """Whether two items stand in one section. Pieces of one long item share lines, and are never
    put together; front matter stands alone, since it says what the note is.
    """
    apart = {"heading", FRONT} & {upper.kind, lower.kind} or lower.opens
    return not apart and upper.end_line < lower.line


def covers(line: int, shown: Iterable[Item]) -> bool:
    """Whether a line is part of one of these items of its file."""
    return any(item.line <= line <= item.end_line for item in shown)
