"""A plain `memory add` that no service makes: what click would make of it, without click."""

from functools import partial
from typing import TYPE_CHECKING

from clawgit.cli.border import exit_after
from clawgit.cli.memory.adding import SOURCES, Typed, add

if TYPE_CHECKING:
    from clawgit.cli.given import Options
    from clawgit.quick.entry import Plain


def write(typed: "Plain", given: "Options") -> None:
    """Adds it, and ends the process; returns where the usual way must explain what is wrong."""
    fact = fact_of(typed)
    if fact is not None:
        exit_after(partial(add, fact), given, as_json=typed.as_json)


def fact_of(typed: "Plain") -> Typed | None:
    """The fact as click reads it; None where click refuses a value."""
    source = typed.last("source") or None
    if len(typed.words) != 1 or source not in (None, *SOURCES):
        return None
    return Typed(
        typed.words[0],
        tag=typed.last("tag"),
        to=typed.last("to"),
        source=source,
        evidence=typed.options.get("evidence", ()),
        session=typed.last("session"),
    )
