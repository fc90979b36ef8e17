"""A long text cut into pieces that share a little with their neighbours, on borders of lines or
words.
"""

from collections.abc import Iterator

from clawgit.core import NamedTuple

_TOKEN_BYTES = 4
"""Bytes of a token on average: exact enough for chunk sizes, and free to count."""

_SHARED = 5
"""Each piece but the first begins with up to one part in so many of the one before."""


class ChunkText(NamedTuple):
    """`first` and `last` are the lines of the text that it stands on, counted from 0."""

    first: int
    last: int
    text: str


def size(text: str) -> int:
    """A text's length in tokens, roughly."""
    return -(-_bytes(text) // _TOKEN_BYTES)


def pieces(text: str, tokens: int) -> Iterator[ChunkText]:
    """A whole text in pieces of at most `tokens` tokens."""
    first, piece, shared = 0, "", max(1, tokens // _SHARED) * _TOKEN_BYTES
    for number, line in enumerate(text.split("\n")):
        for part in _parts(f"{line}\n", shared):
            if size(piece + part.rstrip()) > tokens:
                yield from _chunk(first, piece)
                piece = _end(piece, shared)
                first = number - piece.count("\n")
            # Without blank lines before it, a piece stands on no more lines than it does.
            if not piece.strip():
                first, piece = number, ""
            piece += part
    yield from _chunk(first, piece)


def _end(piece: str, most: int) -> str:
    """The last words of a piece."""
    start = max(0, len(piece) - _room(piece, most))
    # Where it has no blank, the sum is 0, and the cut may be anywhere.
    return piece[piece.find(" ", start) + 1 or start :].lstrip("\n")


def _chunk(first: int, piece: str) -> Iterator[ChunkText]:
    if text := piece.rstrip():
        yield ChunkText(first, first + text.count("\n"), text)


def _parts(line: str, most: int) -> Iterator[str]:
    """A line; a longer one by words, or anywhere if it has none."""
    step, start = _room(line, most), 0
    while len(line) - start > step and _bytes(line) > most:
        # Without a blank the sum is 0, and the cut is made where the step ends.
        end = line.rfind(" ", start + 1, start + step) + 1 or start + step
        yield line[start:end]
        start = end
    yield line[start:]


def _room(text: str, most: int) -> int:
    """How many characters surely fit into so many bytes: each takes up to four."""
    return most if text.isascii() else most // _TOKEN_BYTES


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
