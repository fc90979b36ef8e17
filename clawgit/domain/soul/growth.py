"""Signs of how the agent should behave, and when they are enough to change the soul."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.domain.extraction.quoting import read
from clawgit.domain.markdown import frames
from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.negation import negations
from clawgit.language.stems import content_words, stem
from clawgit.language.tokens import tokens
from clawgit.language.values import values

CORRECTED = "corrected"
ORDERED = "ordered"
FAILED = "failed"
PRAISED = "praised"
PROVEN = "proven"
KINDS = (CORRECTED, ORDERED, FAILED, PRAISED, PROVEN)
"""From the strongest sign to the weakest: an order in a correction, a standing order, a complaint,
praise, and praise of something that the agent has just done."""

ORDERS = frozenset({CORRECTED, ORDERED})
"""One of these is enough; the other kinds must come again on another day."""

_DAYS = 2
"""A complaint or praise must come on this many days before it becomes a line of the soul."""

_SHOWN_DAYS = 3
"""The newest days that a line names."""

_SHARED = 2
"""Two complaints must share this many words to be about the same thing."""

_MATTERLESS = (
    "recurring",
    "henceforth",
    "first_person",
    "second_person",
    "auxiliaries",
    "lead_ins",
    "lead_outs",
)
"""Closed classes that do not say what an order is about."""

_TIMES = re.compile(
    "(?:"
    + "|".join(
        re.escape(frame)
        .replace(r"\{count\}", r"(\d{1,4})")
        .replace(r"\{days\}", r"([^()]*)")
        .replace(r"\{quote\}", "")
        for frame in (frames.CORRECTED_TIMES, frames.PRAISED_TIMES)
    )
    + ")(?P<quote>.*)"
)


class Sign(NamedTuple):
    """One thing that was said about how the agent behaves.

    `rule` is the line that the soul would get: an order as it was said, else a quotation. `when` is
    in the operator's time zone. `evidence` is what a commit cites, `quote` the text there. `about`
    is the text that says what it is about. If it is not `sure`, the operator is asked.
    """

    kind: str
    rule: str
    when: datetime
    evidence: str
    quote: str
    about: str = ""
    sure: bool = True

    @property
    def day(self) -> date:
        return self.when.date()


class Often(NamedTuple):
    """A line of the soul about something that came again: how often, the newest days, the words."""

    kind: str
    times: int
    days: tuple[str, ...]
    quote: str


class Growth(NamedTuple):
    """Signs that say the same, oldest first."""

    kind: str
    signs: tuple[Sign, ...]

    @property
    def newest(self) -> Sign:
        """The newest of the strongest signs: its words are what the operator means now."""
        strongest = (sign for sign in self.signs if sign.kind == self.kind)
        return max(strongest, key=lambda sign: sign.when)

    @property
    def rule(self) -> str:
        """The line for the soul. For a complaint or praise: a fixed frame with the newest words."""
        rule = self.newest.rule
        is_quotation = self.kind not in ORDERS and read(rule).speaker
        return often(self) if is_quotation else rule

    @property
    def sure(self) -> bool:
        return any(
            sign.sure
            for sign in self.signs
            if sign.kind == self.kind and sign.rule == self.newest.rule
        )

    @property
    def evidence(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sign.evidence for sign in self.signs))

    @property
    def days(self) -> tuple[date, ...]:
        return tuple(sorted({sign.day for sign in self.signs}))

    @property
    def is_ripe(self) -> bool:
        return self.kind in ORDERS or len(self.days) >= _DAYS


def growths(signs: Iterable[Sign]) -> tuple[Growth, ...]:
    """Groups the signs that say the same; the strongest group first, then the oldest."""
    groups: list[list[Sign]] = []
    by_strength = sorted(
        signs, key=lambda sign: (KINDS.index(sign.kind), sign.when, sign.evidence, sign.rule)
    )
    for sign in by_strength:
        home = next((group for group in groups if _belong_together(group[0], sign)), None)
        if home is None:
            groups.append([sign])
        else:
            home.append(sign)
    in_time = (sorted(group, key=lambda sign: (sign.when, sign.evidence)) for group in groups)
    return tuple(
        Growth(group[0].kind, tuple(ordered))
        for group, ordered in zip(groups, in_time, strict=True)
    )


def often(growth: Growth, before: Often | None = None) -> str:
    """The line for something that came again. `before` is the soul's line about it so far."""
    days = [day.isoformat() for day in growth.days]
    count = len(days)
    if before:
        days = [*before.days, *days]
        count += before.times
    shown = days[-_SHOWN_DAYS:]
    if count > len(shown):
        shown = ["…", *shown]
    frame = frames.CORRECTED_TIMES if growth.kind == FAILED else frames.PRAISED_TIMES
    return frame.format(count=count, days=", ".join(shown), quote=growth.newest.rule)


