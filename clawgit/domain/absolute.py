"""Dates made absolute: what a sentence calls “next Friday” is written as the day that it was when it was said."""

import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from typing import NamedTuple

from clawgit.domain import absolute_cjk, absolute_days
from clawgit.domain.absolute_days import Moment, Named, Reader
from clawgit.domain.past import IRREGULAR


class Dated(NamedTuple):
    """A text whose dates stand for themselves. `when` is the first of them, of what is moved the new one, and of a
    span its last day; None: no date.
    """

    text: str
    when: date | None


def absolute(text: str, said: datetime) -> Dated:
    """The text with relative days, and days without a year, in their ISO form. What recurs (every Friday) stays.

    `said` is in the operator's zone. A day that could lie on both sides lies ahead, unless the text tells of the past.
    """
    if not (_CUE.search(text) or _NAMES.search(text)):
        return Dated(text, None)
    pieces: list[str] = []
    days: list[tuple[int, date]] = []
    at = 0
    for start, end, named in _found(text, said.date()):
        pieces += [text[at:start], named.text]
        days += [(start, named.day)] if named.day else []
        at = end
    return Dated("".join([*pieces, text[at:]]), _meant(days, text))


def _meant(days: list[tuple[int, date]], text: str) -> date | None:
    """The first day; of what is moved, that to which it is moved."""
    if not days:
        return None
    new = next((day for start, day in days if _NOW.search(text[max(0, start - _NEAR) : start])), None)
    if _MOVED.search(text):
        new = next((day for start, day in days if _TO.search(text[max(0, start - _NEAR) : start])), days[-1][1])
    return new or days[0][1]


def _found(text: str, today: date) -> Iterator[tuple[int, int, Named]]:
    """The dates in their order; of two that overlap, what the earlier reader found."""
    taken: list[tuple[int, int, Named]] = []
    for pattern, read in _readers(text):
        for match in _compiled(pattern).finditer(text):
            start, end = match.span()
            if any(start < other_end and other < end for other, other_end, _ in taken) or _recurs(text, start, end):
                continue
            before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
            try:
                named = read(match, Moment(today, _told_as_past(before, match[0], after)))
            except (LookupError, ValueError, OverflowError):
                continue  # 30 February; or “thıs week”: a pattern takes signs for letters that no table of words has
            if named:
                taken.append((start, end, named._replace(text=_fitted(named, before, after))))
    yield from _in_turn(sorted(taken, key=lambda one: one[0]), text)


def _readers(text: str) -> Iterator[tuple[str, Reader]]:
    """Those that could find something in a text."""
    yield from absolute_days.NUMERIC
    if _NAMES.search(text):
        yield from absolute_days.NAMED
    if not text.isascii():
        yield from absolute_cjk.READERS


def _in_turn(found: list[tuple[int, int, Named]], text: str) -> Iterator[tuple[int, int, Named]]:
    """“From Friday until Tuesday”: the second day comes after the first, unless its year was said."""
    before, first = 0, Named("", None)
    for start, end, named in found:
        late = named
        if first.day and named.day and named.day < first.day and named.text.endswith(named.day.isoformat()):
            word = named.text[:-_ISO_LENGTH]
            unit = next((unit for sign, unit in _AGAIN if sign.search(text, start, end)), "")
            if unit and _UNTIL.fullmatch(text[before:start] + word):
                day = absolute_days.moved(named.day, 1, unit)
                late = named._replace(text=f"{word}{day.isoformat()}", day=day)
        yield start, end, late
        before, first = end, late


