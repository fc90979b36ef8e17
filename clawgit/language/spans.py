"""A piece of a text, with its place in it."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol, TypeVar


class Span(NamedTuple):
    """`text` is always `source[start:end]`."""

    start: int
    end: int
    text: str


def span(source: str, start: int, end: int) -> Span:
    return Span(start, end, source[start:end])


def trimmed(source: str, start: int, end: int) -> Span:
    """The same piece without white space at its edges."""
    text = source[start:end]
    inner = text.strip()
    begin = start + len(text) - len(text.lstrip())
    return Span(begin, begin + len(inner), inner)


class Placed(Protocol):
    """What stands in a text from `start` to `end`."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


P = TypeVar("P", bound=Placed)


def apart(pieces: Iterable[P]) -> list[P]:
    """The pieces from left to right, without those that overlap one before; of two that begin
    alike, the longer stays, and of two in one place the first.
    """
    kept: list[P] = []
    for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end)):
        if not kept or piece.start >= kept[-1].end:
            kept.append(piece)
    return kept
