"""Days and times as people say them, and the date in brackets after a relative day."""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from operator import attrgetter

from clawgit.language.lazily import lazily
from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.phrases import Match
from clawgit.language.reading import DateReading, When
from clawgit.language.spans import apart
from clawgit.language.tokens import Token, tokens

_WEEK = 7
_WEEKDAY = "weekday"
_COUNTED_DAYS = 6
"""`in 6 days` was counted, `in 14 days` means about two weeks."""
_LONG = ("day", "week", "month", "year")
_MOST_DIGITS = 3


def relative_days(reading: DateReading) -> Iterator[When]:
    language, text, among = reading.language, reading.text, reading.among
    for day in language.day_phrases.every(text, among):
        yield When(day.start, day.end, "relative", _shifted(reading, day.value))
    for vague in language.phrases("vague").every(text, among):
        yield When(vague.start, vague.end, "relative")
    weekdays = language.weekday_phrases.every(text, among)
    yield from filter(None, (_weekday(reading, weekday) for weekday in weekdays))
    lengths = language.span_phrases.every(text, among)
    yield from filter(None, (_span(reading, length) for length in lengths))
    seasons = language.phrases("seasons").every(text, among)
    yield from filter(None, (_near_span(reading, season) for season in seasons))


def _span(reading: DateReading, length: Match[str]) -> When | None:
    """`next week`, `in 3 days`."""
    if length.value not in _LONG:
        return None
    return _near_span(reading, length) or _counted(reading, length)


def _shifted(reading: DateReading, days: int) -> date | None:
    """The day that many days later. None beside a birthday, which may be celebrated on another
    day.
    """
    return None if reading.is_yearly else reading.today + timedelta(days=days)


def _weekday(reading: DateReading, match: Match[int]) -> When | None:
    token = reading.among[match.first]
    if token.folded in reading.language.words("ambiguous") and not _is_abbreviation(reading, match):
        return None
    start, end, day, last = _day_meant(reading, match)
    is_plural = reading.text[match.start : match.end].casefold() not in reading.language.weekdays
    is_plural = is_plural or reading.before("weekday_articles", match.first) is not None
    if is_plural or (start == match.start and reading.is_recurring):
        return When(match.start, match.end, "recurring")
    return When(start, end, "weekday", None if reading.is_yearly else day, last=last)


def _is_abbreviation(reading: DateReading, match: Match[int]) -> bool:
    """`Sun 10:00`, `Mo-Fr`: a short form with a capital, beside a figure or another day."""
    token = reading.among[match.first]
    if not token.text[:1].isupper():
        return False
    beside = [
        reading.among[at] for at in (match.first - 1, match.after) if 0 <= at < len(reading.among)
    ]
    return not beside or any(
        token_beside.text[0].isdecimal() or token_beside.folded in reading.language.weekdays
        for token_beside in beside
    )


def _day_meant(reading: DateReading, match: Match[int]) -> tuple[int, int, date | None, str]:
    """Where the naming of the day begins and ends, and the day that it is; None if that is
    uncertain. The last is `weekday` if it is said to be the last one.
    """
    for name, direction in (("unsure_next", 0), ("last", -1), ("next", 1)):
        begin = reading.before(name, match.first)
        if begin is not None:
            last = _WEEKDAY if direction < 0 else ""
            return begin, match.end, _on(reading, match.value, direction), last
    # The word itself may have it: “segunda” alone means “second”, too.
    for index in (match.after, match.after - 1):
        if behind := reading.at("last_behind", index):
            return match.start, behind.end, _on(reading, match.value, -1), _WEEKDAY
    if reading.is_past == reading.is_future:
        return match.start, match.end, None, ""
    direction = 1 if reading.is_future else -1
    return match.start, match.end, _on(reading, match.value, direction), ""


def _on(reading: DateReading, weekday: int, direction: int) -> date | None:
    """The next such day or the last one; the name of today's own is uncertain."""
    ahead = (weekday - reading.today.weekday()) % _WEEK
    if not direction or not ahead:
        return None
    return reading.today + timedelta(days=ahead if direction > 0 else ahead - _WEEK)


