"""Temporal decay: how much less what a day brought counts as that day recedes. Evergreen files
never lose anything.
"""

from datetime import date
from math import exp, log

from clawgit.domain.markdown.comment import day
from clawgit.domain.workspace.tiers import dated


def decay(age_days: float, half_life_days: float) -> float:
    """The factor for something of that age: 1 on its day, .5 after a half-life. What is yet to come
    has not aged.
    """
    return exp(-log(2) / half_life_days * max(age_days, 0.0))


def day_of(path: str, headings: tuple[str, ...] = ()) -> date | None:
    """The day that an item is about: the one in its file's name. In an archive, which holds many
    days, it is the one in the nearest heading above it. None is evergreen.
    """
    if not path.startswith(_ARCHIVES):
        return dated(path)
    return next(
        (found for title in reversed(headings) if (found := day(title[:_ISO_DAY]))), None
    ) or dated(path)


_ARCHIVES = ("Archive/", "memory/archive/")
_ISO_DAY = 10
