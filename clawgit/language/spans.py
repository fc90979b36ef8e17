"""A piece of a text, with its place in it."""

from clawgit.values import NamedTuple


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
