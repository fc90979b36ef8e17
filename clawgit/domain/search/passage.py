"""What a model that compares whole texts is given of a line."""

from collections.abc import Sequence

ABOVE = 2
"""How many headings, the nearest ones: those above them stand over too many lines to say much."""

_SIGN = "\x1f"
"""Stands before what is above a line; in a text itself, it is a blank."""


def nearest(headings: Sequence[str], led: Sequence[str]) -> tuple[str, ...]:
    """What a model reads of what stands above a line."""
    return (*headings[-ABOVE:], *led)


def passage(text: str, headings: Sequence[str], led: Sequence[str] = ()) -> str:
    """A line with the headings above it, or the list item that it is nested in, and with what
    introduces it, as one text that is compared.
    """
    return _SIGN.join((text.replace(_SIGN, " "), *nearest(headings, led)))


def parts(passage: str) -> tuple[str, tuple[str, ...]]:
    """A line, and what stands above it."""
    text, *above = passage.split(_SIGN)
    return text, tuple(above)
