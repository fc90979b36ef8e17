"""Reports how far a soul has moved from an earlier version, by section and over time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from clawgit.domain.change.authority import SOUL
from clawgit.domain.soul import drift as measured
from clawgit.ops.soul.history import Point, SoulHistory, absent, point, soul_history
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.history.pathlog import Version
from clawgit.stores.git.revisions import State

_MOST_POINTS = 60
"""How many versions fit on one line of a terminal. Of a longer history, this many are measured."""

_DIGITS = 4
"""How many decimal places shares and distances have."""


@dataclass(frozen=True, slots=True)
class ReportedDrift:
    """What became of a section's principles.

    Shares are of the earlier principles, except `share_added`, which is of today's. The distance is
    0 if all are the same and 1 if nothing is left.
    """

    section: str
    kept: int
    reworded: int
    dropped: int
    added: int
    share_kept: float
    share_reworded: float
    share_dropped: float
    share_added: float
    distance: float


@dataclass(frozen=True, slots=True)
class DriftPoint:
    """How far one version had moved. The commit is None for the file on disk."""

    sha: str | None
    id: str | None
    time: datetime
    distance: float


@dataclass(frozen=True, slots=True)
class SoulDrift:
    """From the soul at `since` to today's; `timeline` is oldest first."""

    path: str
    since: Point
    uncommitted: bool
    total: ReportedDrift
    sections: tuple[ReportedDrift, ...]
    timeline: tuple[DriftPoint, ...]
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
        oldest_first = _since(history, versions, oid)[::-1]
        on_disk = now if uncommitted else None
        return SoulDrift(
            path=path,
            since=point(history, oid),
            uncommitted=uncommitted,
            total=_section_drift(moved.total),
            sections=tuple(map(_section_drift, moved.sections)),
            timeline=tuple(_timeline(history, then, oldest_first, on_disk)),
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


def _since(history: SoulHistory, versions: Sequence[Version], oid: str) -> Sequence[Version]:
    """The versions since the one at a commit; all of them if HEAD never had that one."""
    begin = history.version_at(oid)
    if begin is None:
        return versions
    oldest = history.versions.place(begin)
    return [version for version in versions if history.versions.place(version) <= oldest]


def _section_drift(section: measured.SectionDrift) -> ReportedDrift:
    then = section.kept + section.reworded + section.dropped
    now = section.kept + section.reworded + section.added
    return ReportedDrift(
        section=section.section,
        kept=section.kept,
        reworded=section.reworded,
        dropped=section.dropped,
        added=section.added,
        share_kept=_share(section.kept, then),
        share_reworded=_share(section.reworded, then),
        share_dropped=_share(section.dropped, then),
        share_added=_share(section.added, now),
        distance=round(section.distance, _DIGITS),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, _DIGITS) if whole else 0.0


def _timeline(
    history: SoulHistory, then: str, versions: Sequence[Version], on_disk: str | None
) -> Iterator[DriftPoint]:
    drawn = _evenly(versions)
    history.expect(version.oid for version in drawn)
    history.expect_texts(drawn)
    for version in drawn:
        commit = history.commit(version.oid)
        distance = measured.drift(then, history.text(version) or "").total.distance
        yield DriftPoint(version.oid, commit.id, commit.time, round(distance, _DIGITS))
    if on_disk is not None:
        distance = measured.drift(then, on_disk).total.distance
        yield DriftPoint(None, None, history.workspace.now, round(distance, _DIGITS))


def _evenly(versions: Sequence[Version]) -> Sequence[Version]:
    """As many versions as can be drawn, always with the first and the last."""
    last = len(versions) - 1
    if last < _MOST_POINTS:
        return versions
    return [versions[number * last // (_MOST_POINTS - 1)] for number in range(_MOST_POINTS)]
