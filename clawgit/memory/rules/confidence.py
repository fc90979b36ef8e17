"""How sure an entry is today: more with each mention, less with time; and whether its text keeps
its vector.

Only the value at `last` is written down. All follows from the comments and the day alone, so that a
rebuilt index has exactly the vectors of the old one.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from heapq import nlargest
from itertools import product
from math import exp, log

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.comment import CORRECTED, Meta, day
from clawgit.core.markdown.entry import Entry, content_key
from clawgit.core.markdown.tag_table import CORRECTION_TAG, words_alone
from clawgit.core.tiers import dated

STALE_AFTER = 60
"""Days until the vector of a text that was mentioned once is flagged, if there is no room."""

ROOM = 100_000
"""Entries mentioned once that keep their vectors at any age, the newest first."""


class Aging(NamedTuple):
    """A vector that will be removed: its text was corrected, or mentioned only once, on
    that day.
    """

    corrected: bool
    since: date

    def last_day(self, rules: Settings) -> date:
        """The last day of its grace."""
        first = 0 if self.corrected else STALE_AFTER
        return later(self.since, first + rules.corrected_embedding_grace_days)


class Horizon(NamedTuple):
    """The first days whose vectors are kept: of texts mentioned once, and of corrected ones."""

    once: date
    corrected: date


def horizon(today: date, rules: Settings, roomy: date = date.min) -> Horizon:
    """What `Aging.last_day` says, for many texts at once; from the day `roomy` on there is room."""
    grace = rules.corrected_embedding_grace_days
    return Horizon(min(_earlier(today, STALE_AFTER + grace), roomy), _earlier(today, grace))


def roomy_from(days: Collection[date], room: int = ROOM) -> date:
    """The first day from which on texts that were mentioned once keep their vectors at any age.

    `days` are those of all such texts. The ones that were silent longest have no room.
    """
    if len(days) <= room:
        return date.min
    return later(nlargest(room + 1, days)[-1], 1)


def aging(meta: Meta, tags: tuple[str, ...] = ()) -> Aging | None:
    """None for a text that keeps its vector.

    It was written by hand, said twice, corrected by the operator, or has no day.
    """
    last = meta.last or meta.first
    if last is None:
        return None
    if meta.status == CORRECTED:
        return Aging(corrected=True, since=last)
    # What is said twice, or corrected, will be searched for again.
    if meta.src == CORRECTION or CORRECTION_TAG in tags or meta.n > 1:
        return None
    return Aging(corrected=False, since=last)


def old_value_aging(meta: Meta) -> Aging | None:
    """The same for what an entry said before it was corrected, which was at its last mention."""
    last = meta.last or meta.first
    return Aging(corrected=True, since=last) if last else None


def later(day: date, days: int) -> date:
    """The day that many days later, or the last day of the calendar."""
    return day + timedelta(days=days) if days <= (date.max - day).days else date.max


def _earlier(day: date, days: int) -> date:
    return day - timedelta(days=days) if days <= (day - date.min).days else date.min


EXPLICIT = "explicit"
CORRECTION = "correction"
INFERRED = "inferred"
"""What `src=` says: the operator stated it, the operator corrected it, or it was concluded."""

BASE = {EXPLICIT: 0.95, CORRECTION: 1.0, INFERRED: 0.6}
"""How sure a new entry is, by its source. One without a source was written by hand, and counts as
stated."""


def confidence(meta: Meta | None, dynamics: Settings, today: date) -> float:
    """How sure an entry is on a day.

    Time alone takes it down to the floor at most. A correction does not fade, nor does an entry
    that does not say when it was last mentioned.
    """
    if meta is None:
        return BASE[EXPLICIT]
    if meta.src == CORRECTION:
        return BASE[CORRECTION]
    written = BASE.get(meta.src, BASE[EXPLICIT]) if meta.conf is None else meta.conf
    silent = (today - meta.last).days if meta.last else 0
    steps = max(silent, 0) // dynamics.confidence_decay_interval_days
    faded = written - steps * dynamics.confidence_decay_amount
    # Rounded, because 0.1 has no exact binary form: the steps would show in comparisons.
    return round(max(faded, min(written, dynamics.confidence_floor)), 4)


def mentioned(meta: Meta, source: str, dynamics: Settings, today: date) -> Meta:
    """The comment of an entry that was said again: one more mention, and surer than before.

    It is at least as sure as its new source. However often it is said, only a correction reaches
    certainty.
    """
    now = confidence(meta, dynamics, today)
    # Mentions alone never reach 1.0: that is the mark of a correction.
    raised = min(now + dynamics.confidence_boost_per_mention, max(now, BASE[EXPLICIT]))
    if meta.src and BASE.get(source, 0) > BASE.get(meta.src, 0):
        meta = meta.having("src", source)
    sure = max(raised, BASE[source or EXPLICIT])
    last = max(today, meta.last or today)
    if meta.first and not meta.get("first"):
        # The only mention so far: from now on, the last one is another.
        meta = meta.having("first", meta.first.isoformat())
    return (
        meta.having("conf", written(sure))
        .having("n", str(meta.n + 1))
        .having("last", last.isoformat())
    )


def written(value: float) -> str:
    """A confidence as a comment holds it."""
    return f"{value:.2f}"


def first_said(value: float, day: date, source: str) -> tuple[str, ...]:
    """The facts in the comment of an entry that was said once, on this day. What was written by
    hand has no source.
    """
    facts = (f"conf={written(value)}", "n=1", f"last={day}")
    return (*facts, f"src={source}") if source else facts


def is_correction(entry: Entry) -> bool:
    """Whether an entry is a correction by the operator, by its tag or its source."""
    return CORRECTION_TAG in entry.tags or entry.facts.src == CORRECTION


_ARCHIVES = ("Archive/", "memory/archive/")
_ISO_DAY = 10


def decay(age_days: float, half_life_days: float) -> float:
    """The factor for an age: 1 on the day itself or before, 0.5 after a half-life."""
    return exp(-log(2) / half_life_days * max(age_days, 0.0))


def day_of(path: str, headings: tuple[str, ...] = ()) -> date | None:
    """The day that an item is about, by the name of its file; None if it never ages.

    An archive holds many days. There it is the day in the nearest heading above.
    """
    if not path.startswith(_ARCHIVES):
        return dated(path)
    days = (day(title[:_ISO_DAY]) for title in reversed(headings))
    return next(filter(None, days), None) or dated(path)


def origins(meta: Meta | None) -> tuple[str, ...]:
    """The keys of the lines of notes that an entry was made from, none if it was made from none."""
    return tuple(filter(None, meta.get("of").split(","))) if meta else ()


def firsthand(every: Iterable[Entry]) -> Iterator[Entry]:
    """The entries, without those that repeat another of them: the line that they were made from."""
    rows = [*every]
    standing = {(row.path, content_key(row.text)): words_alone(row.text) for row in rows}
    for row in rows:
        cited = {place.partition("#")[0] for place in row.facts.evidence}
        lines = map(standing.get, product(cited, origins(row.meta)))
        if words_alone(row.text) not in lines:
            yield row
