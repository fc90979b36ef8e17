"""`fleet init`: makes the tables, by migrations that are each applied once, by name."""

from collections.abc import Iterator
from typing import NamedTuple

from clawgit.run.fleet import queue
from clawgit.run.fleet.database import QUERIES, Address, opened

_MAKERS = 0x636C6177_666C74
"""The number of our advisory lock: two machines may do this at once."""

_QUEUE = "migration 3 queue"


class Initialised(NamedTuple):
    """The migrations that were applied now."""

    applied: tuple[str, ...]


def init(address: Address) -> Initialised:
    """Makes the schemas, or brings them up to date, in one transaction."""
    with opened(address, role="") as fleet, fleet.together():
        fleet.rows("one at a time", number=_MAKERS)
        fleet.script(QUERIES["migrations known"].decode())
        known = {name for (name,) in fleet.rows("applied")}
        missing = [(name, text) for name, text in _migrations(is_new=_QUEUE not in known)
                   if name not in known]  # fmt: skip
        for name, text in missing:
            fleet.script(text)
            fleet.run("apply", name=name)
    return Initialised(tuple(name for name, text in missing if text))


def _migrations(*, is_new: bool) -> Iterator[tuple[str, str]]:
    """Each migration with its SQL. The first schema of the queue has all of its changes in it."""
    here, back = "SET LOCAL search_path TO clawgit_queue;", "RESET search_path;"
    for name, query in QUERIES.items():
        if name == _QUEUE:
            first = f"{here}\n{queue.schema()}\n{back}\n"
            yield name, f"{first}{query.decode()}"
            for change, text in queue.migrations():
                # What it has made is granted as the rest was.
                yield change, "" if is_new else f"{here}\n{text}\n{back}\n{query.decode()}"
        elif name.startswith("migration "):
            yield name, query.decode()
