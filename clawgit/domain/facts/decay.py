"""Temporal decay: how much less a note counts as its day recedes. Other files never lose weight."""

from datetime import date
from math import exp, log

from clawgit.domain.markdown.comment import day
from clawgit.domain.workspace.tiers import dated

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
