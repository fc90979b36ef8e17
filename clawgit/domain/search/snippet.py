"""Snippets: how far a hit reaches beyond its item, so that its answer is not cut off, and which of
its words match.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from clawgit.domain.markdown.chunk import size
from clawgit.domain.search.question import Question
from clawgit.domain.search.terms import words

FRONT = "front"
"""The kind of the item that says what a note is: its title, other names, tags."""


class Shown(Protocol):
    """An item with its place in a file."""

    @property
    def line(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def opens(self) -> tuple[str, ...]:
        """The headings between it and the item before."""


class Snippet(NamedTuple):
    """From line to line of the file, and the texts of the items that stand there, one below the
    other.

    `front` is what the note's front matter says, where the snippet begins with it; `body` is then
    the line of the next item, 0 without one.
    """

    line: int
    end_line: int
    text: str
    front: str = ""
    body: int = 0


def grown(rows: Sequence[Shown], at: int, tokens: int) -> Snippet:
    """The item at that place among its neighbours in the file, whole, and as many of these as fit
    into the target.

    They are taken from both sides in turn, the next one first since an answer follows its question;
    never from another section, and none is cut.
    """
    first = last = at
    left = tokens - size(rows[at].text)
    ahead = behind = True
    while ahead or behind:
        ahead = ahead and last + 1 < len(rows) and _follows(rows[last], rows[last + 1])
        ahead = ahead and size(rows[last + 1].text) <= left
        if ahead:
            last += 1
            left -= size(rows[last].text)
        behind = behind and first > 0 and _follows(rows[first - 1], rows[first])
        # A line of the note is no answer about the note: its front matter is a hit by itself.
        behind = behind and rows[first - 1].kind != FRONT
        behind = behind and size(rows[first - 1].text) <= left
        if behind:
            first -= 1
            left -= size(rows[first].text)
    shown = rows[first : last + 1]
    text = "\n".join(row.text for row in shown)
    snippet = Snippet(shown[0].line, max(row.end_line for row in shown), text)
    if shown[0].kind != FRONT:
        return snippet
    return snippet._replace(front=shown[0].text, body=shown[1].line if len(shown) > 1 else 0)


def _follows(upper: Shown, lower: Shown) -> bool:
    """Whether nothing lies between two items. Pieces of one long item share lines, and are never
    put together.
    """
    bare = "heading" in (upper.kind, lower.kind)
    return not lower.opens and not bare and upper.end_line < lower.line


def covers(path: str, line: int, shown: Iterable[tuple[str, Snippet]]) -> bool:
    """Whether a line stands in one of these snippets already."""
    return any(
        path == other and snippet.line <= line <= snippet.end_line for other, snippet in shown
    )


def matches(text: str, question: Question) -> tuple[tuple[int, int], ...]:
    """Where words of the question stand in a text, as positions from and to, for whoever marks
    them.

    A word matches as well when only its ending differs.
    """
    sought = {_stem(form) for forms in question.words for form in forms}
    return tuple(
        found.span()
        for found in _WORD.finditer(text)
        if not sought.isdisjoint(map(_stem, words(found[0])))
    )


def _stem(word: str) -> str:
    """Coarser than the index's own: good enough to mark a word, and done in no time."""
    return _ENDING.sub("", word) if word.isascii() else word


_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|e|s|ly)$")