def _told_as_past(before: str, day: str, after: str) -> bool:
    """Whether the clause in which a day stands tells of the past."""
    if _SINCE.search(before[-_NEAR:] + day):
        return True
    before, after = _CLAUSE.split(before)[-1], _CLAUSE.split(after, maxsplit=1)[0]
    clause = f"{before} {after}"
    if _FOR_A_DAY.search(before) or (_TO.search(before) and _MOVED.search(before)):
        return False
    return bool(_PAST.search(clause)) and not _AHEAD.search(clause)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first needed: most texts name no day."""
    return re.compile(pattern)


def _recurs(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _NEAR) : start]
    named = _NAMED_BY.search(text[max(0, start - _SHORT) : end]) and _NOUN.match(text, end)
    return bool(named or _RECURRING_BEFORE.search(before) or _RECURRING_AFTER.match(text, end))


def _fitted(named: Named, before: str, after: str) -> str:
    """With the preposition that a day needs in a sentence: `tomorrow` stands alone, 2026-02-15 does not."""
    if not named.preposition or after.startswith(_ALONE) or not (before + after).strip():
        return named.text
    if any(sign.strip() and not sign.isascii() for sign in before[-1:] + after[:1]) or _PREPOSITION.search(before):
        return named.text
    preposition = named.preposition if before.strip() else named.preposition.capitalize()
    return f"{preposition} {named.text}"


_NOW = re.compile(r"\b(?:will|is|are) now (?:be )?(?:on )?(?:the )?$", re.IGNORECASE)
_TO = re.compile(r"\bto (?:the )?$", re.IGNORECASE)
_NEAR = 24
_REACH = 300
"""Characters on both sides of a day in which its clause and its preposition are looked for."""

_SINCE = re.compile(r"\bsince (?:the )?[\w,]+(?: [\w,]+){0,3}$", re.IGNORECASE)
_FOR_A_DAY = re.compile(r"\b(?:for|till|until) (?:the )?$", re.IGNORECASE)
"""What was done for a day, was done before it: “we booked it for the 3rd”."""

_SHORT = 6
_NAMED_BY = re.compile(r"\b(?:the|our|my|your|their) (?:mon|tues|wednes|thurs|fri|satur|sun)day$", re.IGNORECASE)
_NOUN = re.compile(
    r" (?!(?:at|in|on|from|by|before|after|and|or|is|was|will|to|for|of|we|i|he|she|they|you|it|morning|afternoon"
    r"|evening|night|next|this|that|when|because|so|but|with|until|till)\b)[a-z]",
    re.IGNORECASE,
)
"""The Tuesday clinic: a thing that is named by its weekday, and no day."""

_ISO_LENGTH = len("2026-02-14")
_AGAIN = (
    (re.compile("20[0-9]{2}"), ""),
    (re.compile(r"[/.]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE), "year"),
    (re.compile(r"(?:st|nd|rd|th)\b|\bthe [0-9]", re.IGNORECASE), "month"),
    (re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE), "week"),
)
"""When a day comes again, by how it is named: the first that fits."""

_UNTIL = re.compile(r"\s*(?:until|till|til|to|through|[-–]) ?", re.IGNORECASE)
_ALONE = ("'s", "’s", ":", " -", " –")
"""A day before one of these needs no preposition."""

_CLAUSE = re.compile(r"[,;:。,]\s?|\s[–—-]\s|\b(?:and|but|so|then|which)\b")
_MOVED = re.compile(
    r"\b(?:moved|moves|pushed|postponed|rescheduled|shifted|slipped|slid|delayed|changed|extended|bumped|put back"
    r"|brought forward|instead of) (?:.{0,60} )?to\b",
    re.IGNORECASE,
)
_CUE = re.compile(r"[0-9]|[^\x00-\x7f]")
_NAMES = re.compile(
    r"day|week|month|year|fortnight|tonight|morning|afternoon|evening|night|morrow|tmrw|[0-9](?:st|nd|rd|th)\b|eenth\b"
    r"|(?:ten|nin|elev|twelf|eigh|twentie|thirtie)(?:en)?th\b|\bthe (?:(?:twenty|thirty)[ -])?(?:first|second|third"
    r"|fourth|fifth|sixth|seventh)\b|christmas|xmas|michaelmas|halloween"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
"""Words without which no day is named."""

_PAST = re.compile(
    rf"\b(?:{'|'.join(sorted(IRREGULAR - {'wound', 'bound', 'lay', 'bet'}))}|since|\w{{2,}}[^e\W]ed)\b|了|했|갔|였|었",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\b(?:(?:has|have|had|['’]ve) (?:\w+ )?(?:been )?\w{2,}[^e\W]ed(?! by\b)|promised"
    r"|(?:hoped|wanted|asked|invited|resolved|offered|vowed|said|told \w+|reminded \w+) to"
    r"|will|going to|gonna|must|needs?|have to|has to|due|deadline|until|till|decided|agreed|scheduled|planned|booked"
    r"|confirmed|moved to|postponed|rebooked|rescheduled|delayed|'ll|plan|should|supposed|expires?|starts?|begins?"
    r"|opens?|be|is|are|by (?=(?:next |this |end |the )?(?:[0-9]|mon|tue|wed|thu|fri|sat|sun|tomorrow|jan|feb|mar|apr"
    r"|may|jun|jul|aug|sep|oct|nov|dec)))\b|将|要|改到|推迟|定在|截止|하기로|예정|까지|할",
    re.IGNORECASE,
)
"""A sentence with one of these looks ahead, though its verb may be a past one: “we agreed to meet on Friday”."""
_RECURRING_BEFORE = re.compile(
    r"(?:\b(?:every|each|any|most|all|per|usually|always|except|weekly on|first|second|third|fourth|Black|Good|Cyber"
    r"|Ash|Palm|Easter)(?: other| second)?"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}(?: ?[-–/&,] ?| to | and | through | or | until )"
    r"|每个?|매주|매|每週|[到至])\s*(?:on )?$",
    re.IGNORECASE,
)
_RECURRING_AFTER = re.compile(
    r"s\b|(?: ?[-–/] ?| to | through )(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|到|至|마다| of (?:every|each|the) month"
    r"| (?:mornings|afternoons|evenings|nights)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"(?:\b(?:on|by|until|till|til|from|since|before|after|for|of|to|at|between|and|or|than|is|was|['’]s|as|around|about|date"
    r"|due|latest|starting|the|this|through)|[-–—:(\[/=→,])\s*$",
    re.IGNORECASE,
)
