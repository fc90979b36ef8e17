"""The English names of months, weekdays and numbers, for dates that clawgit writes and patterns."""

import re
from functools import cache

from clawgit.language.files import LAST_RESORT, SHARED, file_of, table
from clawgit.language.lazily import lazily

_ROW = lazily(r"\[([^\[\]]*)\]")
_WORD = lazily(r'"([^"]+)"')


_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP_MONTH = 2


def last_day(year: int, month: int) -> int:
    """The last day of a month. Python's own `calendar` takes a millisecond to load."""
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _LENGTHS[month - 1] + (1 if is_leap and month == _LEAP_MONTH else 0)


@cache
def month_forms() -> tuple[tuple[str, ...], ...]:
    """Of each month its name and its short forms, in small letters: `("january", "jan")`."""
    full, short = _rows(LAST_RESORT, "months"), _rows(SHARED, "months")
    return tuple((*names, *forms) for names, forms in zip(full, short, strict=True))


@cache
def weekday_forms() -> tuple[tuple[str, ...], ...]:
    """The same of each weekday, Monday first."""
    return _rows(LAST_RESORT, "weekdays")


@cache
def month_names() -> tuple[str, ...]:
    """`January` and so on."""
    return tuple(forms[0].title() for forms in month_forms())


@cache
def weekday_names() -> tuple[str, ...]:
    """`Monday` and so on."""
    return tuple(forms[0].title() for forms in weekday_forms())


@cache
def number_forms() -> tuple[tuple[str, ...], ...]:
    """Of each number that is one word its figures and that word: `("3", "three")`."""
    rows = table(LAST_RESORT, "numbers")
    return tuple((figures, *words) for figures, words in rows.items())


def _rows(name: str, key: str) -> tuple[tuple[str, ...], ...]:
    """One list of a file, without parsing the rest, which would take ten times as long."""
    table_row = re.search(rf"^{key} = \[(.*?)\]$", file_of(name), re.MULTILINE | re.DOTALL)
    if table_row is None:  # pragma: no cover - a test reads both files
        raise LookupError(f"{name}.toml lists no {key}")
    return tuple(tuple(_WORD.findall(row)) for row in _ROW.findall(table_row[1]))