def _near_span(reading: DateReading, match: Match[str]) -> When | None:
    """`last week`, `dieses Jahr`, `next winter`: relative, and not one day."""
    names = (
        ("unsure_next", "last", "next")
        if match.value in _LONG
        else ("unsure_next", "last", "next", "hence")
    )
    for name in names:
        begin = reading.before(name, match.first)
        if begin is not None:
            return When(begin, match.end, "relative", last=match.value if name == "last" else "")
    behind = reading.at("last_behind", match.after)
    return When(match.start, behind.end, "relative", last=match.value) if behind else None


def _counted(reading: DateReading, match: Match[str]) -> When | None:
    """`in 3 days`, `vor zwei Tagen`, `三天前`: a few days are counted, weeks and more are not."""
    count = _count(reading, match.first - 1)
    if count is None:
        return None
    start, end, sign = _direction(reading, match)
    if not sign:
        return None
    is_exact = match.value == "day" and count <= _COUNTED_DAYS
    day = _shifted(reading, sign * count) if is_exact else None
    ago = (count, match.value) if sign < 0 else (0, "")
    return When(start, end, "relative", day, ago=ago)


def _count(reading: DateReading, index: int) -> int | None:
    if index < 0:
        return None
    token = reading.among[index]
    if token.text.isdecimal():
        return int(token.text) if len(token.text) <= _MOST_DIGITS else None
    words = reading.language.words
    is_one = token.folded in words("articles") or token.folded in words("weak_numbers")
    return reading.language.numbers.get(token.folded, 1 if is_one else None)


def _direction(reading: DateReading, match: Match[str]) -> tuple[int, int, int]:
    number = match.first - 1
    start = reading.among[number].start
    for name, sign in (("ago", -1), ("hence_behind", 1)):
        if behind := reading.at(name, match.after):
            return start, behind.end, sign
    for name, sign in (("ago_before", -1), ("hence", 1)):
        begin = reading.before(name, number)
        if begin is not None:
            return begin, match.end, sign
    return start, match.end, 0


_ISO = lazily(r"(?<![\d-])((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])")
_DOTTED = lazily(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)?(?!\d)")
_YEAR = lazily(r"(?<![\w.,:$€/-])(?:19|20)\d\d(?![\w%€$/]|[.,:]\d|-\d|\s?[€$%])")
_DAY_BEFORE = lazily(
    r"(?<![\w:.,$€])(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+)?\Z", re.IGNORECASE
)
_DAY_BEHIND = lazily(r"\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?![\w:%]|\.\d)", re.IGNORECASE)
_YEAR_BEHIND = lazily(r",?\s+(?:of\s+|de\s+|del\s+)?((?:19|20)\d\d)(?!\d)", re.IGNORECASE)
_WIDTH = 14
_LEAP_YEAR = 2000


def written(text: str) -> Iterator[When]:
    """Dates in figures; they are the same in every language."""
    for at in _ISO.finditer(text):
        if day := _date(int(at[1]), int(at[2]), int(at[3])):
            yield When(*at.span(), "date", day, None, (day.year, day.month, day.day))
    for at in _DOTTED.finditer(text):
        if day := _date(int(at[3] or _LEAP_YEAR), int(at[2]), int(at[1])):
            yield When(
                *at.span(),
                "date",
                day if at[3] else None,
                None,
                (int(at[3] or 0), day.month, day.day),
            )
    for at in _YEAR.finditer(text):
        yield When(*at.span(), "year", None, None, (int(at[0]), 0, 0))


def months(reading: DateReading) -> Iterator[When]:
    """A month with its day, and with its year if that is said: a year is never made up."""
    for match in reading.language.month_phrases.every(reading.text, reading.among):
        if piece := _month(reading, match):
            yield piece
    pattern = _in_signs(reading.language)
    for match_of_signs in pattern.finditer(reading.text) if pattern else ():
        if piece := _from_signs(match_of_signs, len(reading.language.data["months"])):
            yield piece


def _from_signs(match: re.Match[str], last_month: int) -> When | None:
    """`2026年3月3日`, `3月`."""
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if day:
        if not _date(year or _LEAP_YEAR, month, day):
            return None
        certain = _date(year, month, day) if year else None
        return When(*match.span(), "date", certain, None, (year, month, day))
    if 0 < month <= last_month:
        return When(*match.span(), "month", None, None, (year, month, 0))
    return None


