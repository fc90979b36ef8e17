"""Days of the calendar: one, a week, a month, a year, and how close another day is to them."""

from collections.abc import Iterator
from datetime import date, timedelta
from math import exp
from typing import NamedTuple

from clawgit.language.calendar import last_day

_EARLY_DAYS = 2
"""A note this many days too early counts a third (1/e); notes are seldom early."""

_LATE_DAYS = 7
"""The same for a note that is late, which is usual."""

LEAP_YEAR = 2024

_YEARS_TO_LEAP = 8
"""At most so many years after one 29 February, the next comes."""

_MONTHS_OF_YEAR = 12
_MONTHS_TO_31 = 3
"""In at most so many months, one has 31 days."""


class Days(NamedTuple):
    """From `first` to `last`, both included. `yearly`: this day or month, in any year. `other`: the
    other day that may be meant instead, as 3 May by “5/3”.
    """

    first: date
    last: date
    yearly: bool = False
    other: date | None = None

    @property
    def each(self) -> tuple["Days", ...]:
        """What may be meant, one by one."""
        own = self._replace(other=None)
        return (own, own._replace(first=self.other, last=self.other)) if self.other else (own,)

    def closeness(self, day: date) -> float:
        """1 for a day inside, less the further it is away.

        Later days lose less: events are often written down a few days later.
        """
        if self.other:
            return max(days.closeness(day) for days in self.each)
        if self.yearly:
            years = (
                year
                for year in (day.year - 1, day.year, day.year + 1)
                if date.min.year <= year <= date.max.year
            )
            return max(self.in_year(year).closeness(day) for year in years)
        if day < self.first:
            return exp((day - self.first).days / _EARLY_DAYS)
        return exp(min(0, (self.last - day).days) / _LATE_DAYS)

    @property
    def is_month(self) -> bool:
        return self == the_month(self.first.year, self.first.month)._replace(yearly=self.yearly)

    @property
    def is_year(self) -> bool:
        return self == the_year(self.first.year)

    def in_year(self, year: int) -> "Days":
        """The same day or month of a year."""
        month = self.first.month
        if self.first != self.last:
            return the_month(year, month)
        return the_day(year, month, min(self.first.day, last_day(year, month)))


def the_day(year: int, month: int, day: int) -> Days:
    exact = date(year, month, day)
    return Days(exact, exact)


def the_month(year: int, month: int) -> Days:
    return Days(date(year, month, 1), date(year, month, last_day(year, month)))


def the_year(year: int) -> Days:
    return Days(date(year, 1, 1), date(year, 12, 31))


def past_day(month: int, day: int, today: date) -> Days | None:
    """A day without a year: the last one that has come, and that of any other year."""
    for year in range(today.year, max(0, today.year - _YEARS_TO_LEAP), -1):
        if day <= last_day(year, month) and (last := date(year, month, day)) <= today:
            return Days(last, last, yearly=True)
    return None


def is_day(month: int, day: int, year: int = LEAP_YEAR) -> bool:
    return month in range(1, 13) and day in range(1, last_day(year, month) + 1)


def around(today: date, unit: str, shift: int) -> Days:
    """A day, week, weekend, month or year of the calendar, `shift` after this one.

    Weeks begin on Monday.
    """
    if unit == "day":
        return Days(today + timedelta(days=shift), today + timedelta(days=shift))
    if unit == "year":
        return the_year(today.year + shift)
    if unit == "month":
        months = today.year * 12 + today.month - 1 + shift
        return the_month(months // 12, months % 12 + 1)
    monday = today + timedelta(days=7 * shift - today.weekday())
    return Days(monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6))


def about(day: date, slack: int) -> Days:
    return Days(day - timedelta(days=slack), day + timedelta(days=slack))


def of_month(day: int, today: date) -> Days | None:
    """The last such day that has come, or that of this month."""
    found = [*_so_numbered(day, today)]
    past = next((at for at in found if at <= today), None)
    if past is None:
        return None
    return Days(past, past, other=found[0] if found[0] > today else None)


def _so_numbered(day: int, today: date) -> Iterator[date]:
    """The days of this month and of some before with a number, the latest first."""
    this = today.year * _MONTHS_OF_YEAR + today.month - 1
    for at in range(this, max(this - _MONTHS_TO_31, _MONTHS_OF_YEAR - 1), -1):
        year, month = divmod(at, _MONTHS_OF_YEAR)
        if is_day(month + 1, day, year):
            yield date(year, month + 1, day)
