"""The days that English names: readers of words for a date, each with the pattern that it reads."""

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple


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
    shift, part = _DAY_WORDS[word]
    return shifted(moment, shift, f" ({part})" if part else "")


def _weekday(found: re.Match[str], moment: Moment) -> Named | None:
    relation, name = (found["relation"] or "").lower(), found["day"]
    if not relation and not found["by"] and len(name) <= _SHORT_NAME:
        return None
    named = of_week(relation, _WEEK.index(name[:3].lower()), moment)
    return named._replace(text=(found["by"] or "") + named.text, preposition="" if found["by"] else "on")


def of_week(relation: str, weekday: int, moment: Moment) -> Named:
    """Next Friday is that of the next week, which begins on Monday; last Friday the one that was there last."""
    ahead = (weekday - moment.today.weekday()) % 7
    if relation in ("last", "past", "previous") or (not relation and moment.past):
        return shifted(moment, -((moment.today.weekday() - weekday) % 7 or 7))
    if relation in ("next", "following"):
        return shifted(moment, 7 - moment.today.weekday() + weekday)
    return shifted(moment, ahead if relation == "this" else ahead or 7)


def _counted(found: re.Match[str], moment: Moment) -> Named | None:
    """In two weeks, three days ago, a week from now."""
    count = number(found["count"])
    back = (found["after"] or "").strip().lower() == "ago"
    if count is None or not (back or found["in"] or found["after"]):
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
    return int(word) if word.isdecimal() else _COUNTS.get(word)


def _month_day(found: re.Match[str], moment: Moment) -> Named:
    return iso(on(int(found["nth"]), _month(found["month"]), found["year"], moment))


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


def _nth(found: re.Match[str], moment: Moment) -> Named:
    """The third, of the month that comes next to it."""
    number, today = int(found["nth"]), moment.today
    if moment.past:
        return iso(moved(today, -(number > today.day), "month").replace(day=number))
    return iso(moved(today.replace(day=1), int(number < today.day), "month").replace(day=number))


def _nth_weekday(found: re.Match[str], moment: Moment) -> Named:
    """The first Saturday in June, the last Friday of March."""
    month, weekday = _month(found["month"]), _WEEK.index(found["day"][:3].lower())
    year = int(found["year"] or 0) or on(28, month, None, moment).year
    days = [one for one in calendar.Calendar().itermonthdates(year, month) if one.month == month]
    fitting = [one for one in days if one.weekday() == weekday]
    nth = found["nth"].lower()
    return iso(fitting[-1 if nth == "last" else _NTHS.index(nth)])


def _month_part(found: re.Match[str], moment: Moment) -> Named | None:
    """End of March, mid May, the beginning of June; a month alone is named with its year."""
    month, part, relation = _month(found["month"]), found["part"] or "", (found["relation"] or "").lower()
    if not (part or relation or found["in"] or found["year"]):
        return None
    year = int(found["year"] or 0) or _year_of(month, relation, moment)
    day = next((day for sign, day in _PARTS.items() if sign in part.lower()), 0) or calendar.monthrange(year, month)[1]
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
    named = _calendar(found["unit"].lower(), _SHIFTS[relation], moment)
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
    return _MONTHS.index(name[:3].lower()) + 1


_SHORT_NAME = 4
_JUST_GONE = 45
_MONTHS_OF_YEAR = 12
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NTHS = ("first", "second", "third", "fourth")
_SHIFTS = {"last": -1, "previous": -1, "this": 0, "the": 0, "next": 1}
_PARTS = {"end": 0, "late": 0, "begin": 1, "start": 1, "early": 1, "mid": 15}
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5,
}  # fmt: skip
_DAY_WORDS: dict[str, tuple[int, str]] = {
    "today": (0, ""), "tonight": (0, "evening"), "this morning": (0, "morning"), "this afternoon": (0, "afternoon"),
    "this evening": (0, "evening"), "tomorrow": (1, ""), "tmrw": (1, ""), "tomorrow morning": (1, "morning"),
    "tomorrow afternoon": (1, "afternoon"), "tomorrow evening": (1, "evening"), "tomorrow night": (1, "evening"),
    "the day after tomorrow": (2, ""), "day after tomorrow": (2, ""), "yesterday": (-1, ""),
    "yesterday morning": (-1, "morning"), "yesterday afternoon": (-1, "afternoon"),
    "yesterday evening": (-1, "evening"), "last night": (-1, "evening"), "the day before yesterday": (-2, ""),
    "day before yesterday": (-2, ""),
}  # fmt: skip
_DAY = "(?P<day>(?:[Mm]on|[Tt]ues?|[Ww]ed(?:nes)?|[Tt]hu(?:rs?)?|[Ff]ri|[Ss]at(?:ur)?|[Ss]un)(?:day)?)"
_MONTH = (
    "(?P<month>(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))"
)
_NTH = "(?P<nth>[0-9]{1,2})(?:st|nd|rd|th)?"
_OF_YEAR = "(?:,? (?P<year>20[0-9]{2}))?"
_UNIT = "(?P<unit>(?i:days?|weeks?|fortnights?|months?|years?))"
_COUNT = (
    "(?P<count>[0-9]{1,3}|(?i:an?|one|(?:a )?couple of|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
)
_PART = "(?P<part>(?i:(?:the )?end of|(?:the )?beginning of|(?:the )?start of|(?:the )?middle of|mid|early|late))"

