"""Days and times as people say them, and what stands in brackets behind a day that is meant relatively."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.tokens import Token, tokens

Kind = Literal["date", "weekday", "time", "relative", "recurring", "month", "year"]
_ISO = re.compile(r"(?<![\d-])((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)?(?!\d)")
_CLOCK = re.compile(r"(?<![\d:.])([01]?\d|2[0-4]):([0-5]\d)(?!\d|:\d|\.\d)")
_YEAR = re.compile(r"(?<![\d.,:$€-])((?:19|20)\d\d)(?![\d%]|[.,:]\d|-\d)")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?\Z", re.IGNORECASE)
_WEEK = 7
_NOON = 12
_EXACT_DAYS = 6
"""Who says `in 6 days` has counted; `in 14 days` means two weeks or so."""
_NEAR = 4


class When(NamedTuple):
    """`certain`: it is one day for certain, and that is `day`."""

    start: int
    end: int
    text: str
    kind: Kind
    day: date | None = None
    clock: tuple[int, int] | None = None
    certain: bool = False


def whens(text: str, said: datetime) -> tuple[When, ...]:
    """Every day and time of a text, from left to right. `said` is the moment of saying, where the speaker is."""
    among = tokens(text)
    found = [*_written(text)]
    for language in lexicons_for(text):
        found += _Reader(text, among, language, said.date()).read()
    kept: list[When] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def bracket(text: str, said: datetime) -> str:
    """What stands behind a kept line: the date that a relative day was, or when it was said where that is uncertain."""
    relative = [one for one in whens(text, said) if one.kind in ("relative", "weekday")]
    if not relative:
        return ""
    days = {one.day for one in relative}
    others = any(one.kind == "date" for one in whens(text, said))
    if len(days) == 1 and not others and all(one.certain and one.day for one in relative):
        return f"({relative[0].day:%Y-%m-%d})"
    return f"(said {said:%Y-%m-%d})"


def _written(text: str) -> Iterator[When]:
    """Dates and times in figures; they are the same in every language."""
    for at in _ISO.finditer(text):
        day = _date(int(at[1]), int(at[2]), int(at[3]))
        if day:
            yield When(at.start(), at.end(), at[0], "date", day, None, certain=True)
    for at in _DOTTED.finditer(text):
        day = _date(int(at[3] or 2000), int(at[2]), int(at[1]))
        if day:
            yield When(at.start(), at.end(), at[0], "date", day if at[3] else None, None, certain=bool(at[3]))
    for at in _CLOCK.finditer(text):
        yield When(at.start(), at.end(), at[0], "time", None, (int(at[1]) % 24, int(at[2])))
    for at in _YEAR.finditer(text):
        yield When(at.start(), at.end(), at[0], "year")


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


class _Reader:
    """One text in one language."""

    def __init__(self, text: str, among: Sequence[Token], language: Lexicon, today: date) -> None:
        self.text, self.among, self.language, self.today = text, among, language, today
        self.is_yearly = self._has("yearly")
        self.is_recurring = self._has("recurring")

    def read(self) -> list[When]:
        return [*self._relative(), *self._weekdays(), *self._months(), *self._clocks(), *self._counted()]

    def _has(self, name: str) -> bool:
        return next(self.language.phrases(name).every(self.text, self.among), None) is not None

    def _when(
        self, start: int, end: int, kind: Kind, day: date | None = None, clock: tuple[int, int] | None = None
    ) -> When:
        return When(start, end, self.text[start:end], kind, day, clock, certain=day is not None)

    def _relative(self) -> Iterator[When]:
        """`tomorrow` is one day; `next week` and `soon` are none."""
        for match in self.language.day_phrases.every(self.text, self.among):
            day = None if self.is_yearly else self.today + timedelta(days=match.value)
            yield self._when(match.start, match.end, "relative", day)
        for match in self.language.phrases("vague").every(self.text, self.among):
            yield self._when(match.start, match.end, "relative")

    def _weekdays(self) -> Iterator[When]:
        for match in self.language.weekday_phrases.every(self.text, self.among):
            token = self.among[match.first]
            if token.folded in self.language.words("ambiguous") and not token.text[:1].isupper():
                continue
            is_plural = self.text[match.start : match.end].casefold() not in self.language.weekdays
            if self.is_recurring or is_plural:
                yield self._when(match.start, match.end, "recurring")
                continue
            start, day = self._weekday(match.first, match.after, match.start, match.value)
            yield self._when(start, match.end, "weekday", None if self.is_yearly else day)

    def _weekday(self, first: int, after: int, start: int, weekday: int) -> tuple[int, date | None]:
        """The day that `last Sunday`, `this Sunday` or `will … on Sunday` is; None where that is uncertain."""
        for name, shift in (("unsure_next", 0), ("last", -1), ("next", 1)):
            begin = self._before(name, first)
            if begin is None and name == "last":
                begin = start if self._behind("last_behind", after) else None
            if begin is not None:
                return min(begin, start), self._shifted(weekday, shift)
        is_past, is_future = self._has("past"), self._has("future")
        if is_past == is_future:
            return start, None
        return start, self._shifted(weekday, 1 if is_future else -1)

    def _shifted(self, weekday: int, direction: int) -> date | None:
        """The next or the last such day; today's own name is uncertain."""
        ahead = (weekday - self.today.weekday()) % _WEEK
        if not direction or not ahead:
            return None
        return self.today + timedelta(days=ahead if direction > 0 else ahead - _WEEK)

    def _before(self, name: str, index: int) -> int | None:
        """Where a phrase of this class begins that ends right before a token."""
        for begin in range(max(0, index - _NEAR), index):
            match = self.language.phrases(name).at(self.text, self.among, begin)
            if match and match.after == index:
                return match.start
        return None

    def _behind(self, name: str, index: int) -> bool:
        return index < len(self.among) and self.language.phrases(name).at(self.text, self.among, index) is not None

    def _months(self) -> Iterator[When]:
        """`March 3`, `3. März`, `3 de marzo`, each with or without a year; a month alone is none of a day."""
        for match in self.language.month_phrases.every(self.text, self.among):
            head, tail = self.text[max(0, match.start - 12) : match.start], self.text[match.end : match.end + 14]
            before = re.search(
                r"(?<![\d:.,$€])(\d{1,2})(?:st|nd|rd|th|\.|º)?\s+(?:of\s+|de\s+)?\Z", head, re.IGNORECASE
            )
            behind = re.match(r"\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?![\d:%])", tail, re.IGNORECASE)
            number = before or behind
            word = self.among[match.first]
            if not number and word.folded in self.language.words("ambiguous") and not self._is_month(word):
                continue
            start = match.start - len(head) + before.start() if before else match.start
            end = match.end + behind.end() if behind and not before else match.end
            year = re.match(r",?\s+(?:of\s+|de\s+|del\s+)?((?:19|20)\d\d)(?!\d)", self.text[end : end + 14])
            end += year.end() if year else 0
            if number:
                day = _date(int(year[1]), match.value, int(number[1])) if year else None
                yield self._when(start, end, "date", day)
            else:
                yield self._when(start, end, "month")

    def _is_month(self, word: Token) -> bool:
        """`in May`, never `may`."""
        before = self.text[max(0, word.start - 20) : word.start].rstrip()
        return word.text[:1].isupper() and bool(before) and before[-1] not in ".!?:"

    def _clocks(self) -> Iterator[When]:
        for match in self.language.clock_phrases.every(self.text, self.among):
            hour, _, minute = match.value.partition(":")
            yield self._when(match.start, match.end, "time", None, (int(hour), int(minute)))
        for index, token in enumerate(self.among):
            if token.text.isdigit() or _CLOCK.fullmatch(token.text):
                yield from self._clock(index, token)

    def _clock(self, index: int, token: Token) -> Iterator[When]:
        """`3 pm`, `3:30 p.m.`, `9 Uhr`, `at 5`."""
        hour, _, minute = token.text.partition(":")
        if int(hour) > 24 or len(hour) > 2:  # noqa: PLR2004
            return
        marks = self.language.phrases
        behind = index + 1
        clock = int(hour), int(minute or 0)
        for name, shift in (("pm", _NOON), ("am", 0)):
            if match := (marks(name).at(self.text, self.among, behind) if behind < len(self.among) else None):
                if len(self.text[token.end : match.start]) <= 1 and clock[0] <= _NOON:
                    turned = (clock[0] % _NOON + shift, clock[1])
                    yield self._when(token.start, match.end, "time", None, turned)
                    return
        mark = marks("hour_marks").at(self.text, self.among, behind) if behind < len(self.among) else None
        if mark and len(self.text[token.end : mark.start]) <= 1:
            yield self._asian_or_marked(index, token, mark.after, mark.end, clock)
        elif self._before("clock_before", index) is not None and not minute and self._ends_clock(behind):
            yield self._when(token.start, token.end, "time", None, (clock[0] % 24, 0))

    def _asian_or_marked(self, index: int, token: Token, after: int, end: int, clock: tuple[int, int]) -> When:
        """`9 Uhr`, `下午3点半`, `오후 3시 30분`: the half of the day stands before, minutes behind."""
        hour, minute = clock
        start = token.start
        for name, shift in (("pm", _NOON), ("am", 0)):
            begin = self._before(name, index)
            if begin is not None and self.language.script != "latin":
                start, hour = begin, hour % _NOON + shift
        if after < len(self.among):
            follows = self.among[after]
            if follows.folded in self.language.words("half_behind") and follows.start == end:
                return self._when(start, follows.end, "time", None, (hour % 24, 30))
            if follows.text.isdigit() and int(follows.text) < 60 and follows.start - end <= 1:  # noqa: PLR2004
                mark = after + 1 < len(self.among) and self.among[after + 1].folded in self.language.words(
                    "minute_marks"
                )
                stop = self.among[after + 1].end if mark else follows.end
                return self._when(start, stop, "time", None, (hour % 24, int(follows.text)))
        return self._when(start, end, "time", None, (hour % 24, minute))

    def _ends_clock(self, behind: int) -> bool:
        """`at 5` is a time, `at 5 places` is not."""
        if behind >= len(self.among):
            return True
        gap = self.text[self.among[behind - 1].end : self.among[behind].start]
        return bool(gap.strip()) or self.among[behind].folded in self.language.known

    def _counted(self) -> Iterator[When]:
        """`in 3 days`, `vor zwei Tagen`, `三天前`: few days are counted, weeks and more are not."""
        for match in self.language.span_phrases.every(self.text, self.among):
            if match.value not in ("day", "week", "month", "year") or not match.first:
                continue
            count = self._count(match.first - 1)
            if count is None:
                continue
            sign, start, end = self._direction(match.first - 1, match.after)
            if sign:
                exact = match.value == "day" and count <= _EXACT_DAYS and not self.is_yearly
                yield self._when(start, end, "relative", self.today + timedelta(days=sign * count) if exact else None)

    def _count(self, index: int) -> int | None:
        token = self.among[index]
        if token.text.isdigit() and len(token.text) <= 3:  # noqa: PLR2004
            return int(token.text)
        return self.language.numbers.get(token.folded, 1 if token.folded in ("a", "an") else None)

    def _direction(self, number: int, after: int) -> tuple[int, int, int]:
        start, end = self.among[number].start, self.among[after - 1].end
        for name, sign in (("ago", -1), ("hence_behind", 1)):
            if after < len(self.among) and (match := self.language.phrases(name).at(self.text, self.among, after)):
                return sign, start, match.end
        for name, sign in (("ago_before", -1), ("hence", 1)):
            begin = self._before(name, number)
            if begin is not None:
                return sign, begin, end
        return 0, start, end
