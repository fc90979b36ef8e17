"""What waits for the operator: all of it, in one queue, each with what is shown beside it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clawgit.web.asking import Asker, Part, RefusedError, Values, tried
from clawgit.web.items import LISTINGS, listed, seal
from clawgit.web.wording import bare, local, of_diff, told


class Waiting(NamedTuple):
    """What waits for the operator: the item, its mark, and what else is shown beside it."""

    kind: str
    time: str
    row: Values
    seal: str
    more: Values


DECIDED = {
    "correction": ("correction to settle", "corrections to settle"),
    "conflict": ("conflict", "conflicts"),
    "proposal": ("proposal", "proposals"),
    "text": ("text held back", "texts held back"),
    "setting": ("setting to accept", "settings to accept"),
    "alert": ("alert", "alerts"),
}
"""What is decided on the page, and its nouns."""

_IN_THE_QUEUE = ("clawgit soul proposals", "clawgit corrections", "clawgit conflicts",
                 "clawgit trust")  # fmt: skip


def all_waiting(ask: Asker, *, as_operator: bool = False) -> dict[str, Part]:
    """What waits, by kind; or why it could not be read."""
    return {kind: _waiting(ask, kind, as_operator=as_operator) for kind in DECIDED}


def _waiting(ask: Asker, kind: str, *, as_operator: bool) -> Part:
    narrowed = ("--open",) if kind == "correction" else ()
    try:
        return Part(listed(ask, LISTINGS[kind], *narrowed, as_operator=as_operator))
    except RefusedError as error:
        return Part((), error.message)


def queue_of(parts: Mapping[str, Part]) -> list[tuple[str, Values]]:
    """What is decided here. An alert without an id is of the present, and ends with its cause."""
    rows = [(kind, row) for kind, part in parts.items() for row in part.value]
    queue = [(kind, row) for kind, row in rows if row.get("id") or kind != "alert"]
    return sorted(queue, key=lambda waits: _moment(waits[1]))


def is_elsewhere(alert: Mapping[str, Any]) -> bool:
    return not alert["id"] and not alert["next"].startswith(_IN_THE_QUEUE)


def _moment(row: Mapping[str, Any]) -> float:
    """When it began to wait. What has no time comes first."""
    return local(row["time"]).timestamp() if row.get("time") else 0.0


def beside(ask: Asker, kind: str, row: Values) -> Waiting:
    more: Values = {}
    if kind == "correction":
        more = {"now": _now(ask, row["was"].partition(" ")[0]), "evidence": [row["evidence"]]}
    elif kind == "conflict":
        sides = [row["a"], row["b"]]
        more = {
            "sides": [(side, _now(ask, side["key"])) for side in sides],
            "evidence": [ref for side in sides for ref in side["source"].split(", ")],
        }
    elif kind == "proposal":
        more = {"lines": told(of_diff(row["diff"])), "evidence": row["evidence"]}
    return Waiting(kind, row.get("time") or "", row, seal(row), more)


def _now(ask: Asker, key: str) -> Values | None:
    """An entry as it is today, by its id; None if it is not there any more."""
    life = tried(ask, ("why", "--", key)).value
    if life is None or life["state"] == "removed":
        return None
    return {"key": key, "text": bare(life["text"])}
