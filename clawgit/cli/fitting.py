"""Fits answers to the width of the terminal: a longer line is broken between words and continues
below its text. The text has colours and links already. They take no room; where a line is broken
they end and begin again.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest

from clawgit.cli.columns import UNLIMITED, Styled, width, wrapped

ESCAPE = re.compile(r"(\x1b\[[0-9;]*m|\x1b\]8;[^\x00-\x1f\x7f-\x9f]*\x1b\\)")
"""A colour, or the beginning or end of a link."""

_MARK = r"[+-]?\s*(?:(?:[-*~!→✓✗]|#{1,6}|\d+\.| ?(?:error|next|note|warning):) +)?"
"""What comes before the words of a line: a sign of a diff, blanks, a mark."""

_GAP = r"\S( {2,})(?=\S)"
_ESC = "\x1b"
_END, _LINK = f"{_ESC}[0m", f"{_ESC}]8;"
_LINK_END = "\x1b]8;;\x1b\\"


def fitted(text: str, columns: int) -> str:
    """A text without lines over this many columns, unless a single word is longer."""
    if columns == UNLIMITED:
        return text
    return "\n".join(row for line in text.split("\n") for row in _rows(line, columns))


def _rows(line: str, columns: int) -> list[str]:
    bare = ESCAPE.sub("", line)
    if width(bare) <= columns:
        return [line]
    head, body = _split(list(_parts(line)), _hanging(bare, columns))
    indent = sum(width(part.text) for part in head)
    before = "".join(part.style(part.text) for part in head)
    first, *more = wrapped(body, columns - indent, whole=True)
    return [f"{before}{first}", *(f"{' ' * indent}{row}" for row in more)]


def _hanging(bare: str, columns: int) -> int:
    """The indent of continued rows: where the last column of a table begins, if that leaves room,
    else where the words after a mark begin.
    """
    mark = re.match(_MARK, bare)
    starts = [mark.end() if mark else 0, *(gap.end() for gap in re.finditer(_GAP, bare))]
    return max((start for start in starts if width(bare[:start]) <= columns * 2 // 5), default=0)


def _parts(line: str) -> Iterator[Styled]:
    """The words of a line, each run with the style that it is printed in."""
    colors = link = ""
    pieces = ESCAPE.split(line)
    # Texts and escapes alternate; the last text has no escape after it.
    for text, escape in zip_longest(pieces[::2], pieces[1::2], fillvalue=""):
        if text:
            yield Styled(text, partial(_printed, colors, link) if colors or link else str)
        if escape.startswith(_LINK):
            link = "" if escape == _LINK_END else escape
        elif escape == _END:
            colors = ""
        else:
            colors += escape


def _printed(colors: str, link: str, text: str) -> str:
    text = f"{colors}{text}{_END}" if colors else text
    return f"{link}{text}{_LINK_END}" if link else text


def _split(parts: list[Styled], place: int) -> tuple[list[Styled], list[Styled]]:
    """The parts before a character and those from there on."""
    for at, part in enumerate(parts):
        if place <= len(part.text):
            head, body = part.text[:place], part.text[place:]
            before = [*parts[:at], *([part._replace(text=head)] if head else [])]
            return before, [part._replace(text=body), *parts[at + 1 :]]
        place -= len(part.text)
    return parts, []
