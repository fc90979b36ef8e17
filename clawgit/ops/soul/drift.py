"""How far a soul has gone from what it was, section by section, and over time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from clawgit.domain.change.authority import SOUL
from clawgit.domain.soul import drift as measured
from clawgit.ops.soul.history import Point, SoulHistory, absent, point, soul_history
from clawgit.ops.soul.trail import Version
from clawgit.ops.workspace.workspace import Workspace

_MOST_POINTS = 60
"""So many versions fit on a line of a terminal; of a longer life, as many are measured, evenly."""


@dataclass(frozen=True, slots=True)
class ReportedDrift:
    """What became of a section's principles. Shares are of those of then, of those of now for
    `share_added`; a distance is 0 where all are the same and 1 where nothing is left of them.
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
    """How far one version had gone; the commit is None for what lies on disk."""

    sha: str | None
    id: str | None
    time: datetime
    distance: float


@dataclass(frozen=True, slots=True)
class SoulDrift:
    """From the soul at `since` to the one of today; `timeline` is oldest first."""

    path: str
    since: Point
    uncommitted: bool
    total: ReportedDrift
    sections: tuple[ReportedDrift, ...]
    timeline: tuple[DriftPoint, ...]


def drift(workspace: Workspace, path: str = SOUL, since: str | None = None) -> SoulDrift:
    """How far today's soul is from the first version, or from the one at a revision or date."""
    with soul_history(workspace, path) as history:
        uncommitted = history.on_disk is not None and history.on_disk != history.committed
        now = history.on_disk if uncommitted else history.committed
        life = [version for version in history.descent(history.current) if version.after]
        oid = (
            history.resolve(since) if since else next((version.oid for version in life[-1:]), None)
        )
        then = history.text_at(oid) if oid else None
        if then is None or oid is None or now is None:
            raise absent(history, since)
        found = measured.drift(then, now)
        begin = history.version_at(oid)
        points = [
            version
            for version in life
            if begin is None or history.place(version) <= history.place(begin)
        ]
        return SoulDrift(
            path=path,
            since=point(history, oid),
            uncommitted=uncommitted,
            total=_section_drift(found.total),
            sections=tuple(map(_section_drift, found.sections)),
            timeline=tuple(_timeline(history, then, points[::-1], now if uncommitted else None)),
        )


def _section_drift(one: measured.SectionDrift) -> ReportedDrift:
    then = one.kept + one.reworded + one.dropped
    now = one.kept + one.reworded + one.added
    return ReportedDrift(
        section=one.section,
        kept=one.kept,
        reworded=one.reworded,
        dropped=one.dropped,
        added=one.added,
        share_kept=_share(one.kept, then),
        share_reworded=_share(one.reworded, then),
        share_dropped=_share(one.dropped, then),
        share_added=_share(one.added, now),
        distance=round(one.distance, _DIGITS),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, _DIGITS) if whole else 0.0


_DIGITS = 4


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
    """As many as can be drawn, the first and the last among them."""
    last = len(versions) - 1
    if last < _MOST_POINTS:
        return versions
    return [versions[number * last // (_MOST_POINTS - 1)] for number in range(_MOST_POINTS)]
