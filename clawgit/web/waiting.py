"""What waits for the operator: all of it, in one queue, each with what is shown beside it."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from clawgit.web.asking import Asker, RefusedError
from clawgit.web.items import LISTINGS, listed, seal
from clawgit.web.wording import bare, local, of_diff, told

Values = dict[str, Any]


class Waiting(NamedTuple):
    """What waits for the operator: the item, its mark, and what else is shown beside it."""

    kind: str
    time: str
    row: Values
    seal: str
    more: Values


_DECIDED = ("correction", "conflict", "proposal", "setting", "text", "alert")
_IN_THE_QUEUE = ("clawgit soul proposals", "clawgit corrections", "clawgit conflicts",
                 "clawgit trust")  # fmt: skip


def all_waiting(ask: Asker, *, as_operator: bool) -> tuple[list[tuple[str, Values]], list[str]]:
    """What waits, each with its kind; and the messages of what could not be read."""
    rows: list[tuple[str, Values]] = []
    broken: dict[str, None] = {}
    for kind in _DECIDED:
        narrowed = ("--open",) if kind == "correction" else ()
        try:
            found = listed(ask, LISTINGS[kind], *narrowed, as_operator=as_operator)
        except RefusedError as error:
            broken[error.message] = None
        else:
            rows += [(kind, {**row}) for row in found]
    return rows, [*broken]


def queue_of(rows: Iterable[tuple[str, Values]]) -> list[tuple[str, Values]]:
    """What is decided here. An alert without an id is of the present, and ends with its cause."""
    queue = [(kind, row) for kind, row in rows if row.get("id") or kind != "alert"]
    return sorted(queue, key=lambda waits: _moment(waits[1]))


def is_elsewhere(alert: Values) -> bool:
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
    try:
        life = ask.read("why", "--", key)
    except RefusedError:
        return None
    if life["state"] == "removed":
        return None
    return {"key": key, "text": bare(life["text"]), "path": life["path"], "line": life["line"]}
