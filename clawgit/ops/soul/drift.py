"""Reports how far a soul has moved from an earlier version."""

from collections.abc import Sequence
from dataclasses import dataclass

from clawgit.domain.change.authority import SOUL
from clawgit.domain.soul import drift as measured
from clawgit.ops.soul.history import Point, SoulHistory, absent, point, soul_history
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.history.pathlog import Version
from clawgit.stores.git.revisions import State

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class SoulDrift:
    """From the soul at `since` to today's: what became of its principles.

    The distance is 0 if all are the same and 1 if nothing is left.
    """

    path: str
    since: Point
    uncommitted: bool
    kept: int
    reworded: int
    dropped: int
    added: int
    distance: float
    note: str = ""
    """How `since` differs from the state that was asked for, if it does."""


def drift(workspace: Workspace, path: str = SOUL, since: str | None = None) -> SoulDrift:
    """How far today's soul is from the first version, or from the one at a revision or date."""
    with soul_history(workspace, path) as history:
        uncommitted = history.on_disk is not None and history.on_disk != history.committed
        now = history.on_disk if uncommitted else history.committed
        versions = [version for version in history.descent(history.current) if version.after]
        (oid, note), then = _beginning(history, versions, since)
        if now is None:
            raise absent(history, since)
        moved = measured.drift(then, now)
        return SoulDrift(
            path=path,
            since=point(history, oid),
            uncommitted=uncommitted,
            kept=moved.kept,
            reworded=moved.reworded,
            dropped=moved.dropped,
            added=moved.added,
            distance=round(moved.distance, _DIGITS),
            note=note,
        )


def _beginning(
    history: SoulHistory, versions: Sequence[Version], since: str | None
) -> tuple[State, str]:
    """The commit to compare with, the first version if none is named, and the soul there."""
    if since:
        begin = history.state(since)
    elif versions:
        begin = State(versions[-1].oid)
    else:
        raise absent(history, since)
    text = history.text_at(begin.oid)
    if text is None:
        raise absent(history, since)
    return begin, text
