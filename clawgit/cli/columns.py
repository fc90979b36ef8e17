"""Text in the columns of a terminal: how wide it is, where it is cut, how styled words wrap."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TextIO
from unicodedata import combining, east_asian_width

from clawgit.doors import shutil

UNLIMITED = 1_000_000
"""The width of an output that is no terminal: nothing is wrapped or cut for it."""

_LEAST = 20
_TELLING = 24
"""The beginning of a line says something from about so many columns on."""

_CUT = "…"
_HALF = 12
"""If no more than this many characters of a cut word would be shown, none are."""

_WORDS = re.compile(r"[ ]|[^ ]+")
_SIGN = re.compile(
    # Two letters make a flag. A mark, a skin tone and what is joined belong to the sign before.
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|.(?:[\u0300-\u036f\u20d0-\u20ff\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|(?<=\u200d).)*",
    re.DOTALL,
)
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


def room_beside(left: int, below: int) -> int:
    """How long the last words of a line may be: what is beside these columns, and in a narrow
    terminal, where that would say too little, also a row below, with this indent.
    """
    columns = terminal_width()
    beside = columns - left
    return beside if beside >= _TELLING else max(columns - below, _LEAST)


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
    used, tail = 0, ""
    for sign in reversed(_SIGN.findall(text)):
        used += width(sign)
        if used > columns - 1:
            break
        tail = sign + tail
    return f"{_CUT}{tail}"


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
    """The parts that are never broken: a word or a blank; for wide or too long words, each sign."""
    for text, style in parts:
        for word in _WORDS.findall(text):
            is_narrow = width(word) == len(word) <= columns
            yield from (
                [Styled(word, style)]
                if is_narrow
                else (Styled(sign, style) for sign in _SIGN.findall(word))
            )


def _head(text: str, columns: int) -> str:
    used = 0
    for sign in _SIGN.finditer(text):
        used += width(sign[0])
        if used > columns:
            return text[: sign.start()]
    return text


def _columns(sign: str) -> int:
    if combining(sign) or sign in "\u200b\u200d\ufe0f":
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1
