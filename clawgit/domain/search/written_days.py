"""How a text may write the days that a question names: `14 March 2031`, `14. März`, `3/14`."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import chain, product

from clawgit.domain.search.may import MAY, says_may
from clawgit.domain.search.periods import Days
from clawgit.domain.search.terms import in_order, words
from clawgit.language.calendar import month_forms, weekday_forms
from clawgit.language.files import LAST_RESORT, SHARED, listed
from clawgit.language.lazily import lazily

_FEW = 8
"""So many days and more are not looked for one by one."""

_ISO = "%Y %m %d"

_LONGEST_SHORT = 5
"""“31 12”, as the words of a day and a month are looked up, has as many characters."""

_FEWEST = 3
"""A word of fewer letters in a date is grammar: “am 3. März”, “el 3 de marzo”."""

_SHORT_DAYS = lazily(
    r"(?<![\w./:-])(?:([0-9]{1,2})\. ?([0-9]{1,2})\.(?![0-9])|([0-9]{1,2})/([0-9]{1,2})(?![\w/]))"
)
"""A day without a year: `15.09.`, `15/9`, `9/15`."""

_MONTH_DAYS = lazily(
    r"(?m)(?:(?:^|[|•·])[ \t>#*+_-]*(?:\[.\] [*_]*)?|[\[(])"
    # “10-12 people” is a range: without a zero, only a sign behind it makes it a day.
    r"(?:(?=0|1.-0)|(?=1.-..[*_]*(?::| [–—-] |$))|(?<=\[)(?=1.-..\]))"
    r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    # “06-13 45 67 89” is a phone number, “06-13 14:20” none.
    r"(?![\w-]|[.,:/][0-9]| [0-9]{2,}(?![0-9:.h]))"
)
"""A day without a year, the month first: `06-13` at the beginning of a line, or in brackets."""

_OUTLINE = lazily(
    r"(?m)(?:^|[|•·])[ \t>#*+_-]*(?:\[.\] [*_]*)?(?:[1-9]|1[0-2])\.[1-9][0-9]?\.[*_]*"
    r"[ \t]+[^\w\s|–-]*[^\W\d_]"
)
"""The number of a chapter in front of its name: `5.3. Scoring`. Few outlines have 13 chapters, and
none writes `05.03. Scoring`: these are days.
"""

_TIMES = lazily(r"(?<![\w:])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![\w:])")

_YEARS = lazily(
    r"(?<![0-9A-Za-z_,:$€£#])((?:19|20)[0-9]{2})"
    r"(?![0-9A-Za-z_%]|[,:][0-9]|\.[0-9]+(?![.0-9])|\s?[€$£%])"
)
"""A year, alone or in a date. “$1983”, “1983.50” and “#1983” are none."""

_UNSPACED_DAYS = lazily("(?<![0-9年년])(?<![年년] )([0-9]{1,2})([月월])(?: ?([0-9]{1,2})[日号일])?")
"""The same, or a month: `9月15日`, `9월`."""

_PAIR = 2
_WITH_YEAR = 3


def spelled(days: Days, named: str) -> Iterator[str]:
    """The ways to write these days in a text, as words with a space between them: `2031 03 14` for
    “14 March 2031”. In the question, they are `named` so.
    """
    first, last = days.first, days.last
    if first == last:
        for day in days.each:
            yield from _spelled_day(day, named)
    elif (last - first).days < _FEW:
        for after in range((last - first).days + 1):
            yield f"{first + timedelta(days=after):{_ISO}}"
    elif days.is_month:
        yield from _spelled_month(days, named)
    elif days.is_year:
        yield f"{first.year}"


def _spelled_day(days: Days, named: str) -> Iterator[str]:
    """A day without a year may be written with the year of the last one, of the next, or of the
    one before.
    """
    day = days.first
    for year in (day.year, day.year + 1, day.year - 1) if days.yearly else (day.year,):
        yield f"{year} {day:%m %d}"
        yield f"{year} {day.month} {day.day}"
    yield from (f"{nth} {month}" for nth, month in product(*map(_padded, (day.day, day.month))))
    said = f" {day.year}" if str(day.year) in named else ""
    for month, nth in product(month_forms()[day.month - 1], (str(day.day), _nth(day.day))):
        yield f"{month} {nth}{said}"
    yield from _as_named(named)


def _spelled_month(days: Days, named: str) -> Iterator[str]:
    first, months = days.first, month_forms()[days.first.month - 1]
    if days.yearly:
        yield from _spelled_yearly(months, named)
        return
    yield from (f"{first.year} {month}" for month in _padded(first.month))
    yield from (f"{month} {first.year}" for month in months)
    yield from _as_named(named)