def _month(reading: DateReading, match: Match[int]) -> When | None:
    text = reading.text
    head = text[max(0, match.start - _WIDTH) : match.start]
    before, behind = _DAY_BEFORE.search(head), _DAY_BEHIND.match(text, match.end)
    start, end = match.start, match.end
    number = before or behind
    if before:
        start -= len(head) - before.start()
    elif behind:
        end = behind.end()
    year = _YEAR_BEHIND.match(text, end)
    if not number and not year and _is_other_word(reading, match):
        return None
    end = year.end() if year else end
    named = int(year[1]) if year else 0
    if not number:
        return When(start, end, "month", None, None, (named, match.value, 0))
    day = int(number[1])
    if not _date(_LEAP_YEAR, match.value, day):
        return When(match.start, match.end, "month", None, None, (0, match.value, 0))
    certain = _date(named, match.value, day) if named else None
    return When(start, end, "date", certain, None, (named, match.value, day))


def _is_other_word(reading: DateReading, match: Match[int]) -> bool:
    """Whether the name of a month is more likely another word: `may`."""
    word = reading.among[match.first]
    is_ambiguous = word.folded in reading.language.words("ambiguous")
    return is_ambiguous and not _is_month(reading.text, word)


def _is_month(text: str, word: Token) -> bool:
    """Whether an ambiguous word is a month: `in May` is one, `May I` and `may` are not."""
    before = text[max(0, word.start - _WIDTH) : word.start].rstrip()
    return word.text[:1].isupper() and bool(before) and before[-1] not in ".!?:"


@cache
def _in_signs(language: Lexicon) -> re.Pattern[str] | None:
    """Dates of figures with a character after each: year, month, day."""
    marks = [
        "|".join(map(re.escape, language.rows(f"{name}_marks")))
        for name in ("year", "month", "day")
    ]
    if not all(marks):
        return None
    year, month, day = marks
    return re.compile(
        rf"(?<!\d)(?:(\d{{4}})\s?(?:{year})\s?)?(\d{{1,2}})\s?(?:{month})(?:\s?(\d{{1,2}})\s?(?:{day}))?"
    )


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_FIGURES = lazily(r"(\d{1,2})(?:[:.](\d\d))?")
_H = lazily(r"h([0-5]\d)?(?!\w)")
_DAY_HOURS = 24
_NOON = 12
_HOUR = 60
_HALF = 30


def clocks(reading: DateReading) -> Iterator[When]:
    for match in reading.language.clock_phrases.every(reading.text, reading.among):
        hour, _, minute = match.value.partition(":")
        yield When(match.start, match.end, "time", None, (int(hour), int(minute)))
    numbers = reading.language.numbers
    for index, token in enumerate(reading.among):
        is_number = token.text[0].isdecimal() or token.folded in numbers
        if (
            is_number
            and (clock := _figures(reading, token))
            and (piece := _marked(reading, index, clock))
        ):
            yield piece


def _figures(reading: DateReading, token: Token) -> tuple[int, int] | None:
    """What a token could be as a time, even if it is a number word, which a mark such as `pm` may
    follow.
    """
    figures = _FIGURES.fullmatch(token.text)
    hour = (
        int(figures[1]) if figures else reading.language.numbers.get(token.folded, _DAY_HOURS + 1)
    )
    minute = int(figures[2] or 0) if figures else 0
    return (hour, minute) if hour <= _DAY_HOURS and minute < _HOUR else None


def _marked(reading: DateReading, index: int, clock: tuple[int, int]) -> When | None:
    """The time that a number is because of the words around it, None if it is not a time."""
    signed = _with_half_of_the_day(reading, index, clock) or _with_h(reading, index, clock)
    if signed:
        return signed
    mark = reading.at("hour_marks", index + 1)
    if mark and len(reading.gap(index + 1)) <= 1:
        return _with_mark(reading, index, mark.after, mark.end, clock)
    token, (hour, minute) = reading.among[index], clock
    half = reading.before("half_before", index)
    if half is not None:
        return When(half, token.end, "time", None, ((hour - 1) % _DAY_HOURS, _HALF))
    if ":" in token.text:
        return When(token.start, token.end, "time", None, (hour % _DAY_HOURS, minute))
    if _is_bare_hour(reading, index, minute):
        return When(token.start, token.end, "time", None, (hour % _DAY_HOURS, 0))
    return None


