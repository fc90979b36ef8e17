"""Days and times as people say them, and the date in brackets after a relative day."""

from datetime import datetime
from operator import attrgetter

from clawgit.language.lexicon import lexicons_for
from clawgit.language.reading import DateReading, When
from clawgit.language.reading_clocks import clocks
from clawgit.language.reading_dates import months, written
from clawgit.language.reading_relative import relative_days
from clawgit.language.spans import apart
from clawgit.language.tokens import tokens


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
