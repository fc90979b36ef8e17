"""What a plain command does in this process: what click would make of it, without click."""

from functools import partial
from typing import TYPE_CHECKING

from clawgit.cli.border import exit_after
from clawgit.cli.given import Options
from clawgit.cli.loading import load

if TYPE_CHECKING:
    from clawgit.cli.memory import adding, hits
    from clawgit.quick.entry import Plain
    from clawgit.stores.asking import Asked

_LONGEST = 9
"""Digits of a count; click says what is wrong with a longer one."""


def run(typed: "Plain", asked: "Asked | None") -> None:
    """Does what was typed, and ends the process; returns where the usual way must explain what is
    wrong. `asked`: the service was asked to do it, and may have done so.
    """
    given = Options(asked)
    given.directory = typed.last("directory") or None
    given.actor = typed.last("actor") or None
    given.as_json = typed.as_json
    is_write = typed.command[-1] == "add"
    wanted = fact_of(typed) if is_write else asked_for(typed)
    if wanted is not None:
        act = load("memory.adding:add" if is_write else "memory.hits:search")
        exit_after(partial(act, wanted), given, as_json=typed.as_json)


def fact_of(typed: "Plain") -> "adding.Typed | None":
    """The fact as click reads it; None where click refuses a value."""
    source = typed.last("source") or None
    if len(typed.words) != 1 or source not in (None, *load("memory.adding:SOURCES")):
        return None
    fact: adding.Typed = load("memory.adding:Typed")(
        typed.words[0],
        tag=typed.last("tag"),
        to=typed.last("to"),
        source=source,
        evidence=typed.options.get("evidence", ()),
        session=typed.last("session"),
    )
    return fact


def asked_for(typed: "Plain") -> "hits.Typed | None":
    """The search as click reads it; None where click refuses a value."""
    counts = typed.options.get("limit", ())
    if not all(map(_is_count, counts)):
        return None
    search: hits.Typed = load("memory.hits:Typed")(
        typed.words, limit=int(counts[-1]) if counts else None
    )
    return search


def _is_count(text: str) -> bool:
    is_number = text.isascii() and text.isdigit() and len(text) <= _LONGEST
    return is_number and 1 <= int(text) <= load("memory.hits:MOST")
