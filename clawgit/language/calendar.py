"""The English names of months, weekdays and numbers, for dates that clawgit writes and patterns."""

from calendar import monthrange
from functools import cache

from clawgit.language.files import LAST_RESORT
from clawgit.language.lexicon import lexicon


def last_day(year: int, month: int) -> int:
    """The last day of a month."""
    return monthrange(year, month)[1]


@cache
def month_forms() -> tuple[tuple[str, ...], ...]:
    """Of each month its name and its short forms, in small letters: `("january", "jan")`."""
    return _forms("months")


@cache
def weekday_forms() -> tuple[tuple[str, ...], ...]:
    """The same of each weekday, Monday first."""
    return _forms("weekdays")


def month_names() -> tuple[str, ...]:
    """`January` and so on."""
    return tuple(forms[0].title() for forms in month_forms())


def weekday_names() -> tuple[str, ...]:
    """`Monday` and so on."""
    return tuple(forms[0].title() for forms in weekday_forms())


def number_forms() -> tuple[tuple[str, ...], ...]:
    """Of each number that is one word its figures and that word: `("3", "three")`."""
    rows = lexicon(LAST_RESORT).table("numbers")
    return tuple((figures, *words) for figures, words in rows.items())


def _forms(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, lexicon(LAST_RESORT).data[name]))
