"""What a form acts on, read again when it comes back: a form of an old state is told from a new
one by what it was shown.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from clawgit.errors import NotFoundError
from clawgit.web.asking import Asker, tried

Item = Mapping[str, Any]


def seal(item: Item) -> str:
    """The mark of an item as it is now. What moves by itself, or a view adds, is no part of it."""
    kept = {name: value for name, value in item.items() if name not in _MOVING}
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:_MARK]


_MARK = 24
_MOVING = ("age_seconds", "confidence", "line", "lines", "files")
"""Confidence decays by the day."""

_UNSAID = (*_MOVING, "changes", "id", "key", "sha", "seen", "rows", "paths", "time")


def said(item: Item) -> dict[str, str]:
    """What an item says, by the name of each of its fields that says something."""
    plain = {name: _plain(value) for name, value in item.items() if name not in _UNSAID}
    return {name: text for name, text in plain.items() if text}


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("text", ""))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


class Listing(NamedTuple):
    """A command that lists items of a kind: under which name, and what names each."""

    words: tuple[str, ...]
    name: str
    key: str = "id"
    is_the_operators: bool = False
    """Only the operator is shown these in full."""


LISTINGS = {
    "correction": Listing(("corrections", "list"), "corrections"),
    "conflict": Listing(("conflicts", "list"), "conflicts"),
    "proposal": Listing(("soul", "proposals"), "proposals", is_the_operators=True),
    "rejected": Listing(("soul", "proposals", "--rejected"), "proposals"),
    "setting": Listing(("trust",), "pending", "key", True),
    "text": Listing(("trust",), "texts", "key", True),
    "alert": Listing(("status", "--all"), "alerts"),
}


def _listed(listing: Listing, ask: Asker, ident: str) -> Item:
    return _one_of(listed(ask, listing, as_operator=True), listing.key, ident)


def listed(ask: Asker, listing: Listing, *more: str, as_operator: bool) -> list[Item]:
    """The items of a kind. What is told of one change is one alert."""
    is_shown = as_operator and listing.is_the_operators
    found: list[Item] = ask.read(*listing.words, *more, as_operator=is_shown)[listing.name]
    return found if listing.name != "alerts" else one_a_change(found)


def one_a_change(alerts: Iterable[Item]) -> list[Item]:
    """Alerts, with all that is told of a change in one."""
    found: dict[str, Item] = {}
    for alert in alerts:
        ident = alert["id"] or alert["message"]
        before = found.get(ident)
        told = f"{before['message']}; {alert['message']}" if before else alert["message"]
        found[ident] = {**alert, "message": told}
    return [*found.values()]


def _consent(ask: Asker, key: str) -> Item:
    """What was accepted under a key: a setting, or a kind and a name."""
    rows = ask.read("trust")["accepted"]
    named = [row for row in rows if key in (row["name"], f"{row['kind']}:{row['name']}")]
    return {"key": key, "rows": [row["digest"] for row in named]}


def change(row: Item) -> Item:
    """What of a change, shown or listed, says that it is as it was."""
    return {name: row[name] for name in ("sha", "summary", "undone_by")}


def entry(ask: Asker, key: str) -> Item:
    """An entry by its id: its file is known to `why`, its standing to the list of that file."""
    life = ask.read("why", "--", key)
    every = ("memory", "list", "--status=all", "-n", "1000000")
    # The name of a file may be withheld, or masked.
    rows = tried(ask, (*every, f"--file={life['path']}")).value or ask.read(*every)
    return _one_of(rows["entries"], "key", key)


def _one_of(items: Iterable[Item], key: str, ident: str) -> Item:
    for item in items:
        if item[key] == ident:
            return item
    raise NotFoundError(f"{ident} is no longer there.", hint="clawgit log")


ITEMS: dict[str, Callable[[Asker, str], Item]] = {
    "change": lambda ask, ident: change(ask.read("show", "--stat", "--", ident)),
    "entry": entry,
    "life": lambda ask, key: ask.read("why", "--", key),
    "consent": _consent,
    **{kind: partial(_listed, listing) for kind, listing in LISTINGS.items()},
}
"""Kind → how an item of it is read."""
