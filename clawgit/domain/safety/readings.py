"""Cuts a text into what is judged together: items, headings and paragraphs, as somebody may read
them.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.safety.hidden_markup import shown
from clawgit.domain.safety.hidden_text import as_browsed, in_latin, redrawn
from clawgit.doors import html
from clawgit.language.lazily import lazily

_MARKER = lazily(r"^[\s>]{0,20}(?:[-*+]|[0-9]{1,9}[.)]|#{1,6}|>)\s{1,20}(?:\[[ xX]\]\s{1,20})?")

_FENCE = lazily(r"[\s>]{0,20}(?:`{3,9}|~{3,9})[\w+-]{0,20}\s*$")
"""It parts what stands in it from what is around it, and says nothing itself."""

_SENTENCE_END = lazily(r"(?<=[.!?])\s|(?<=[。！？\n])")

_MARK = lazily(r"~~|</?[a-z]{1,6}(?:\s[^<>\n]{0,80})?/?>", re.IGNORECASE)
"""Marks within a line that a rendered page does not show."""

_JOINED = lazily(r"(?<![^\W\d_])[^\W\d_]{1,24}+(?:[_.~+|=,:;/\\-]{1,3}+[^\W\d_]{1,24}+){3,}")
"""At least four words with a sign in place of each blank. A path is one too, and is harmless."""

_JOINT = lazily(r"[_.~+|=,:;/\\-]+")
_HUMPED = lazily(r"(?<![A-Za-z])[A-Za-z][a-z]{0,24}+(?:[A-Z][a-z]{0,24}+){3,}")
"""At least four words, each known by its capital letter."""

_HUMP = lazily(r"(?<=[a-z])(?=[A-Z])")

_LONGEST_UNIT = 480
"""At most this many characters are judged together: in a longer text, one planted sentence is
lost.
"""


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
    """Each item and paragraph as it stands, and in plain words."""
    for first, unit in units(lines):
        within, seen = range(first, first + len(unit)), shown("\n".join(unit))
        for text in dict.fromkeys((seen, plain(seen))):
            yield Reading(within, text)


@lru_cache(maxsize=1024)  # a file is read whole at each write, and most of it stays as it is
def plain(text: str) -> str:
    """A text as a reader takes it: without entities, marks within words, odd letters and signs that
    stand for blanks. An agent reads `Ignore_all_previous_instructions` just as well.
    """
    text = _MARK.sub("", html.unescape(as_browsed(text)))
    if not text.isascii():
        text = in_latin(unicodedata.normalize("NFKC", redrawn(text, lambda _: "")))
    text = _JOINED.sub(lambda run: _JOINT.sub(" ", run[0]), text)
    return _HUMPED.sub(lambda run: _HUMP.sub(" ", run[0]), text)


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
