"""A file without forgotten words.

An entry that holds them goes whole, with its comment and what is nested in it. Anywhere else, only
the words go, and the line says that something was there.
"""

from collections.abc import Iterable
from typing import NamedTuple

from clawgit.domain.forgetting.needle import Matcher
from clawgit.domain.markdown.decoding import text_of, wide_encoding
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.markdown.scan import Block, lines_of, scan


class Standing(NamedTuple):
    """A line that holds forgotten words; `goes`: all of it does, as it is an entry."""

    path: str
    line: int
    text: str
    goes: bool


def wiped(path: str, text: str, matcher: Matcher) -> str:
    """A text of the file at `path`, without the words."""
    if not matcher.is_in(text):
        return text
    if holds_entries(path):
        lines = lines_of(text)
        gone = _lines_gone(text, matcher)
        text = "".join(line for at, line in enumerate(lines) if at not in gone)
    return matcher.without(text)


def wiped_bytes(path: str, data: bytes, matcher: Matcher) -> bytes:
    """The same for the bytes of a file. What is no text is emptied: nobody can cut it."""
    if not matcher.is_in_bytes(data):
        return data
    encoding = wide_encoding(data)
    if encoding:
        after = wiped(path, data.decode(encoding, "surrogateescape"), matcher)
        return after.encode(encoding, "surrogateescape")
    if b"\0" in data:
        return b""
    return wiped(path, data.decode("utf-8", "surrogateescape"), matcher).encode(
        "utf-8", "surrogateescape"
    )


def standings(path: str, data: bytes, matcher: Matcher) -> list[Standing]:
    """The lines of a file that hold the words, each as it would go or be cut."""
    text = text_of(data)
    spans = matcher.spans(text)
    if not spans:
        return []
    gone = _lines_gone(text, matcher) if holds_entries(path) else frozenset[int]()
    lines = lines_of(text)
    numbers = sorted({text.count("\n", 0, start) for start, _ in spans})
    return [
        Standing(path, number + 1, lines[number].strip(), goes=number in gone) for number in numbers
    ]


def _lines_gone(text: str, matcher: Matcher) -> frozenset[int]:
    """The lines, from 0, of the list items that hold the words: of nested ones the innermost."""
    gone: set[int] = set()
    for block in scan(text):
        if block.kind == "item" and matcher.is_in(block.text):
            gone.update(_innermost(block, matcher))
    return frozenset(gone)


def _innermost(block: Block, matcher: Matcher) -> Iterable[int]:
    lines = lines_of(block.text)
    starts = [at for at, line in enumerate(lines) if at == 0 or _is_nested(line)]
    for start, _ in matcher.spans(block.text):
        at = block.text.count("\n", 0, start)
        own = max(begin for begin in starts if begin <= at)
        end = next((n for n in starts if n > own and _depth(lines[n]) <= _depth(lines[own])), None)
        last = len(lines) if end is None or own == 0 else end
        yield from range(block.line - 1 + own, block.line - 1 + last)


def _is_nested(line: str) -> bool:
    words = line.lstrip(" \t")
    return words != line and words[:2] in ("- ", "* ", "+ ")


def _depth(line: str) -> int:
    spaced = line.expandtabs(4)
    return len(spaced) - len(spaced.lstrip(" "))
