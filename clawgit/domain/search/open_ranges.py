"""The days that a question names by one end: `since July 10`, `before April`, `bis 14. Juli`."""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo
from functools import cache
from typing import NamedTuple

from clawgit.domain.search.periods import Days
from clawgit.domain.search.question_days import SaidDays, every_day, every_worded_day
from clawgit.domain.search.question_ranges import one_of
from clawgit.domain.search.question_words import STOP
from clawgit.language.files import SEARCH, listed
from clawgit.language.lazily import lazily

_EARLIEST = date(1900, 1, 1)
_LATEST = date(9000, 1, 1)

_RELATIONS = ("since", "after", "before", "until")

_FROM_THEN = ("since", "after")

_WITH_IT = ("since", "until")
"""What is of the month that is named is of these ranges."""

_LEADS = ("on ", "in ", "on the ")
"""“April” is a month where one of these stands before it."""

_OTHER_WORD = lazily(r"may\b|march\b(?! [0-9])")
"""In small letters, “may” and “march” are mostly no months."""

_COUNT = lazily(r"[0-9]{4} ([^\W\d_]+)")
"""“After 2000 requests”, but “before 1983 in Oslo”."""


class OpenRange(NamedTuple):
    """The days, the words that name them, the days of the end that is named, and its own words."""

    days: Days
    words: str
    end: Days
    said: str
    relation: str

    @property
    def has_end(self) -> bool:
        """Whether what names the end is asked for, too: “before 2 April” may be a line's own
        words, as those of a date by which something is due.
        """
        return self.relation in _WITH_IT or self.end.first == self.end.last


def open_range(
    text: str, now: datetime, zone: tzinfo | None = None, language: str = ""
) -> OpenRange | None:
    """The days since, after, before or until some that a question names; None if it names none.

    What has begun reaches to today. “After” and “before” leave out the days themselves. A day
    without a year is the last one, before “before” and “until” the nearest.
    """
    if _first_words().isdisjoint(text.casefold().split()):
        return None
    here = now.astimezone(zone) if zone else now
    for match in _relation().finditer(text):
        relation = next(name for name in _RELATIONS if match[name])
        said = next(_from(text, match.end(), here, language), None)
        if said is None:
            continue
        named, start, end = said
        try:
            meant = _of_year(named, relation, here.date())
            days = _days(meant, relation, here.date())
        except (ValueError, OverflowError):
            continue  # the calendar ends, as after 9999-12-31
        if days:
            return OpenRange(days, text[match.start() : end], meant, text[start:end], relation)
    return None


def _from(text: str, start: int, here: datetime, language: str) -> Iterator[SaidDays]:
    """The days that a text names from a place on."""
    if language:
        yield from (said for said in every_worded_day(text, here) if said[1] == start)
        return
    rest = text[start:]
    counted = _COUNT.match(rest)
    if _OTHER_WORD.match(rest) or (counted and counted[1].casefold() not in STOP):
        return
    for lead in _LEADS:
        yield from _led(lead, rest, start, here)


def _led(lead: str, rest: str, start: int, here: datetime) -> Iterator[SaidDays]:
    """The days that the rest of a text begins with, behind a word that leads to them."""
    for days, begin, end in every_day(lead + rest, here):
        if begin in (0, len(lead)):
            yield days, start, start + end - len(lead)


def _of_year(named: Days, relation: str, today: date) -> Days:
    """Those of one year, where no year is said."""
    if not named.yearly:
        return named
    years = [named.in_year(today.year + after) for after in (-1, 0, 1)]
    if relation in _FROM_THEN:
        past = [days for days in years if days.first <= today]
        return past[-1]._replace(yearly=True)
    nearest = min(years, key=lambda days: abs((days.first - today).days))
    return nearest._replace(yearly=True)


def _days(end: Days, relation: str, today: date) -> Days | None:
    one = timedelta(days=1)
    if relation in _FROM_THEN:
        first = end.first if relation == "since" else end.last + one
        return Days(first, today if first <= today else max(first, _LATEST))
    last = end.last if relation == "until" else end.first - one
    return Days(_EARLIEST, last) if last > _EARLIEST else None


@cache
def _relation() -> re.Pattern[str]:
    """A word such as “since” in front of a day, but not in “3 days after”."""
    kinds = "|".join(f"(?P<{name}>{one_of(f'range_{name}')})" for name in _RELATIONS)
    counted = "".join(rf"(?<!\b{word} )" for word in listed(SEARCH, "range_counted"))
    articles = one_of("range_articles")
    return re.compile(rf"{counted}\b(?:{kinds}) (?:(?:{articles}) )*", re.IGNORECASE)


@cache
def _first_words() -> frozenset[str]:
    """Most questions have none of these, and the pattern takes long to compile."""
    phrases = (phrase for name in _RELATIONS for phrase in listed(SEARCH, f"range_{name}"))
    return frozenset(phrase.split()[0] for phrase in phrases)
