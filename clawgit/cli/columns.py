"""Text in the columns of a terminal: how wide it is, where it is cut, how styled words wrap."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import TextIO
from unicodedata import combining, east_asian_width

from clawgit.doors import shutil
from clawgit.values import NamedTuple

UNLIMITED = 1_000_000
"""The width of an output that is no terminal: nothing is wrapped or cut for it."""

_LEAST = 20
_CUT = "…"
_HALF = 12
"""If no more than this many characters of a cut word would be shown, none are."""

_WORDS = re.compile(r"[ ]|[^ ]+")
_LOOSE = " .,;:"
"""Characters that are removed before the sign."""

Style = Callable[[str], str]


class Styled(NamedTuple):
    """Some words and how they are printed."""

    text: str
    style: Style


def terminal_width(stream: TextIO | None = None) -> int:
    """The columns of the terminal that the answer goes to, or another stream."""
    if not (stream or sys.stdout).isatty():
        return UNLIMITED
    return max(shutil.get_terminal_size().columns, _LEAST)


def width(text: str) -> int:
    """How many columns a text takes; it must hold no escape sequences."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, columns: int) -> str:
    """The beginning of a text, with a sign if something is missing; a short word is not cut."""
    if width(text) <= columns:
        return text
    head = _head(text, columns - 1)
    words, blank, half = head.rpartition(" ")
    is_half = blank and text[len(head)] != " " and len(half) <= min(_HALF, len(words))
    return f"{(words if is_half else head).rstrip(_LOOSE)}{_CUT}"


def cut_front(text: str, columns: int) -> str:
    """The end of a text, with a sign if something is missing."""
    if width(text) <= columns:
        return text
    return f"{_CUT}{_head(text[::-1], columns - 1)[::-1]}"


def wrapped(parts: Iterable[Styled], columns: int, *, whole: bool = False) -> list[str]:
    """The rows of some words, each row at most so wide.

    A word that is too long is broken; with `whole` it gets its own row, so that a path or an
    address can be copied.
    """
    rows: list[list[Styled]] = [[]]
    used = 0
    for atom in _atoms(parts, UNLIMITED if whole else columns):
        size = width(atom.text)
        if used and used + size > columns:
            rows.append([])
            used = 0
        if used or atom.text != " ":
            rows[-1].append(atom)
            used += size
    return [_printed(row) for row in rows]


def hanging(text: str, style: Style, indent: int) -> str:
    """A text without escape sequences, each of its rows indented."""
    rows = wrapped([Styled(text, style)], max(terminal_width() - indent, _LEAST))
    return "\n".join(" " * indent + row for row in rows)


def _printed(row: Iterable[Styled]) -> str:
    """A row with as few changes of style as it needs, and no blanks at its end."""
    runs = groupby(row, key=attrgetter("style"))
    texts = [(style, "".join(atom.text for atom in atoms)) for style, atoms in runs]
    if texts:
        style, text = texts.pop()
        texts.append((style, text.rstrip()))
    return "".join(style(text) for style, text in texts if text)


def _atoms(parts: Iterable[Styled], columns: int) -> Iterator[Styled]:
    """The parts that are never broken: a word or a blank; for wide or too long words, each
    character.
    """
    for text, style in parts:
        for word in _WORDS.findall(text):
            is_narrow = width(word) == len(word) <= columns
            yield from (
                [Styled(word, style)] if is_narrow else (Styled(sign, style) for sign in word)
            )


def _head(text: str, columns: int) -> str:
    used = 0
    for at, sign in enumerate(text):
        used += _columns(sign)
        if used > columns:
            return text[:at]
    return text


def _columns(sign: str) -> int:
    if combining(sign) or sign in "\u200b\u200d\ufe0f":
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1
