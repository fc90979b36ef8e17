"""The days that English names: readers of words for a date, each with the pattern that it reads."""

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from clawgit.domain import absolute_words as words


class Named(NamedTuple):
    """What words for a date become, which day it is (None: a whole year), and the preposition that it needs."""

    text: str
    day: date | None
    preposition: str = "on"


class Moment(NamedTuple):
    """The day on which something is said, and whether it is told as past."""

    today: date
    past: bool


Reader = Callable[[re.Match[str], Moment], Named | None]


def iso(day: date) -> Named:
    return Named(day.isoformat(), day)


def shifted(moment: Moment, days: int, suffix: str = "") -> Named:
    day = moment.today + timedelta(days=days)
    return Named(day.isoformat() + suffix, day)


def _day_word(found: re.Match[str], moment: Moment) -> Named:
    word = " ".join(found[0].lower().split())
    shift, part = words.DAY_WORDS[word]
    return shifted(moment, shift, f" ({part})" if part else "")


def _weekday(found: re.Match[str], moment: Moment) -> Named | None:
    relation, name = (found["relation"] or "").lower(), found["day"]
    if not relation and not found["by"] and len(name) <= _SHORT_NAME:
        return None
    named = of_week(relation, _of_day(name), moment)
    return named._replace(text=(found["by"] or "") + named.text, preposition="" if found["by"] else "on")


def of_week(relation: str, weekday: int, moment: Moment) -> Named:
    """Next Friday is that of the next week, which begins on Monday; last Friday the one that was there last."""
    ahead = (weekday - moment.today.weekday()) % 7
    if relation in ("last", "past", "previous") or (not relation and moment.past):
        return shifted(moment, -((moment.today.weekday() - weekday) % 7 or 7))
    if relation in ("next", "following"):
        return shifted(moment, 7 - moment.today.weekday() + weekday)
    return shifted(moment, ahead if relation == "this" else ahead or 7)


def _of_a_week(found: re.Match[str], moment: Moment) -> Named:
    """Friday of next week, next week on Friday."""
    return of_week(found["relation"].lower(), _of_day(found["day"]), moment)


def _weeks_on(found: re.Match[str], moment: Moment) -> Named | None:
    """A week from tomorrow, two weeks on Saturday, Friday week: so much later than the day that is named."""
    parts = found.groupdict()
    count = number(parts.get("count") or "one")
    if count is None:
        return None
    word = (parts.get("from") or "").lower()
    start = shifted(moment, words.DAY_WORDS[word][0]) if word else of_week("", _of_day(found["day"]), moment)
    return iso(moved(start.day or moment.today, count, (parts.get("unit") or "week").lower()))


def _feast(found: re.Match[str], moment: Moment) -> Named:
    """A feast that has its day in every year keeps its name, and its day stands behind it."""
    name = found["feast"].lower().replace("’", "'").replace(".", "")
    day = on(*words.FEASTS[name], found["year"], moment)
    if not found["year"] and not moment.past and day < moment.today:
        day = moved(day, 1, "year")
    return Named(f"{found['feast']} ({day.isoformat()})", day, "")


def _counted(found: re.Match[str], moment: Moment) -> Named | None:
    """In two weeks, three days ago, a week from now. What was done in two weeks took so long."""
    count = number(found["count"])
    back = (found["after"] or "").strip().lower() == "ago"
    if count is None or not (back or found["after"] or (found["in"] and not moment.past)):
        return None
    day = moved(moment.today, -count if back else count, unit := found["unit"].lower())
    if unit.startswith("year"):
        return Named(str(day.year), None, "in")
    if unit.startswith("month"):
        return Named(f"{calendar.month_name[day.month]} {day.year}", day, "in")
    return iso(day)._replace(preposition="by" if (found["in"] or "").lower() == "within " else "on")


