"""A plain `memory search`: what click would make of it, without click."""

from functools import partial
from typing import TYPE_CHECKING

from clawgit.cli.border import exit_after
from clawgit.cli.memory.hits import MOST, Typed
from clawgit.cli.memory.hits import search as search_for

if TYPE_CHECKING:
    from clawgit.cli.given import Options
    from clawgit.quick.entry import Plain

_LONGEST = 10
"""Digits of a count; click says what is wrong with a longer one."""


def search(typed: "Plain", given: "Options") -> None:
    """Searches, and ends the process; returns where the usual way must explain what is wrong."""
    asked = asked_for(typed)
    if asked is not None:
        exit_after(partial(search_for, asked), given, as_json=typed.as_json)


def asked_for(typed: "Plain") -> Typed | None:
    """The search as click reads it; None where click refuses a value."""
    counts = typed.options.get("limit", ())
    if not all(map(_is_count, counts)):
        return None
    return Typed(typed.words, limit=int(counts[-1]) if counts else None)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _LONGEST and 1 <= int(text) <= MOST
