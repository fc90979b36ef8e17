"""What a model that reads a text as a whole is given of a line."""

from collections.abc import Sequence

ABOVE = 2
"""How many headings, the nearest ones: those above them stand over too many lines to say much."""


def nearest(headings: Sequence[str], led: Sequence[str]) -> tuple[str, ...]:
    """What a model reads of what stands above a line."""
    return (*headings[-ABOVE:], *led)


def passage(text: str, headings: Sequence[str], led: Sequence[str] = ()) -> str:
    """A line followed by the headings above it, or the list item that it is nested in, and by what
    introduces it. They come last, so that they are cut off, and not the line, if the whole is too
    long.
    """
    return " ".join((text, *(f"({above})" for above in nearest(headings, led))))
