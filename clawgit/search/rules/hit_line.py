"""The line of a hit: the sentence that answers a question, and what stands beside it."""

from collections.abc import Iterable

from clawgit.core import NamedTuple
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.item import Item
from clawgit.language.clauses import sentences
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import stemmed
from clawgit.language.terms import held
from clawgit.search.rules.question import Asked

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

_WORD = lazily(r"\w+")
_LINE = lazily(r"[^\n]*\S[^\n]*")
_TAGS = lazily(r"\s*(?:#[^\s#]+\s*)+")


class HitLine(NamedTuple):
    """One item, shown as a line.

    `first` and `last` are the lines of the item that the text stands on, counted from 0.
    """

    text: str
    before: str
    after: str
    first: int = 0
    last: int = 0


_Place = tuple[int, int]
"""Where a sentence, or a line where lines are no sentences, begins and ends."""


def hit_line(text: str, kind: str, asked: Asked) -> HitLine:
    """The sentence of an item that holds most of the question's words or comes nearest to
    them; the first among equals.

    The text must be masked already: a mask does not recognise half a secret.
    """
    places = _places(text, kind)
    start, end = best = places[0]
    if len(places) > 1:
        start, end = best = max(places, key=lambda place: asked.worth(held(text[slice(*place)])))
    line, at = one_line(text[start:end]), places.index(best)
    is_long = len(line) > LONGEST
    return HitLine(
        text=_cut_to_match(line, asked) if is_long else line,
        before="" if is_long or not at else _end_of(text[places[0][0] : places[at - 1][1]]),
        after="" if is_long or best == places[-1] else beginning(text[places[at + 1][0] :]),
        first=text.count("\n", 0, start),
        last=text.count("\n", 0, end),
    )


def matches(text: str, asked: Iterable[str]) -> list[_Place]:
    """Where words that were asked for stand in a text, in order; only their endings may differ."""
    sought = {*map(_stem, asked)}
    written = _WORD.finditer(text)
    return [one.span() for one in written if not sought.isdisjoint(map(_stem, held(one[0])))]


def _stem(word: str) -> str:
    return stemmed(word, "porter")


def beginning(text: str) -> str:
    """The beginning of a text, cut to the length that is shown next to a hit."""
    return in_a_line(text, BESIDE)


def _end_of(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= BESIDE else _CUT + line[-BESIDE:].partition(" ")[2]


def _places(text: str, kind: str) -> list[_Place]:
    whole = [(0, len(text))]
    if kind in _BY_ROW:
        return whole
    lines = [match.span() for match in _LINE.finditer(text)]
    return (kind not in _BY_LINE and _sentences(text)) or lines or whole


def _sentences(text: str) -> list[_Place]:
    """The sentences, each with the tags after it, which are not a sentence of their own, and with
    what follows a stop that may be that of an abbreviation: `max. two`, `Bj. 2019`.
    """
    places: list[_Place] = []
    for start, end, _ in sentences(text):
        first, is_tag = text[start], _TAGS.fullmatch(text, start, end)
        has_stop = text[:start].rstrip().endswith(".")
        if places and (is_tag or (has_stop and (first.islower() or first.isdecimal()))):
            places[-1] = places[-1][0], end
        else:
            places.append((start, end))
    return places


def _cut_to_match(line: str, asked: Asked) -> str:
    """The part of a long line that holds most matches, with a sign where it was cut."""
    starts = [start for start, _ in matches(line, asked.terms)] or [0]
    first = max(starts, key=lambda start: sum(start <= other < start + LONGEST for other in starts))
    start = max(0, min(first - _LEAD, len(line) - LONGEST))
    # A word begins after a blank; in a text without blanks the cut stays where it is.
    start = line.find(" ", start, first) + 1 or start
    return f"{_CUT if start else ''}{in_a_line(line[start:], LONGEST)}"


def follows(upper: Item, lower: Item) -> bool:
    """Whether two items stand in one section. Pieces of one long item share lines, and are never
    put together; front matter stands alone, since it says what the note is.
    """
    apart = {"heading", FRONT} & {upper.kind, lower.kind} or lower.opens
    return not apart and upper.end_line < lower.line


def covers(line: int, shown: Iterable[Item]) -> bool:
    """Whether a line is part of one of these items of its file."""
    return any(item.line <= line <= item.end_line for item in shown)
