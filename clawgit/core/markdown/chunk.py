"""A long text cut into pieces that share a little with their neighbours, on borders of lines,
sentences or words.
"""

from collections.abc import Iterator
from typing import NamedTuple

from clawgit.language.lazily import lazily

_TOKEN_BYTES = 4
"""Bytes of a token on average: exact enough for chunk sizes, and free to count."""

_SENTENCE_END = lazily(r"""[.!?…]+["'”’)\]]*\s+|[。！？]+""")


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
    chunks: list[ChunkText] = []
    piece, filled = list[_Unit](), 0
    for unit in _units(text, max(_TOKEN_BYTES, min(limit // 2, shared or limit // 2))):
        if piece and filled + unit.size > limit:
            chunks += _chunk(piece)
            while piece and filled > min(shared, limit - unit.size):
                filled -= piece.pop(0).size
        piece.append(unit)
        filled += unit.size
    return [*chunks, *_chunk(piece)]


def _chunk(units: list[_Unit]) -> Iterator[ChunkText]:
    """A piece without the blank lines at its ends, which would make it seem to stand on more lines
    than it does; none if nothing else is in it.
    """
    filled = [at for at, unit in enumerate(units) if unit.text.strip()]
    if filled:
        inner = units[filled[0] : filled[-1] + 1]
        text = "".join(unit.text for unit in inner).strip("\n").rstrip()
        yield ChunkText(inner[0].line, inner[-1].line, text)


def _units(text: str, grain: int) -> Iterator[_Unit]:
    for number, line in enumerate(text.split("\n")):
        for part in _parts(f"{line}\n", grain):
            yield _Unit(number, part, _bytes(part))


def _parts(line: str, grain: int) -> Iterator[str]:
    """A line; a long one by sentences, and a long sentence by words, or anywhere if it has none."""
    if _bytes(line) <= grain:
        yield line
        return
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
