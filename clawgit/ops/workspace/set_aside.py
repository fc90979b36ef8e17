"""What `status` reports of the queues: calls that failed too often, and patterns that take too
long.
"""

from collections.abc import Iterator
from datetime import datetime

from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import queue as store
from clawgit.stores.state import State
from clawgit.values import NamedTuple


class Trouble(NamedTuple):
    """Something for `status`: what it is, since when, and what to type next."""

    time: datetime
    message: str
    next: str


def troubles(workspace: Workspace, state: State) -> Iterator[Trouble]:
    """The calls that were set aside, queue by queue, and the patterns that take too long."""
    aside = [item for item in store.listed(state, workspace.now) if item.aside]
    for name in dict.fromkeys(item.queue for item in aside):
        items = [item for item in aside if item.queue == name]
        what = (
            f"{_counted(len(items))} of {name} set aside after {store.MOST_TRIES} tries: "
            f"{items[-1].trouble}"
        )
        ident = items[-1].id
        yield Trouble(
            items[-1].since,
            what,
            f"clawgit queue list, then clawgit queue retry {ident} or drop {ident}",
        )
    slow = store.cut_off(state)
    # A pattern that was changed or removed since is no trouble any more. The settings are read only
    # if there was one.
    patterns = (
        {custom.pattern for custom in workspace.config.settings.heartbeat_custom_patterns}
        if slow
        else set()
    )
    for row in slow:
        if row.pattern in patterns:
            what = (
                f"the pattern {row.pattern} took too long for {_counted(row.times, 'message')} "
                "and was cut off"
            )
            yield Trouble(
                row.last,
                what,
                "write it without nested repetition: heartbeat_custom_patterns in CONFIG.md",
            )


def _counted(count: int, noun: str = "call") -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
