"""Times of day: `3 pm`, `3:30`, `9 Uhr`, `at 5`, `halb acht`, `下午3点半`, `오후 3시 30분`."""

from collections.abc import Iterator

from clawgit.language.lazily import lazily
from clawgit.language.reading import DateReading, When
from clawgit.language.tokens import Token

_FIGURES = lazily(r"(\d{1,2})(?:[:.](\d\d))?")
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
    half_day = _with_half_of_the_day(reading, index, clock)
    if half_day:
        return half_day
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
