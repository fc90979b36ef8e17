"""Splits a text into sentences in one pass, with or without punctuation."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from clawgit.language.files import SHARED, codes, listed
from clawgit.language.lazily import lazily
from clawgit.language.tokens import fold

_FENCE = lazily(r"[ \t>]*(`{3,}|~{3,})")
_MARKUP = lazily(r"(?:[ \t]|>|#{1,6}[ \t]|[-*+•·][ \t]+(?:\[[ xX]\][ \t])?|\d{1,3}[.)][ \t]+)*")
_RULE = lazily(r"[\s|:=+*_-]*$")
_ITEM = lazily(r"[ \t]*(?:[-*+•·>#|]|\d{1,3}[.)][ \t])")
# Possessive quantifiers (`++`) keep the time linear on rows of signs such as `!!!!…`.
_ENDS = lazily("[.!?…]++[\"'”’)\\]»*_]*+(?=\\s|\\Z)|[。！？｡]++[」』”’）】\"']*+")
_LAST_WORD = lazily(r"[^\s(\"“]{1,12}\Z")
_WRAPPED = 60
"""A line of at least this length may continue in the next one."""
_INITIAL = 2
_BLANKS = 3
"""More blanks than this between a word and a stop part them."""


class Span(NamedTuple):
    """`text` is always `source[start:end]`."""

    start: int
    end: int
    text: str


def span(source: str, start: int, end: int) -> Span:
    return Span(start, end, source[start:end])


def trimmed(source: str, start: int, end: int) -> Span:
    """The same piece without white space at its edges."""
    text = source[start:end]
    inner = text.strip()
    begin = start + len(text) - len(text.lstrip())
    return Span(begin, begin + len(inner), inner)


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a text, without code fences and HTML comments."""
    return tuple(sentence for start, end in _blocks(text) for sentence in _parted(text, start, end))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines that belong together: an item, a row, a heading, a paragraph."""
    begin, last_line = -1, ""
    for start, line in _outside_fences(text):
        if begin >= 0 and _goes_on(last_line, line):
            last_line = line
            continue
        if begin >= 0:
            yield begin, start
        begin = start if line.strip() else -1
        last_line = line
    if begin >= 0:
        yield begin, len(text)


def _outside_fences(text: str) -> Iterator[tuple[int, str]]:
    """Where each line outside code fences begins, and the line. The fence itself is a
    blank line.
    """
    opened = ""
    at = 0
    for line in _without_comments(text).split("\n"):
        start, at = at, at + len(line) + 1
        fence = _FENCE.match(line)
        if fence and (not opened or fence[1].startswith(opened)):
            opened = "" if opened else fence[1][:3]
            yield start, ""
        elif not opened:
            yield start, line


def _goes_on(before: str, line: str) -> bool:
    """Whether a line continues the one before: a long line without an end, then a small letter."""
    rest = line.strip()
    if len(before) < _WRAPPED or not rest:
        return False
    if _ITEM.match(line) or before.lstrip().startswith(("#", "|")):
        return False
    return before.rstrip()[-1:] not in ".!?:。！？" and rest[0].islower()


def _without_comments(text: str) -> str:
    """The same length, comments blank: their line ends stay."""
    if "<!--" not in text:
        return text
    pieces, at = [], 0
    while (begin := text.find("<!--", at)) >= 0:
        end = text.find("-->", begin)
        if end < 0:
            break
        pieces.append(text[at:begin])
        pieces.append("".join(sign if sign == "\n" else " " for sign in text[begin : end + 3]))
        at = end + 3
    return "".join((*pieces, text[at:]))


def _parted(text: str, start: int, end: int) -> Iterator[Span]:
    block = _without_comments(text[start:end])
    if _RULE.match(block):
        return
    markup = _MARKUP.match(block)
    begin = markup.end() if markup else 0
    if block[begin : begin + 1] == "|":
        yield _row(text, start + begin, start + len(block.rstrip()))
        return
    for stop in _ENDS.finditer(block):
        if stop.start() >= begin and not _is_inside(block, begin, stop):
            yield trimmed(text, start + begin, start + stop.end())
            begin = stop.end()
    if block[begin:].strip():
        yield trimmed(text, start + begin, start + begin + len(block[begin:].rstrip()))


def _row(text: str, start: int, end: int) -> Span:
    """A row of a table without the bars at its edges."""
    inner = text[start:end]
    begin = start + len(inner) - len(inner.lstrip("| "))
    return trimmed(text, begin, max(begin, start + len(inner.rstrip("| "))))


def _is_inside(block: str, begin: int, stop: re.Match[str]) -> bool:
    """Whether a stop ends no sentence: one of an abbreviation, or with no word before it, as in a
    cell of dots; nor does one before a small letter, as an ellipsis has.
    """
    if _is_abbreviated(block, begin, stop):
        return True
    if not stop[0].startswith((".", "…")):
        return False
    before = block[max(begin, stop.start() - _BLANKS) : stop.start()].rstrip()
    is_long = stop[0].startswith(("..", "…"))
    goes_on = is_long and block[stop.end() : stop.end() + 2].strip()[:1].islower()
    return goes_on or before[-1:] in ("", "|", ".")


def _is_abbreviated(block: str, begin: int, stop: re.Match[str]) -> bool:
    """A stop after `e.g`, an initial or a number of a day does not end a sentence."""
    if not stop[0].startswith(".") or stop.end() >= len(block):
        return False
    before = _LAST_WORD.search(block, max(begin, stop.start() - 12), stop.start())
    if not before:
        return False
    word = before[0].casefold()
    if word in _abbreviations() or _is_initial(before[0]):
        return True
    if not word.isdecimal() or len(word) > _INITIAL:
        return False
    # `3. März` is a day. A number that is the whole sentence is that of an item.
    follows = block[stop.end() : stop.end() + 2].lstrip()
    return not follows[:1].isdecimal() and stop.start() - begin > len(word)


def _is_initial(word: str) -> bool:
    """Whether a word is a single capital, but not the English I."""
    is_short = len(word.casefold()) < _INITIAL
    return is_short and word.isalpha() and word.isupper() and word != "I"


@cache
def _abbreviations() -> frozenset[str]:
    files = (SHARED, *codes())
    return frozenset(fold(word) for name in files for word in listed(name, "abbreviations"))