def _with_half_of_the_day(reading: DateReading, index: int, clock: tuple[int, int]) -> When | None:
    """`3 pm`, `11:30 am`."""
    token, (hour, minute) = reading.among[index], clock
    if not token.text[0].isdecimal() or not 0 < hour <= _NOON:
        return None
    for name, shift in (("pm", _NOON), ("am", 0)):
        match = reading.at(name, index + 1)
        if match and len(reading.gap(index + 1)) <= 1:
            return When(token.start, match.end, "time", None, (hour % _NOON + shift, minute))
    return None


def _with_h(reading: DateReading, index: int, clock: tuple[int, int]) -> When | None:
    """`at 14h30`. Without a word such as `at` before it, this is how long something takes."""
    token, (hour, minute) = reading.among[index], clock
    found = _H.match(reading.text, token.end)
    if not found or reading.before("clock_before", index) is None:
        return None
    said = (hour % _DAY_HOURS, int(found[1] or minute))
    return When(token.start, found.end(), "time", None, said)


def _is_bare_hour(reading: DateReading, index: int, minute: int) -> bool:
    """Whether a figure without a mark is an hour: `at 5`."""
    text = reading.among[index].text
    if not text[0].isdecimal() or minute or "." in text:
        return False
    return reading.before("clock_before", index) is not None and _ends(reading, index + 1)


def _with_mark(
    reading: DateReading, index: int, after: int, end: int, clock: tuple[int, int]
) -> When:
    """The half of the day stands before the hour or after it, minutes after."""
    start, (hour, minute) = reading.among[index].start, clock
    for name, shift in (("pm", _NOON), ("am", 0)):
        begin = reading.before(name, index)
        behind = reading.at(name, after)
        if begin is not None or behind:
            start, hour = start if begin is None else begin, hour % _NOON + shift
            end = behind.end if behind else end
            break
    if after < len(reading.among) and reading.among[after].start - end <= 1:
        follows = reading.among[after]
        if follows.folded in reading.language.words("half_behind"):
            return When(start, follows.end, "time", None, (hour % _DAY_HOURS, _HALF))
        if follows.text.isdecimal() and int(follows.text[:3]) < _HOUR:
            mark = reading.at("minute_marks", after + 1)
            return When(
                start,
                mark.end if mark else follows.end,
                "time",
                None,
                (hour % _DAY_HOURS, int(follows.text)),
            )
    return When(start, end, "time", None, (hour % _DAY_HOURS, minute))


def _ends(reading: DateReading, index: int) -> bool:
    """`at 5` is a time, `at 5 places` is not."""
    if index >= len(reading.among):
        return True
    return bool(reading.gap(index).strip()) or reading.among[index].folded in reading.language.known


def whens(text: str, said_at: datetime) -> tuple[When, ...]:
    """Every day and time of a text, from left to right. `said_at` is the speaker's local time."""
    among = tokens(text)
    found = [*written(text)]
    for language in lexicons_for(text):
        reading = DateReading(text, among, language, said_at.date())
        found += [*relative_days(reading), *months(reading), *clocks(reading)]
    kept = apart(sorted(found, key=attrgetter("kind")))
    return tuple(when._replace(text=text[when.start : when.end]) for when in kept)


def bracket(text: str, said_at: datetime) -> str:
    """The brackets after a kept line: the date of its relative day, or when it was said.

    It is the day of saying if the relative day is uncertain, or if there are several days: a reader
    could not tell to which one the date belongs.
    """
    named = whens(text, said_at)
    relative = [when for when in named if when.kind in ("relative", "weekday")]
    if not relative:
        return ""
    days = {when.day for when in relative}
    # With a full date beside it, a date in brackets could belong to either.
    is_one = len(days) == 1 and all(when.kind != "date" for when in named)
    if is_one and relative[0].day is not None:
        return f"({relative[0].day:%Y-%m-%d})"
    return f"(said {said_at:%Y-%m-%d})"
