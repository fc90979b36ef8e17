"""How sure an entry is today: more with each mention, less with time.

Only the value at `last` is written down.
"""

from datetime import date
from math import exp, log
from typing import Protocol

from clawgit.domain.markdown.comment import Meta, day
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.tag_table import CORRECTION_TAG
from clawgit.domain.workspace.tiers import dated

EXPLICIT = "explicit"
CORRECTION = "correction"
INFERRED = "inferred"
"""What `src=` says: the operator stated it, the operator corrected it, or it was concluded."""

BASE = {EXPLICIT: 0.95, CORRECTION: 1.0, INFERRED: 0.6}
"""How sure a new entry is, by its source. One without a source was written by hand, and counts as
stated."""


class Dynamics(Protocol):
    """The settings that this depends on."""

    @property
    def confidence_boost_per_mention(self) -> float: ...
    @property
    def confidence_decay_amount(self) -> float: ...
    @property
    def confidence_decay_interval_days(self) -> int: ...
    @property
    def confidence_floor(self) -> float: ...


def confidence(meta: Meta | None, dynamics: Dynamics, today: date) -> float:
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


def mentioned(meta: Meta, source: str, dynamics: Dynamics, today: date) -> Meta:
    """The comment of an entry that was said again: one more mention, and surer than before.

    It is at least as sure as its new source. However often it is said, only a correction reaches
    certainty.
    """
    now = confidence(meta, dynamics, today)
    # Mentions alone never reach 1.0: that is the mark of a correction.
    raised = min(now + dynamics.confidence_boost_per_mention, max(now, BASE[EXPLICIT]))
    if meta.src and BASE.get(source, 0) > BASE.get(meta.src, 0):
        meta = meta.having("src", source)
    sure = max(raised, BASE.get(source, 0))
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
    """The facts in the comment of an entry that was said once, on this day."""
    return (f"conf={written(value)}", "n=1", f"last={day}", f"src={source}")


def is_correction(entry: Entry) -> bool:
    """Whether an entry is a correction by the operator, by its tag or its source."""
    return CORRECTION_TAG in entry.tags or bool(entry.meta and entry.meta.src == CORRECTION)


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


_KEY = "of="


def origins(meta: Meta | None) -> tuple[str, ...]:
    """The keys of the lines, none if the entry is not a fact."""
    if meta is None or not any(fact.startswith(_KEY) for fact in meta.facts):
        return ()
    return tuple(filter(None, meta.get("of").split(",")))
