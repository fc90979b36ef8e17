"""Cuts a text into what is judged together: items, headings and paragraphs, as somebody may read
them.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from clawgit.domain.safety.injection_markup import shown, whispered
from clawgit.domain.safety.injection_quotes import SENTENCE_END
from clawgit.domain.safety.plain_words import plain
from clawgit.language.lazily import lazily

_MARKER = lazily(r"^[\s>]{0,20}(?:[-*+]|[0-9]{1,9}[.)]|#{1,6}|>)\s{1,20}(?:\[[ xX]\]\s{1,20})?")

FEW_WORDS = 3
STRUNG = 4
"""Items and paragraphs of at most this many words are also judged together, if this many follow
each other.
"""

_NEAR = 2 * STRUNG * FEW_WORDS
"""So many lines hold that many short items, with a word on each line and blank lines between."""

_LONGEST_UNIT = 480
"""At most this many characters are judged together: in a longer text, one planted sentence is
lost.
"""


def is_short(unit: str) -> bool:
    """Whether an item or paragraph says so little that it is read with those beside it."""
    return len(unmarked(shown(unit)).split()) <= FEW_WORDS


def is_strung(lines: list[str], number: int) -> bool:
    """Whether a line begins one of so many short items and paragraphs that they are judged
    together.
    """
    first = max(0, number - 1 - _NEAR)
    near = units(lines[first : number + _NEAR])
    found = [(first + at, "\n".join(unit)) for at, unit in near]
    above = takewhile(is_short, (unit for at, unit in reversed(found) if at <= number))
    below = takewhile(is_short, (unit for at, unit in found if at > number))
    many = len([*above])
    return many > 0 and many + len([*below]) >= STRUNG


def units(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Items, headings and paragraphs, each with the number of its first line."""
    unit: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if unit and (not line.strip() or _MARKER.match(line)):
            yield number - len(unit), unit
            unit = []
        if line.strip():
            unit.append(line)


class Reading(NamedTuple):
    """Lines as somebody may read them."""

    within: range
    text: str


def readings(lines: list[str]) -> Iterator[Reading]:
    """Each item and paragraph as it stands, and in plain words; then what short ones say together.

    So an order written one word per item is read, too.
    """
    string: list[tuple[range, str]] = []
    for first, unit in [*units(lines), (len(lines) + 1, [])]:
        within, written = range(first, first + len(unit)), "\n".join(unit)
        seen, bare = _read_as(written)
        words = unmarked(seen).split()
        if not 0 < len(words) <= FEW_WORDS:
            if len(string) >= STRUNG:
                said = range(string[0][0].start, string[-1][0].stop)
                yield Reading(said, plain(" ".join(text for _, text in string)))
            string = []
        else:
            string.append((within, " ".join(words)))
        if not unit:
            continue
        yield Reading(within, seen)
        if bare != seen:
            yield Reading(within, bare)


@lru_cache(maxsize=1024)  # a file is read whole at each write, and most of it stays as it is
def _read_as(unit: str) -> tuple[str, str]:
    """An item or paragraph as it is shown, and in plain words with those of its comments."""
    seen = shown(unit)
    return seen, plain(f"{seen} {whispered(unit)}".rstrip() if "<!--" in unit else seen)


def unmarked(line: str) -> str:
    """A line without the mark of an item, a quote or a heading."""
    mark = _MARKER.match(line)
    return line[mark.end() :] if mark else line


def parts_of(text: str) -> Iterator[str]:
    """A text in parts of whole sentences. Each begins with the sentence that ends the one before
    it.
    """
    if len(text) <= _LONGEST_UNIT:
        yield text
        return
    part: list[str] = []
    for more in _sentences(text):
        if part and sum(map(len, part)) + len(more) > _LONGEST_UNIT:
            yield "".join(part)
            part = part[-1:] if len(part[-1]) + len(more) <= _LONGEST_UNIT else []
        part.append(more)
    yield "".join(part)


def _sentences(text: str) -> Iterator[str]:
    """All of a text, cut at the ends of sentences, or where one is too long."""
    start = 0
    for end in (*(match.end() for match in SENTENCE_END.finditer(text)), len(text)):
        for at in range(start, end, _LONGEST_UNIT):
            yield text[at : min(end, at + _LONGEST_UNIT)]
        start = end
