"""The English names of months, weekdays and numbers, for dates that clawgit writes and patterns."""

from functools import cache

from clawgit.language.files import LAST_RESORT
from clawgit.language.lexicon import lexicon

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP_MONTH = 2


def last_day(year: int, month: int) -> int:
    """The last day of a month. Python's own `calendar` takes a millisecond to load."""
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _LENGTHS[month - 1] + (1 if is_leap and month == _LEAP_MONTH else 0)


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
