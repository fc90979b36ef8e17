"""A question to a memory, as it was read: its telling words, what stands for each of them, and the
days that it names.
"""

from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache

from clawgit.core import NamedTuple
from clawgit.core.markdown.item import Item
from clawgit.language.days import When, last_day, whens
from clawgit.language.files import near
from clawgit.memory.rules.confidence import day_of


class Word(NamedTuple):
    """A telling word. `forms` are the terms of the memory that stand for it, each with what it is
    worth: its share of the word, the weight of the word in its language, and how rare it is.
    """

    word: str
    forms: Mapping[str, float]
    is_said: bool = True

    def worth(self, said: Collection[str]) -> float:
        """What a text is worth that has these terms; the best of them counts."""
        return max((value for form, value in self.forms.items() if form in said), default=0.0)


class Asked(NamedTuple):
    """A question, and those of its words, as they were written, that nothing in memory says."""

    text: str
    words: tuple[Word, ...]
    missing: tuple[str, ...] = ()

    @property
    def terms(self) -> list[str]:
        return [*dict.fromkeys(term for word in self.words for term in word.forms)]

    @property
    def whole(self) -> float:
        """What a text is worth that has every word."""
        return sum(max(word.forms.values()) for word in self.words)

    def worth(self, said: Collection[str]) -> float:
        return sum(word.worth(said) for word in self.words)


class Days(NamedTuple):
    """From `first` to `last`, both included, as a `text` names them."""

    first: date
    last: date
    text: str = ""

    def holds(self, row: Item) -> bool:
        """Whether a line is of these days: by its file or heading; else by the first or the last
        day of its entry.
        """
        day = day_of(row.path, row.headings)
        days = [day] if day else [row.meta.first, row.meta.last] if row.meta else []
        return any(day and self.first <= day <= self.last for day in days)


def days_named(text: str, now: datetime) -> Days | None:
    """The first days that a text names; None if it names none for certain."""
    for when in whens(text, now):
        if days := _meant(when, now.date()):
            return days._replace(text=text[when.start : when.end])
    return None


def _meant(when: When, today: date) -> Days | None:
    """The days of a date, of a month, or of the last week; None where none is certain. Without a
    year, they are the last that have come.
    """
    year, month, day = when.parts
    if when.day:
        return Days(when.day, when.day)
    if when.last == "week":
        monday = today - timedelta(days=today.weekday() + 7)
        return Days(monday, monday + timedelta(days=6))
    if not month:
        return None
    year = year or today.year - ((month, day) > (today.month, today.day))
    end = last_day(year, month)
    if day > end:
        return None
    return Days(date(year, month, day or 1), date(year, month, day or end))


@lru_cache(maxsize=512)
def asks_permission(question: str) -> bool:
    return any(row.search(question) for row in near("permission", question))
