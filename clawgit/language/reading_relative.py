"""Days that depend on the day of saying: `tomorrow`, `last Sunday`, `in 3 days`, `next week`,
`soon`.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from clawgit.language.phrases import Match
from clawgit.language.reading import DateReading, When

_WEEK = 7
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
    start, day = _day_meant(reading, match)
    is_plural = reading.text[match.start : match.end].casefold() not in reading.language.weekdays
    is_plural = is_plural or reading.before("weekday_articles", match.first) is not None
    if is_plural or (start == match.start and reading.is_recurring):
        return When(match.start, match.end, "recurring")
    return When(start, match.end, "weekday", None if reading.is_yearly else day)


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


def _day_meant(reading: DateReading, match: Match[int]) -> tuple[int, date | None]:
    """Where the naming of the day begins, and the day that it is; None if that is uncertain."""
    for name, direction in (("unsure_next", 0), ("last", -1), ("next", 1)):
        begin = reading.before(name, match.first)
        if begin is not None:
            return begin, _on(reading, match.value, direction)
    if reading.at("last_behind", match.after):
        return match.start, _on(reading, match.value, -1)
    if reading.is_past == reading.is_future:
        return match.start, None
    return match.start, _on(reading, match.value, 1 if reading.is_future else -1)


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
            return When(begin, match.end, "relative")
    return None


def _counted(reading: DateReading, match: Match[str]) -> When | None:
    """`in 3 days`, `vor zwei Tagen`, `三天前`: a few days are counted, weeks and more are not."""
    count = _count(reading, match.first - 1)
    if count is None:
        return None
    start, end, sign = _direction(reading, match)
    if not sign:
        return None
    is_exact = match.value == "day" and count <= _COUNTED_DAYS
    return When(start, end, "relative", _shifted(reading, sign * count) if is_exact else None)


def _count(reading: DateReading, index: int) -> int | None:
    if index < 0:
        return None
    token = reading.among[index]
    if token.text.isdecimal():
        return int(token.text) if len(token.text) <= _MOST_DIGITS else None
    is_article = token.folded in reading.language.words("articles")
    return reading.language.numbers.get(token.folded, 1 if is_article else None)


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
