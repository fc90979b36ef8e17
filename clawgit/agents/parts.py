"""Cuts what is too much for one question to a language model into parts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

A_CALL = 12_000
"""How many characters one question may have."""


def parts(
    items: Iterable[T], length: Callable[[T], int], most: int = A_CALL
) -> Iterator[Sequence[T]]:
    """The items in their order. An item longer than a part gets a part of its own."""
    part: list[T] = []
    size = 0
    for item in items:
        if part and size + length(item) > most:
            yield part
            part, size = [], 0
        part.append(item)
        size += length(item)
    if part:
        yield part
