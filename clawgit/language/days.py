"""Days and times as people say them, and the date in brackets after a relative day."""

from datetime import date, datetime
from typing import Literal

from clawgit.language.lexicon import lexicons_for
from clawgit.language.reading import DatePiece, DateReading
from clawgit.language.reading_clocks import clocks
from clawgit.language.reading_dates import months, written
from clawgit.language.reading_relative import relative_days
from clawgit.language.tokens import tokens
from clawgit.values import NamedTuple

Kind = Literal["date", "weekday", "time", "relative", "recurring", "month", "year"]


class When(NamedTuple):
    """A day or a time in a text. `certain`: it is one day for certain, which is `day`."""

    start: int
    end: int
    text: str
    kind: Kind
    day: date | None = None
    clock: tuple[int, int] | None = None
    certain: bool = False
    parts: tuple[int, int, int] = (0, 0, 0)
    """Year, month and day of a date as far as they are named. A year is never made up."""


def whens(text: str, said_at: datetime) -> tuple[When, ...]:
    """Every day and time of a text, from left to right. `said_at` is the speaker's local time."""
    among = tokens(text)
    pieces = [*written(text)]
    for language in lexicons_for(text):
        reading = DateReading(text, among, language, said_at.date())
        pieces += [*relative_days(reading), *months(reading), *clocks(reading)]
    kept: list[When] = []
    # The longest first where two begin alike; none overlaps another.
    for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end, piece.kind)):
        if not kept or piece.start >= kept[-1].end:
            kept.append(_when(text, piece))
    return tuple(kept)


def _when(text: str, piece: DatePiece) -> When:
    return When(
        start=piece.start,
        end=piece.end,
        text=text[piece.start : piece.end],
        kind=piece.kind,
        day=piece.day,
        clock=piece.clock,
        certain=piece.day is not None,
        parts=piece.parts,
    )


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
