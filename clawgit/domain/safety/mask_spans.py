"""How far a mask reaches: over the last characters of a password, and never into another mask."""

from collections.abc import Sequence

from clawgit.language.lazily import lazily

STOPS = ".,:!?)]}\\*_"
"""What may stand after a value and end its sentence or close its markup."""

_SIGNS = "!?*_"
"""Stops that passwords end with as well. They are no part of the value, whose fingerprint a text
may have without them, but are masked with it."""

_PLAIN_STOPS = "".join(sign for sign in STOPS if sign not in _SIGNS)
_BOLD = "*_"

MASK = lazily(r"\[secret:[0-9a-f]{12}\\?\]")
"""Also with the bracket escaped, as some Markdown writers do."""

Span = tuple[int, int]


def last_signs(before: str, rest: str) -> int:
    """How many characters after a value may belong to it: not what ends a sentence, nor what closes
    markup that opened right before it.
    """
    stops = rest[: len(rest) - len(rest.lstrip(STOPS))].rstrip(_PLAIN_STOPS)
    return len(stops.rstrip(before) if before and before in _BOLD else stops)


def mask_spans(text: str) -> list[Span]:
    """Where masks of ours stand in a text."""
    return [match.span() for match in MASK.finditer(text)] if "[secret:" in text else []


def beside(masks: Sequence[Span], span: Span) -> Span | None:
    """What to mask of a place where a secret was found: nothing within a mask, and a mask that it
    reaches into as a whole. A mask within a mask could not be read.
    """
    over = [mask for mask in masks if mask[0] < span[1] and span[0] < mask[1]]
    if not over:
        return span
    first, last = over[0][0], over[-1][1]
    if first <= span[0] and span[1] <= last and len(over) == 1:
        return None
    return min(first, span[0]), max(last, span[1])
