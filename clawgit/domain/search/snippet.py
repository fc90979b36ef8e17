"""Snippets: how many neighbours of a hit are shown with it, and which of its words match."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.markdown.chunk import size
from clawgit.domain.search.row import ItemRow
from clawgit.domain.search.terms import figures, words
from clawgit.language.lazily import lazily
from clawgit.language.tokens import simplified

_WORD = lazily(r"\w+")

_ENDING = lazily(r"(?<=[a-z]{3})(?:ing|ed|es|e|s|ly)$")
_END = lazily(r"(?<=[a-z]{2})(?:y|([bdgkmnprt])\1)$")

FRONT = "front"
"""The kind of the item that says what a note is: its title, other names, tags."""


class Snippet(NamedTuple):
    """Lines of a file, and the texts of the items there."""

    line: int
    end_line: int
    text: str


def grown(rows: Sequence[ItemRow], at: int, tokens: int) -> Snippet:
    """The item at that place with as many of its neighbours as fit into the number of tokens.

    Neighbours are whole items of the same section. They come from both sides in turn, the next item
    first: an answer follows its question. A side ends at the first item that does not fit, so that
    no gap is shown as if it were whole.
    """
    first = last = at
    left = tokens - size(rows[at].text)
    sides = [1, -1]
    while sides:
        side = sides.pop(0)
        end, new = (last, last + 1) if side > 0 else (first, first - 1)
        if not 0 <= new < len(rows) or size(rows[new].text) > left:
            continue
        if not follows(rows[min(end, new)], rows[max(end, new)]):
            continue
        first, last = min(first, new), max(last, new)
        left -= size(rows[new].text)
        sides.append(side)
    shown = rows[first : last + 1]
    text = "\n".join(row.text for row in shown)
    return Snippet(shown[0].line, max(row.end_line for row in shown), text)


def follows(upper: ItemRow, lower: ItemRow) -> bool:
    """Whether two items stand in one section. Pieces of one long item share lines, and are never
    put together; front matter stands alone, since it says what the note is.
    """
    apart = {"heading", FRONT} & {upper.kind, lower.kind} or lower.opens
    return not apart and upper.end_line < lower.line


def covers(line: int, shown: Iterable[Snippet]) -> bool:
    """Whether a line is part of one of these snippets of its file."""
    return any(snippet.line <= line <= snippet.end_line for snippet in shown)


def matches(text: str, asked: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where words that were asked for stand in a text, as start and end, in order,
    and no two of them over each other.

    A word also matches if only its ending differs.
    """
    sought = {*map(stem, asked)}
    found = [
        match.span() for match in _WORD.finditer(text) if not sought.isdisjoint(_stems(match[0]))
    ]
    found += (span for span, figure in figures(text) if figure in sought)
    return tuple(_disjoint(found))


def _disjoint(found: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same places in order. Those that share a character, as `233 kWh` and its `kWh`, are one:
    whoever prints a text place by place would print it twice.
    """
    first = last = 0
    for start, end in sorted(found):
        if start < last:
            last = max(last, end)
            continue
        if first < last:
            yield first, last
        first, last = start, end
    if first < last:
        yield first, last


@lru_cache(maxsize=8192)  # the words of a memory are met again and again
def _stems(word: str) -> frozenset[str]:
    return frozenset(map(stem, words(simplified(word))))


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Coarser than the index's own stems, but good enough to highlight a word, and fast."""
    return _END.sub(_single, _ENDING.sub("", word)) if word.isascii() else word


def _single(end: re.Match[str]) -> str:
    """`planned` is of `plan`, and `policies` of `policy`."""
    return end[1] or "i"
