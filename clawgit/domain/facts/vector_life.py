"""Whether a text keeps its vector, from the comments of all entries and the day alone.

So a rebuilt index has exactly the vectors of the old one.
"""

from collections.abc import Collection
from datetime import date, timedelta
from heapq import nlargest
from typing import NamedTuple, Protocol

from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown.comment import CORRECTED, Meta
from clawgit.domain.markdown.tag_table import CORRECTION_TAG

WANTED = "wanted"
FLAGGED = "flagged"
GONE = "gone"

STALE_AFTER = 60
"""Days until the vector of a text that was mentioned once is flagged, if there is no room."""

ROOM = 100_000
"""Entries mentioned once that keep their vectors at any age, the newest first."""


class VectorSettings(Protocol):
    """The settings that this depends on."""

    @property
    def corrected_embedding_grace_days(self) -> int: ...


class Aging(NamedTuple):
    """A vector that will be removed: its text was corrected, or mentioned only once, on
    that day.
    """

    corrected: bool
    since: date

    @property
    def flagged_from(self) -> date:
        return _later(self.since, 0 if self.corrected else STALE_AFTER + 1)

    def gone_from(self, rules: VectorSettings) -> date:
        first = 0 if self.corrected else STALE_AFTER
        return _later(self.since, first + rules.corrected_embedding_grace_days + 1)

    def state(self, today: date, rules: VectorSettings) -> str:
        if today >= self.gone_from(rules):
            return GONE
        return FLAGGED if today >= self.flagged_from else WANTED


class Horizon(NamedTuple):
    """The first days whose vectors are kept: of texts mentioned once, and of corrected ones."""

    once: date
    corrected: date


def horizon(today: date, rules: VectorSettings, roomy: date = date.min) -> Horizon:
    """The same as `Aging.state`, for many texts at once; from the day `roomy` on there is room."""
    grace = rules.corrected_embedding_grace_days
    return Horizon(
        min(_earlier(today, STALE_AFTER + grace), roomy),
        _earlier(today, grace),
    )


def roomy_from(days: Collection[date], room: int = ROOM) -> date:
    """The first day from which on texts that were mentioned once keep their vectors at any age.

    `days` are those of all such texts. The ones that were silent longest have no room.
    """
    if len(days) <= room:
        return date.min
    return _later(nlargest(room + 1, days)[-1], 1)


def aging(meta: Meta | None, tags: tuple[str, ...] = ()) -> Aging | None:
    """None for a text that keeps its vector.

    It was written by hand, said twice, corrected by the operator, or has no day.
    """
    last = _last(meta)
    if meta is None or last is None:
        return None
    if meta.status == CORRECTED:
        return Aging(corrected=True, since=last)
    # What is said twice, or corrected, will be searched for again.
    if meta.src == CORRECTION or CORRECTION_TAG in tags or meta.n > 1:
        return None
    return Aging(corrected=False, since=last)


def old_value_aging(meta: Meta | None) -> Aging | None:
    """The same for what an entry said before it was corrected, which was at its last mention."""
    last = _last(meta)
    return Aging(corrected=True, since=last) if last else None


def _last(meta: Meta | None) -> date | None:
    """The day of the last mention."""
    if meta is None:
        return None
    return meta.last or meta.first


def _later(day: date, days: int) -> date:
    """The day that many days later, or the last day of the calendar."""
    return day + timedelta(days=days) if days <= (date.max - day).days else date.max


def _earlier(day: date, days: int) -> date:
    return day - timedelta(days=days) if days <= (day - date.min).days else date.min
