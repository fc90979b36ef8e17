"""What a model that reads a text as a whole is given of a line."""

from collections.abc import Sequence

_ABOVE = 2
"""The innermost headings, which say what a line is about; those above say it of half a memory."""


def passage(text: str, headings: Sequence[str]) -> str:
    """A line with the headings that it stands under behind it: a long line loses them first."""
    return " ".join((text, *(f"({heading})" for heading in headings[-_ABOVE:])))