_SLASHED = "(?P<one>[0-9]{1,2})/(?P<two>[0-9]{1,2})(?![0-9/])"
_SPOKEN_DAY = (
    r"(?i:\b(?:tomorrow|yesterday)(?: morning| afternoon| evening| night)?\b|\b(?:the )?day (?:after tomorrow"
    r"|before yesterday)\b|\b(?:today|tonight|tmrw|last night|this (?:morning|afternoon|evening))\b)"
)
_BEFORE_NTH = "|".join(
    f"(?<={word} )" for word in ("on", "by", "til", "till", "from", "since", "for", "to", "off", "day", "day,")
)
_AFTER_NTH = r"(?=\W*$|[.,;:!?)]| (?:at|for|we|i|and|to|is|with|in|because|so|of each)\b)"
_RELATION = "(?P<relation>(?i:last|past|previous|this|next|following))"
_MONTH_FRAME = (
    rf"(?P<in>(?i:in|by|until|since|from|during|for) )?(?:{_PART}[ -])?(?:(?P<relation>(?i:last|next|this)) )?"
)

READERS: tuple[tuple[str, Reader], ...] = (
    (
        r"(?<![0-9-])(?P<year>20[0-9]{2})([-/])(?P<month>[0-9]{1,2})\2(?P<nth>[0-9]{1,2})(?![0-9-])",
        lambda at, _: iso(date(int(at["year"]), int(at["month"]), int(at["nth"]))),
    ),
    (
        r"(?<![0-9.])(?P<nth>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>20[0-9]{2})(?![0-9])",
        lambda at, _: iso(date(int(at["year"]), int(at["month"]), int(at["nth"]))),
    ),
    (rf"(?:(?i:(?<=\bon )|(?<=\bby )|(?<=due )|(?<=til )|(?<=is )|(?<=: ))|^){_SLASHED}", _slashed),
    (rf"(?<![0-9.:])\b(?:(?:{_DAY}),? )?(?:the )?{_NTH} (?:of )?{_MONTH}\b{_OF_YEAR}", _month_day),
    (rf"\b(?:(?:{_DAY}),? )?{_MONTH}\.? (?:the )?{_NTH}\b{_OF_YEAR}(?![:.]?[0-9])", _month_day),
    (
        rf"\b(?:the )?(?P<nth>(?i:first|second|third|fourth|last)) {_DAY} (?:in|of) {_MONTH}\b{_OF_YEAR}",
        _nth_weekday,
    ),
    (_SPOKEN_DAY, _day_word),
    (rf"(?:(?i:{_BEFORE_NTH})|\b{_DAY},? )the (?P<nth>[0-9]{{1,2}})(?:st|nd|rd|th)\b{_AFTER_NTH}", _nth),
    (rf"\b(?P<by>(?i:on|by|until|since|from) )?(?:{_RELATION} )?{_DAY}\b", _weekday),
    (rf"\b(?P<in>(?i:in|within) )?{_COUNT} {_UNIT}\b(?P<after> (?i:ago|from (?:now|today)(?! on)))?", _counted),
    (rf"\b{_MONTH_FRAME}{_MONTH}\b{_OF_YEAR}(?!,? ?[0-9])", _month_part),
    (rf"\b(?:{_PART} )?(?P<relation>(?i:last|previous|this|next|the)) (?P<unit>(?i:week|weekend|month|year))\b", _span),
)
"""The most exact first: what one has read, the next leave alone."""
