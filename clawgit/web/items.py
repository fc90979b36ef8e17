"""What a form acts on, read again when it comes back: a form of an old state is told from a new
one by what it was shown.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

from clawgit.errors import NotFoundError
from clawgit.web.asking import Asker

Item = Mapping[str, Any]


def seal(item: Item) -> str:
    """The mark of an item as it is now. What moves by itself, or a view adds, is no part of it."""
    kept = {name: value for name, value in item.items() if name not in _MOVING}
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:24]


_MOVING = ("age_seconds", "line", "lines", "files")


def _listed(name: str, *words: str, key: str = "id") -> Callable[[Asker, str], Item]:
    def find(ask: Asker, ident: str) -> Item:
        return _one_of(ask.read(*words)[name], key, ident)

    return find


def change(row: Item) -> Item:
    """What of a change, shown or listed, says that it is as it was."""
    return {name: row[name] for name in ("sha", "summary", "undone_by")}


def _change(ask: Asker, ident: str) -> Item:
    return change(ask.read("show", "--stat", "--", ident))


def entry(ask: Asker, key: str) -> Item:
    """An entry by its id: its file is known to `why`, its standing to the list of that file."""
    life = ask.read("why", "--", key)
    rows = ask.read("memory", "list", "--status", "all", "--file", life["path"], "-n", _ALL)
    return _one_of(rows["entries"], "key", key)


def _one_of(items: Iterable[Item], key: str, ident: str) -> Item:
    for item in items:
        if item[key] == ident:
            return item
    raise NotFoundError(f"{ident} is no longer there.", hint="clawgit log")


_ALL = "1000000"

ITEMS: dict[str, Callable[[Asker, str], Item]] = {
    "change": _change,
    "entry": entry,
    "correction": _listed("corrections", "corrections", "list"),
    "conflict": _listed("conflicts", "conflicts", "list"),
    "proposal": _listed("proposals", "soul", "proposals"),
    "alert": _listed("alerts", "status", "--all"),
}
"""Kind → how an item of it is read."""