def moved(day: date, count: int, unit: str) -> date:
    if unit.startswith(("day", "week", "fortnight")):
        return day + timedelta(days=count * {"d": 1, "w": 7, "f": 14}[unit[0]])
    months = day.year * 12 + day.month - 1 + count * (12 if unit.startswith("year") else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def number(word: str) -> int | None:
    word = word.lower()
    return int(word) if word.isdecimal() else words.COUNTS.get(word)


def _month_day(found: re.Match[str], moment: Moment) -> Named:
    day = on(_ordinal(found["nth"] or found["word"]), _month(found["month"]), found["year"], moment)
    ends = [int(end) for end in (found.groupdict().get("first"), found.groupdict().get("last")) if end]
    if not ends:
        return iso(day)
    start, end = sorted((day, day.replace(day=ends[0])))
    return Named(f"{start} to {end}", end, "from")


def _in_figures(found: re.Match[str], _: Moment) -> Named:
    return iso(date(int(found["year"]), int(found["month"]), int(found["nth"])))


def _slashed(found: re.Match[str], moment: Moment) -> Named | None:
    """9/18 and 18/9, where only one of the two can be the month."""
    month, day = sorted((int(found["one"]), int(found["two"])))
    return iso(on(day, month, None, moment)) if month <= _MONTHS_OF_YEAR < day else None


def on(day: int, month: int, year: str | None, moment: Moment) -> date:
    """Without a year, the next such day; where the text tells of the past, the last one."""
    if year:
        return date(int(year), month, day)
    this = moment.today.year
    if moment.past:
        return date(this if date(this, month, min(day, 28)) <= moment.today else this - 1, month, day)
    # A day that has just gone by was meant, rather than one a year ahead.
    gone = date(this, month, min(day, 28)) < moment.today - timedelta(days=_JUST_GONE)
    return date(this + gone, month, day)


def _nth(found: re.Match[str], moment: Moment) -> Named | None:
    """The third, of the month that comes next to it; with a weekday, of the next month where it falls on that. No month
    has a 45th.
    """
    parts = found.groupdict()
    number, named = _ordinal(parts.get("bare") or parts["nth"]), parts.get("day")
    step = -1 if moment.past else 1
    this = moment.today.replace(day=1)
    firsts = (moved(this, shift * step, "month") for shift in range(_MONTHS_OF_YEAR))
    days = (first.replace(day=number) for first in firsts if number <= calendar.monthrange(first.year, first.month)[1])
    fitting = [day for day in days if (day - moment.today).days * step >= 0]
    on_weekday = (day for day in fitting if named and day.weekday() == _of_day(named))
    day = next(on_weekday, next(iter(fitting), None))
    return iso(day) if day else None


def _ordinal(word: str) -> int:
    """12, 12th, twelfth."""
    digits = word.lower().rstrip("stndrh")
    return int(digits) if digits.isdecimal() else words.ORDINALS.index(word.lower().replace(" ", "-")) + 1


def _nth_weekday(found: re.Match[str], moment: Moment) -> Named:
    """The first Saturday in June, the last Friday of March."""
    month, weekday = _month(found["month"]), _of_day(found["day"])
    year = int(found["year"] or 0) or on(28, month, None, moment).year
    days = [one for one in calendar.Calendar().itermonthdates(year, month) if one.month == month]
    fitting = [one for one in days if one.weekday() == weekday]
    nth = found["nth"].lower()
    return iso(fitting[-1 if nth == "last" else words.ORDINALS.index(nth)])


def _month_part(found: re.Match[str], moment: Moment) -> Named | None:
    """End of March, mid May, the beginning of June; a month alone is named with its year."""
    month, part, relation = _month(found["month"]), found["part"] or "", (found["relation"] or "").lower()
    if not (part or relation or found["in"] or found["year"]):
        return None
    year = int(found["year"] or 0) or _year_of(month, relation, moment)
    if not part and _FROM.fullmatch(found["in"] or "") and not _TO.match(found.string, found.end()):
        return iso(date(year, month, 1))._replace(text=f"{found['in']}{date(year, month, 1)}", preposition="")
    day = (
        next((day for sign, day in words.PARTS.items() if sign in part.lower()), 0)
        or calendar.monthrange(year, month)[1]
    )
    named = f"{found['in'] or ''}{part}{' ' * bool(part)}{calendar.month_name[month]} {year}"
    return Named(named, date(year, month, day), "" if part or found["in"] else "in")


def _year_of(month: int, relation: str, moment: Moment) -> int:
    today = moment.today
    if relation == "next":
        return today.year + (month <= today.month)
    if relation == "last":
        return today.year - (month >= today.month)
    return on(28, month, None, moment).year


def _span(found: re.Match[str], moment: Moment) -> Named | None:
    """Next week, this month, the end of the year: named by what they are, dated by their last day."""
    relation, part = found["relation"].lower(), found["part"] or ""
    if relation == "the" and not part:
        return None
    named = _calendar(found["unit"].lower(), words.SHIFTS[relation], moment)
    return named._replace(text=f"{part} {named.text}", preposition="") if part else named


def _calendar(unit: str, shift: int, moment: Moment) -> Named:
    monday = moment.today + timedelta(days=7 * shift - moment.today.weekday())
    if unit == "week":
        return Named(f"the week of {monday.isoformat()}", monday + timedelta(days=4), "in")
    if unit == "weekend":
        saturday = monday + timedelta(days=5)
        return Named(f"the weekend of {saturday.isoformat()}", saturday)
    if unit == "year":
        return Named(str(moment.today.year + shift), None, "in")
    first = moved(moment.today.replace(day=1), shift, "month")
    last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
    return Named(f"{calendar.month_name[first.month]} {first.year}", last, "in")


def _month(name: str) -> int:
    return words.MONTHS.index(name[:3].lower()) + 1


def _of_day(name: str) -> int:
    return words.WEEK.index(name[:3].lower())


_SHORT_NAME = 4
_JUST_GONE = 45
_MONTHS_OF_YEAR = 12
_FROM = re.compile(r"(?:from|as of|starting) ", re.IGNORECASE)
_TO = re.compile(r"\s?(?:to|until|till|through|[-–])\b|\s?[-–]", re.IGNORECASE)

NUMERIC: tuple[tuple[str, Reader], ...] = (
    (r"(?<![0-9-])(?P<year>20[0-9]{2})([-/])(?P<month>[0-9]{1,2})\2(?P<nth>[0-9]{1,2})(?![0-9-])", _in_figures),
    (r"(?<![0-9.])(?P<nth>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>20[0-9]{2})(?![0-9])", _in_figures),
    (rf"(?:(?i:(?<=\bon )|(?<=\bby )|(?<=due )|(?<=til )|(?<=is )|(?<=: ))|^){words.SLASHED}", _slashed),
)
NAMED: tuple[tuple[str, Reader], ...] = (
    (words.DAY_OF_MONTH, _month_day),
    (words.MONTH_WITH_DAY, _month_day),
    (words.NTH_WEEKDAY, _nth_weekday),
    (words.WEEKS_ON, _weeks_on),
    (words.SPOKEN_DAY, _day_word),
    (words.DAY_WITH_NTH, _nth),
    (rf"(?i:{words.BEFORE_NTH})the {words.NTH_ALONE}{words.AFTER_NTH}", _nth),
    (rf"{words.BARE_NTH}{words.AFTER_NTH}", _nth),
    (rf"\bthe {words.LATE_NTH}{words.AFTER_NTH}", _nth),
    (words.DAY_OF_WEEK, _of_a_week),
    (words.WEEK_WITH_DAY, _of_a_week),
    (rf"\b{words.DAY} week\b", _weeks_on),
    (rf"\b{words.FEAST}\b{words.OF_YEAR}", _feast),
    (rf"\b(?P<by>(?i:on|by|until|since|from) )?(?:(?:{words.RELATION}|the) )?{words.DAY}\b", _weekday),
    (words.COUNTED, _counted),
    (rf"\b{words.MONTH_FRAME}{words.MONTH}\b{words.OF_YEAR}(?!,? ?[0-9])", _month_part),
    (words.AFTER_NEXT, lambda at, moment: _calendar(at["unit"].lower(), 2, moment)),
    (words.SPAN, _span),
)
"""The most exact first: what one has read, the next leave alone. What is named needs a word, what is numeric none."""
