"""The command that runs and its terminal: the options that every command takes, as they were given
to this one; how wide the terminal is, where text is cut.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO
from unicodedata import combining, east_asian_width

UNLIMITED = 1_000_000
"""The width of an output that is no terminal: nothing is cut for it."""

ESCAPE = re.compile(r"(\x1b\[[0-9;]*m)")
"""A colour, or its end."""

LEAST = 24
"""The columns that a text beside others gets at least."""

_LEAST = 20
_USUAL = 80
_CUT = "…"


def terminal_width(stream: TextIO | None = None) -> int:
    """The columns of the terminal that the answer goes to, or another stream."""
    if not (stream or sys.stdout).isatty():
        return UNLIMITED
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal():
        return max(int(columns), _LEAST)
    try:
        return max(os.get_terminal_size().columns or _USUAL, _LEAST)
    except OSError:
        return _USUAL


def width(text: str) -> int:
    """How many columns a text takes; its colours take none."""
    bare = ESCAPE.sub("", text) if "\x1b" in text else text
    return len(bare) if bare.isascii() else sum(map(_columns, bare))


def _columns(sign: str) -> int:
    if combining(sign) or sign in "\u200b\u200d\ufe0f":
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """The beginning of a text without colours, with a sign if something is missing."""
    if width(text) <= columns:
        return text
    used = 0
    for at, sign in enumerate(text):
        used += _columns(sign)
        if used > columns - 1:
            return text[:at].rstrip(" .,;:") + _CUT
    return text


def room_beside(left: int) -> int:
    """The columns that are left beside so many, or the least where that would say too little."""
    return max(terminal_width() - left, LEAST)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows, their columns in line. Empty columns take no room."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (size - width(cell))
            for cell, size in zip(row, widths, strict=True)
            if size
        ).rstrip()
        for row in rows
    ]


class Options:
    """The shared options, wherever on the command line they were.

    `exact`: the command shows secrets unmasked to the operator. `preview`: the note that a call
    prints at its end if it wrote nothing. `seated`: whether the operator asks, as the page knows
    it; None for a command line, whose terminal says so.
    """

    directory: str | None = None
    as_json = False
    now: str | None = None
    actor: str | None = None
    exact = False
    preview = ""

    def __init__(self, seated: bool | None = None) -> None:
        self.seated = seated


_running: list[Options] = []


def options() -> Options:
    """Those of the command that runs."""
    return _running[-1] if _running else Options()


@contextmanager
def running(given: Options) -> Iterator[None]:
    _running.append(given)
    try:
        yield
    finally:
        _running.pop()
