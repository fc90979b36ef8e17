"""A text in one language, as the readers of days and times use it."""

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from typing import Literal, NamedTuple

from clawgit.language.lexicon import Lexicon
from clawgit.language.phrases import Match
from clawgit.language.tokens import Token

_NEAR = 4


class When(NamedTuple):
    """A day or time in a text. `day` is set only if it is one day for certain."""

    start: int
    end: int
    kind: Literal["date", "weekday", "time", "relative", "recurring", "month", "year"]
    day: date | None = None
    clock: tuple[int, int] | None = None
    parts: tuple[int, int, int] = (0, 0, 0)
    """Year, month and day of a date as far as they are named. A year is never made up."""
    text: str = ""
    last: str = ""
    """The unit of the last one that has passed: `week` in “last week”, `weekday` in “last
    Friday”.
    """
    ago: tuple[int, str] = (0, "")
    """How much time has passed, if that is counted: 2 and `week` in “two weeks ago”."""


class DateReading:
    """Answers about the whole text are computed once, however many days it names."""

    def __init__(self, text: str, among: Sequence[Token], language: Lexicon, today: date) -> None:
        self.text, self.among, self.language, self.today = text, among, language, today

    @cached_property
    def is_yearly(self) -> bool:
        return self._has("yearly")

    @cached_property
    def is_recurring(self) -> bool:
        return self._has("recurring")

    @cached_property
    def is_past(self) -> bool:
        return self._has("past") or any(
            part in self.text for part in self.language.rows("past_parts")
        )

    @cached_property
    def is_future(self) -> bool:
        endings = self.language.rows("future_endings")
        if endings and any(token.folded.endswith(endings) for token in self.among):
            return True
        return self._has("future") or any(
            part in self.text for part in self.language.rows("future_parts")
        )

    def _has(self, name: str) -> bool:
        return next(self.language.phrases(name).every(self.text, self.among), None) is not None

    def at(self, name: str, index: int) -> Match[str] | None:
        """A phrase of this class that begins at a token."""
        if index >= len(self.among):
            return None
        return self.language.phrases(name).at(self.text, self.among, index)

    def before(self, name: str, index: int) -> int | None:
        """Where a phrase of this class begins that ends right before a token, None if none does."""
        rows = self.language.phrases(name)
        for begin in range(max(0, index - _NEAR), index) if rows else ():
            match = rows.at(self.text, self.among, begin)
            if match and match.after == index:
                return match.start
        return None

    def gap(self, index: int) -> str:
        """What stands between a token and the one before it."""
        return self.text[self.among[index - 1].end : self.among[index].start]
