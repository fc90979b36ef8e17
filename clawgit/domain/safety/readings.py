"""Cuts a text into what is judged together: items, headings and paragraphs, as somebody may read
them.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.safety.hidden_markup import shown, whispered
from clawgit.domain.safety.plain_words import plain
from clawgit.language.lazily import lazily

_MARKER = lazily(r"^[\s>]{0,20}(?:[-*+]|[0-9]{1,9}[.)]|#{1,6}|>)\s{1,20}(?:\[[ xX]\]\s{1,20})?")

_FENCE = lazily(r"[\s>]{0,20}(?:`{3,9}|~{3,9})[\w+-]{0,20}\s*$")
"""It parts what stands in it from what is around it, and says nothing itself."""

_SENTENCE_END = lazily(r"(?<=[.!?])\s|(?<=[。！？\n])")

FEW_WORDS = 3
STRUNG = 4
"""Items and paragraphs of at most this many words are also judged together, if this many follow
each other.
"""

_LONGEST_UNIT = 480
"""At most this many characters are judged together: in a longer text, one planted sentence is
lost.
"""


def is_short(unit: str) -> bool:
    """Whether an item or paragraph says so little that it is read with those beside it."""
    return len(unmarked(shown(unit)).split()) <= FEW_WORDS


def units(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Items, headings and paragraphs, each with the number of its first line."""
    unit: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        is_gap = not line.strip() or _FENCE.match(line) is not None
        if unit and (is_gap or _MARKER.match(line) or unit[-1].lstrip(" >").startswith("#")):
            yield number - len(unit), unit
            unit = []
        if not is_gap:
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
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        for at in range(start, end, _LONGEST_UNIT):
            yield text[at : min(end, at + _LONGEST_UNIT)]
        start = end
