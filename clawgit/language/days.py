"""Days and times as people say them, and what stands in brackets behind a day that is meant
relatively.
"""

from datetime import date, datetime
from typing import Literal, NamedTuple

from clawgit.language.lexicon import lexicons_for
from clawgit.language.reading import Reading
from clawgit.language.reading_clocks import clocks
from clawgit.language.reading_dates import months, written
from clawgit.language.reading_relative import relative_days
from clawgit.language.tokens import tokens

Kind = Literal["date", "weekday", "time", "relative", "recurring", "month", "year"]


class When(NamedTuple):
    """`certain`: it is one day for certain, and that is `day`."""

    start: int
    end: int
    text: str
    kind: Kind
    day: date | None = None
    clock: tuple[int, int] | None = None
    certain: bool = False
    parts: tuple[int, int, int] = (0, 0, 0)
    """Year, month and day of a date as far as they are named: no year is ever made up."""


def whens(text: str, said: datetime) -> tuple[When, ...]:
    """Every day and time of a text, from left to right. `said` is the moment of saying, where the
    speaker is.
    """
    among = tokens(text)
    found = [*written(text)]
    for language in lexicons_for(text):
        reading = Reading(text, among, language, said.date())
        found += [*relative_days(reading), *months(reading), *clocks(reading)]
    kept: list[When] = []
    for start, end, kind, day, clock, parts in sorted(
        found, key=lambda piece: (piece.start, -piece.end, piece.kind)
    ):
        if not kept or start >= kept[-1].end:
            kept.append(
                When(
                    start,
                    end,
                    text[start:end],
                    kind,
                    day,
                    clock,
                    certain=day is not None,
                    parts=parts,
                )
            )
    return tuple(kept)


def bracket(text: str, said: datetime) -> str:
    """What stands behind a kept line: the date that a relative day was, or when it was said where
    that is uncertain.

    A reader could not tell to which of two days one date belongs: then it is the day of saying,
    too.
    """
    named = whens(text, said)
    relative = [when for when in named if when.kind in ("relative", "weekday")]
    if not relative:
        return ""
    days = {when.day for when in relative}
    is_one = len(days) == 1 and all(when.kind != "date" for when in named)
    if is_one and relative[0].day is not None:
        return f"({relative[0].day:%Y-%m-%d})"
    return f"(said {said:%Y-%m-%d})"
