"""A long text cut into pieces that share a little with their neighbours, on borders of lines,
sentences or words.
"""

from collections.abc import Iterator
from typing import NamedTuple

from clawgit.language.lazily import lazily

_TOKEN_BYTES = 4
"""Bytes of a token on average: exact enough for chunk sizes, and free to count."""


class ChunkText(NamedTuple):
    """`first` and `last` are the lines of the text that it stands on, counted from 0."""

    first: int
    last: int
    text: str


class _Unit(NamedTuple):
    """What is never cut: a line, a sentence or some words, with the blanks after it."""

    line: int
    text: str
    size: int


def size(text: str) -> int:
    """A text's length in tokens, roughly."""
    return -(-_bytes(text) // _TOKEN_BYTES)


def pieces(text: str, tokens: int, overlap: int) -> list[ChunkText]:
    """A whole text in pieces of at most `tokens` tokens, each beginning with at most `overlap` of
    the one before.

    An overlap of more than half a piece counts as half.
    """
    # Two tokens at least: a piece must have room for one unit that it shares, and one that is new.
    limit = max(tokens, 2) * _TOKEN_BYTES
    shared = max(0, min(overlap * _TOKEN_BYTES, limit // 2))
    units = list(_units(text, max(_TOKEN_BYTES, min(limit // 2, shared or limit // 2))))
    chunks: list[ChunkText] = []
    start = 0
    while start < len(units):
        end = _end(units, start, limit)
        chunks.append(_piece(units[start:end]))
        # From the end, `_back` would lead to the same last piece again and again.
        if end == len(units):
            break
        start = _back(units, end, shared)
    return [piece for piece in chunks if piece.text]


def _end(units: list[_Unit], start: int, limit: int) -> int:
    """The end of the units that fit into one piece; always at least one."""
    end, room = start + 1, limit - units[start].size
    while end < len(units) and units[end].size <= room:
        room -= units[end].size
        end += 1
    return end


def _back(units: list[_Unit], end: int, shared: int) -> int:
    """Where the piece after `end` begins: with the last units before that are no more than is to be
    shared.
    """
    start = end
    while start > 0 and units[start - 1].size <= shared:
        shared -= units[start - 1].size
        start -= 1
    return start


def _piece(units: list[_Unit]) -> ChunkText:
    """A piece without the blank lines at its ends, which would make it seem to stand on more lines
    than it does.
    """
    filled = [unit for unit in units if unit.text.strip()]
    if not filled:
        return ChunkText(units[0].line, units[-1].line, "")
    inner = units[units.index(filled[0]) : len(units) - units[::-1].index(filled[-1])]
    return ChunkText(
        filled[0].line, filled[-1].line, "".join(unit.text for unit in inner).strip("\n").rstrip()
    )


def _units(text: str, grain: int) -> Iterator[_Unit]:
    for number, line in enumerate(text.split("\n")):
        whole = f"{line}\n"
        if (length := _bytes(whole)) <= grain:
            yield _Unit(number, whole, length)
            continue
        for part in _parts(whole, grain):
            yield _Unit(number, part, _bytes(part))


def _parts(line: str, grain: int) -> Iterator[str]:
    """A long line by sentences, and a long sentence by words, or anywhere if it has none."""
    # A character takes up to four bytes, so that many surely fit.
    step = grain if line.isascii() else max(1, grain // _TOKEN_BYTES)
    start = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(line)), len(line)):
        while end - start > step:
            # Without a blank the sum is 0, and the cut is made where the step ends.
            at = line.rfind(" ", start + 1, start + step) + 1 or start + step
            yield line[start:at]
            start = at
        if start < end:
            yield line[start:end]
        start = end


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


_SENTENCE_END = lazily(r"""[.!?…]+["'”’)\]]*\s+|[。！？]+""")