def read_often(line: str) -> Often | None:
    """The inverse of `often`; None for any other line of the soul."""
    match = _TIMES.fullmatch(line)
    if not match:
        return None
    kind = FAILED if match[1] else PRAISED
    days = tuple(day for day in (match[2] or match[4]).split(", ") if day != "…")
    return Often(kind, int(match[1] or match[3]), days, match["quote"])


def is_outdated(growth: Growth, others: Iterable[Growth]) -> bool:
    """Whether the operator has ordered the opposite since.

    A correction can only be outdated by a newer correction.
    """
    if growth.kind not in ORDERS:
        return False
    strong = (CORRECTED,) if growth.kind == CORRECTED else (CORRECTED, ORDERED)
    return any(
        other.kind in strong
        and other.newest.when > growth.newest.when
        and other.sure
        and opposes(other.rule, growth.rule)
        for other in others
    )


def same(first: str, second: str) -> bool:
    """Whether two orders ask for the same. In doubt they do not: better twice than lost."""
    mine, theirs = matter(first), matter(second)
    # Lines of small words alone are the same only word by word.
    if not mine or not theirs:
        return read(first).words.casefold() == read(second).words.casefold()
    return mine == theirs and _denies(first) == _denies(second) and not _other_value(first, second)


def opposes(newer: str, older: str) -> bool:
    """Whether an order takes back another: one of them is negated, or one value is different.

    A different name may only be one more: both stay.
    """
    mine, theirs = matter(newer), matter(older)
    if not mine or not theirs:
        return False
    if mine == theirs and not _other_value(newer, older):
        return _denies(newer) != _denies(older)
    if _denies(newer) != _denies(older):
        return False
    return _other_value(newer, older) not in ("", "name")


def alike(first: str, second: str) -> bool:
    """Whether two complaints, or two pieces of praise, are about the same thing."""
    mine, theirs = matter(first), matter(second)
    shared = len(mine & theirs)
    return shared >= _SHARED and 2 * shared >= min(len(mine), len(theirs))


@lru_cache(maxsize=1 << 12)
def matter(line: str) -> frozenset[str]:
    """The words that say what a line is about."""
    words = read(line).words
    denials = {stem(span.text) for span in negations(words)}
    return content_words(words) - denials.union(*map(_matterless, lexicons_for(words)))


@cache
def _matterless(language: Lexicon) -> frozenset[str]:
    rows = [row.removesuffix(" …") for name in _MATTERLESS for row in language.rows(name)]
    return frozenset(stem(row) for row in rows if " " not in row)


def _belong_together(first: Sign, second: Sign) -> bool:
    if first.kind in ORDERS and second.kind in ORDERS:
        return same(first.rule, second.rule)
    if first.kind in ORDERS or second.kind in ORDERS:
        return False
    both_or_neither_failed = (first.kind == FAILED) == (second.kind == FAILED)
    return both_or_neither_failed and alike(first.about, second.about)


def _denies(line: str) -> bool:
    """Whether a line denies; “never … without asking” affirms."""
    return len(negations(read(line).words)) % 2 == 1


def _other_value(first: str, second: str) -> str:
    """The kind of the one value in which two lines differ; "" if they differ in none or in more."""
    mine = _valued(first)
    theirs = _valued(second)
    differing = [
        (my_value, their_value)
        for my_value, their_value in zip(mine, theirs, strict=False)
        if my_value != their_value
    ]
    if len(mine) != len(theirs) or len(differing) != 1:
        return ""
    (kind, _), (other_kind, _) = differing[0]
    return kind if kind == other_kind else ""


def _valued(line: str) -> Sequence[tuple[str, str]]:
    """The words of a line in their order, each value with its kind."""
    words = read(line).words
    known = {value.start: value for value in values(words) if value.kind != "word"}
    about = matter(line)
    return [
        (known[token.start].kind if token.start in known else "", stem(token.text))
        for token in tokens(words)
        if token.start in known or stem(token.text) in about
    ]
