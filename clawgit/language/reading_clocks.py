"""Times of day: `3 pm`, `3:30`, `9 Uhr`, `at 5`, `halb acht`, `下午3点半`, `오후 3시 30분`."""

import re
from collections.abc import Iterator

from clawgit.language.reading import Piece, Reading
from clawgit.language.tokens import Token

_FIGURES = re.compile(r"(\d{1,2})(?:[:.](\d\d))?")
_DAY_HOURS = 24
_NOON = 12
_HOUR = 60
_HALF = 30


def clocks(reading: Reading) -> Iterator[Piece]:
    for match in reading.language.clock_phrases.every(reading.text, reading.among):
        hour, _, minute = match.value.partition(":")
        yield Piece(match.start, match.end, "time", None, (int(hour), int(minute)))
    numbers = reading.language.numbers
    for index, token in enumerate(reading.among):
        is_number = token.text[0].isdecimal() or token.folded in numbers
        if (
            is_number
            and (clock := _figures(reading, token))
            and (piece := _marked(reading, index, clock))
        ):
            yield piece


def _figures(reading: Reading, token: Token) -> tuple[int, int] | None:
    """What a token could be as a time; a number word of an hour, too, for a mark may stand behind
    it.
    """
    figures = _FIGURES.fullmatch(token.text)
    hour = (
        int(figures[1]) if figures else reading.language.numbers.get(token.folded, _DAY_HOURS + 1)
    )
    minute = int(figures[2] or 0) if figures else 0
    return (hour, minute) if hour <= _DAY_HOURS and minute < _HOUR else None


def _marked(reading: Reading, index: int, clock: tuple[int, int]) -> Piece | None:
    token = reading.among[index]
    is_figure = token.text[0].isdecimal()
    for name, shift in (("pm", _NOON), ("am", 0)):
        match = reading.at(name, index + 1)
        if match and is_figure and len(reading.gap(index + 1)) <= 1 and 0 < clock[0] <= _NOON:
            return Piece(token.start, match.end, "time", None, (clock[0] % _NOON + shift, clock[1]))
    mark = reading.at("hour_marks", index + 1)
    if mark and len(reading.gap(index + 1)) <= 1:
        return _with_mark(reading, index, mark.after, mark.end, clock)
    half = reading.before("half_before", index)
    if half is not None:
        return Piece(half, token.end, "time", None, ((clock[0] - 1) % _DAY_HOURS, _HALF))
    if ":" in token.text:
        return Piece(token.start, token.end, "time", None, (clock[0] % _DAY_HOURS, clock[1]))
    is_bare = is_figure and not clock[1] and "." not in token.text
    if is_bare and reading.before("clock_before", index) is not None and _ends(reading, index + 1):
        return Piece(token.start, token.end, "time", None, (clock[0] % _DAY_HOURS, 0))
    return None


def _with_mark(reading: Reading, index: int, after: int, end: int, clock: tuple[int, int]) -> Piece:
    """The half of the day stands before the hour or behind it, minutes behind."""
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
            return Piece(start, follows.end, "time", None, (hour % _DAY_HOURS, _HALF))
        if follows.text.isdecimal() and int(follows.text[:3]) < _HOUR:
            mark = reading.at("minute_marks", after + 1)
            return Piece(
                start,
                mark.end if mark else follows.end,
                "time",
                None,
                (hour % _DAY_HOURS, int(follows.text)),
            )
    return Piece(start, end, "time", None, (hour % _DAY_HOURS, minute))


def _ends(reading: Reading, index: int) -> bool:
    """`at 5` is a time, `at 5 places` is not."""
    if index >= len(reading.among):
        return True
    return bool(reading.gap(index).strip()) or reading.among[index].folded in reading.language.known
