"""Whether a text is compared by meaning: a function of its entry's comment and the day, so that any
rebuild agrees.
"""

from datetime import date, timedelta
from typing import NamedTuple, Protocol

from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown.comment import Meta

WANTED = "wanted"
FLAGGED = "flagged"
GONE = "gone"


class Rules(Protocol):
    """The settings that this depends on."""

    @property
    def corrected_embedding_grace_days(self) -> int: ...
    @property
    def embedding_staleness_days(self) -> int: ...


class Aging(NamedTuple):
    """A vector that will go: of a text that was `corrected`, else of one mentioned once, `since`
    that day.
    """

    corrected: bool
    since: date

    def flagged_from(self, rules: Rules) -> date:
        return _later(self.since, 0 if self.corrected else rules.embedding_staleness_days + 1)

    def gone_from(self, rules: Rules) -> date:
        first = 0 if self.corrected else rules.embedding_staleness_days
        return _later(self.since, first + rules.corrected_embedding_grace_days + 1)

    def state(self, today: date, rules: Rules) -> str:
        if today >= self.gone_from(rules):
            return GONE
        return FLAGGED if today >= self.flagged_from(rules) else WANTED


class Horizon(NamedTuple):
    """The last days whose vectors are over: of what was mentioned once, and of what was
    corrected.
    """

    once: date
    corrected: date


def horizon(today: date, rules: Rules) -> Horizon:
    """The same as `Aging.state`, for whoever has many to judge."""
    grace = rules.corrected_embedding_grace_days
    return Horizon(
        _earlier(today, rules.embedding_staleness_days + grace + 1),
        _earlier(today, grace + 1),
    )


def aging(meta: Meta | None, tags: tuple[str, ...] = ()) -> Aging | None:
    """None for what keeps its vector: written by hand, said twice, put right by the operator, or
    without a day.
    """
    last = meta.last or meta.first if meta else None
    if meta is None or last is None:
        return None
    if meta.status == "corrected":
        return Aging(corrected=True, since=last)
    kept = meta.src == CORRECTION or "correction" in tags or meta.n > 1
    return None if kept else Aging(corrected=False, since=last)


def old_value_aging(meta: Meta | None) -> Aging | None:
    """The same for the vector of what an entry said before it was corrected, on the day of its last
    mention at most.
    """
    last = meta.last or meta.first if meta else None
    return Aging(corrected=True, since=last) if last else None


def wants_vector(meta: Meta | None, tags: tuple[str, ...], today: date, rules: Rules) -> str:
    """WANTED, FLAGGED where it is to go unless it is mentioned again, GONE once the grace is
    over.
    """
    found = aging(meta, tags)
    return found.state(today, rules) if found else WANTED


def _later(day: date, days: int) -> date:
    """The last day of the calendar where there is no such day."""
    return day + timedelta(days=days) if days <= (date.max - day).days else date.max


def _earlier(day: date, days: int) -> date:
    return day - timedelta(days=days) if days <= (day - date.min).days else date.min