def _spelled_yearly(months: Iterable[str], named: str) -> Iterator[str]:
    # Short forms such as “mar” alone are mostly no months.
    yield from (month for month in months if len(month) > _FEWEST or month == MAY)
    yield from (month for month in in_order(named)[-1:] if _is_name(month))
    yield from _short_days(named)


def _is_name(month: str) -> bool:
    """Whether the name of a month in some language is hardly another word: “mai”, not “mar”."""
    unsure = chain.from_iterable(listed(code, "ambiguous") for code in (SHARED, LAST_RESORT))
    return len(month) > _FEWEST or (len(month) == _FEWEST and month not in unsure)


def _as_named(named: str) -> Iterator[str]:
    telling = [word for word in in_order(named) if _is_of_day(word)]
    if any(map(str.isdecimal, telling)):
        yield " ".join(telling)


def _padded(number: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys((str(number), f"{number:02}")))


def says_day(text: str, ways: Iterable[str]) -> bool:
    """Whether a text writes a day in one of these ways: its words follow each other, in any order,
    with grammar between them at most. “07:10” is no 10 July: a day without a year that consists of
    numbers has the signs of one. “5.3. Scoring” is no 5 March: it is a chapter. A year is no sum.
    """
    said = [word for word in words(_TIMES.sub(" ", text)) if _is_of_day(word)]
    short = {*_short_days(text), *_YEARS.findall(text)}

    def is_written(way: str) -> bool:
        if way == MAY:
            return says_may(text)
        return _plain(way) in short if _is_short(way) else _in_a_row(said, way.split())

    return any(map(is_written, ways))


def weekdays_on(named: str) -> Iterator[str]:
    """The ways to write the weekday of “on Thursday”: `thursday`, `thursdays`."""
    said = named.casefold().split()
    for forms in weekday_forms():
        if said == ["on", forms[0]]:
            unsure = listed(LAST_RESORT, "ambiguous")
            # “sun” and “sat” alone are mostly no days.
            yield from (form for form in (*forms, f"{forms[0]}s") if form not in unsure)


def is_named_by(path: str, days: Days, ways: Iterable[str]) -> bool:
    """Whether the name of a file, or that of a folder above it, says the year or the month that is
    meant: `life/1983.md`, `2006/07/trip.md`.
    """
    # Most paths do not have the year, and there may be thousands.
    if days.yearly or str(days.first.year) not in path or not (days.is_year or days.is_month):
        return False
    return says_day(path.rpartition(".")[0].replace("_", " "), ways)


def _short_days(text: str) -> Iterator[str]:
    for match in _SHORT_DAYS.finditer(_OUTLINE.sub(" ", text)):
        day, month, first, second = (int(part or 0) for part in match.groups())
        yield from (f"{day} {month}",) if day else (f"{first} {second}", f"{second} {first}")
    yield from (f"{int(day)} {int(month)}" for month, day in _MONTH_DAYS.findall(text))
    for match in _UNSPACED_DAYS.finditer(text):
        yield f"{int(match[1])} {match[2]}"
        if match[3]:
            yield f"{int(match[3])} {int(match[1])}"


def _is_short(way: str) -> bool:
    """Whether it is the number of a day and that of a month, or that of a month in Chinese,
    Japanese or Korean, or a year.
    """
    month = way.rpartition(" ")[2]
    is_month = month.isdecimal() or len(month) == 1  # “3 mai” has the name of one
    return is_month and len(way) <= _LONGEST_SHORT and way[:1].isdecimal()


def _plain(way: str) -> str:
    return " ".join(word.lstrip("0") for word in way.split())


def _is_of_day(word: str) -> bool:
    """Whether it is more than grammar between the words of a date."""
    return word.isdecimal() or (len(word) >= _FEWEST and word != "the")


def _in_a_row(said: Sequence[str], way: Sequence[str]) -> bool:
    """Whether the words of a date follow each other. Of numbers, the year is no middle one: “24,
    2026 at 3” is no 24 March.
    """
    rows = (said[at : at + len(way)] for at in range(len(said)))
    if len(way) == _WITH_YEAR and all(map(str.isdecimal, way)):
        first, month, last = way
        orders = ([first, month, last], [last, month, first], [month, last, first])
        return any([*row] in orders for row in rows)
    wanted = sorted(way)
    return any(
        sorted(row) == wanted
        and not (len(row) > _PAIR and len(row[1]) > _PAIR and row[1].isdecimal())
        for row in rows
    )


def _nth(day: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}th" if day in range(11, 14) else f"{day}{ending}"
