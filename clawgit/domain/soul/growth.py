"""What evidence says about the soul: signs of how the agent shall behave, and when they are enough
for a change.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.domain.extraction.quoting import read
from clawgit.domain.markdown import frames
from clawgit.judges.relation import relation
from clawgit.judges.thresholds import thresholds
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
"""From the strongest signal to the weakest: an order in a correction, a standing order, a
complaint, what the operator liked, and what he liked of something that the agent has just done.
"""

ORDERS = frozenset({CORRECTED, ORDERED})
"""Enough by themselves; the others must come again on another day."""

_DAYS = 2
_SHOWN_DAYS = 3
_SHARED = 2
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

    `rule` is the line of the soul that would follow: an order as it was said, else a quotation.
    `when` is in the operator's zone. `evidence` is how a commit cites it, `quote` what stands
    there. `about` is the text by which its matter is known. What is not `sure` is put before the
    operator.
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
    """What a line of the soul says of something that came again: how many times, the newest days,
    and the words.
    """

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
        """The newest of the strongest signs: he who says it again says what he means now."""
        return max(
            (sign for sign in self.signs if sign.kind == self.kind), key=lambda sign: sign.when
        )

    @property
    def rule(self) -> str:
        """The line that it makes; of what came again, the fixed frame with the newest words."""
        rule = self.newest.rule
        return often(self) if self.kind not in ORDERS and read(rule).speaker else rule

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
    """Signs that say the same as one: the strongest first, then what was said first."""
    groups: list[list[Sign]] = []
    for sign in sorted(
        signs, key=lambda each: (KINDS.index(each.kind), each.when, each.evidence, each.rule)
    ):
        home = next((group for group in groups if _is_one(group[0], sign)), None)
        if home is None:
            groups.append([sign])
        else:
            home.append(sign)
    in_time = (sorted(group, key=lambda sign: (sign.when, sign.evidence)) for group in groups)
    return tuple(
        Growth(group[0].kind, tuple(told)) for group, told in zip(groups, in_time, strict=True)
    )


def often(growth: Growth, before: Often | None = None) -> str:
    """The line for what came again, after what the soul says of it already."""
    days = [day.isoformat() for day in growth.days]
    count = len(days) + (before.times if before else 0)
    told = [*(before.days if before else ()), *days][-_SHOWN_DAYS:]
    frame = frames.CORRECTED_TIMES if growth.kind == FAILED else frames.PRAISED_TIMES
    shown = ", ".join((["…"] if count > len(told) else []) + told)
    return frame.format(count=count, days=shown, quote=growth.newest.rule)


def read_often(line: str) -> Often | None:
    """The inverse, for any line of the soul."""
    found = _TIMES.fullmatch(line)
    if not found:
        return None
    kind = FAILED if found[1] else PRAISED
    days = tuple(day for day in (found[2] or found[4]).split(", ") if day != "…")
    return Often(kind, int(found[1] or found[3]), days, found["quote"])


def is_outdated(growth: Growth, others: Iterable[Growth]) -> bool:
    """Whether the operator has said the opposite since: a correction yields to a newer correction
    only.
    """
    strong = (CORRECTED,) if growth.kind == CORRECTED else (CORRECTED, ORDERED)
    newer = (
        each for each in others if each.kind in strong and each.newest.when > growth.newest.when
    )
    return growth.kind in ORDERS and any(
        each.sure and opposes(each.rule, growth.rule) for each in newer
    )


def same(one: str, other: str) -> bool:
    """Whether two orders ask for the same: to keep one twice is better than to lose another."""
    mine, theirs = matter(one), matter(other)
    if not mine or not theirs:
        return read(one).words.casefold() == read(other).words.casefold()
    return mine == theirs and _denies(one) == _denies(other) and not _other_value(one, other)


def opposes(newer: str, older: str) -> bool:
    """Whether an order takes back another: the same with and without a negation, or with another
    value in one place; of another name only where the judge of relations finds a contradiction as
    well.
    """
    mine, theirs = matter(newer), matter(older)
    if not mine or not theirs:
        return False
    if mine == theirs and not _other_value(newer, older):
        return _denies(newer) != _denies(older)
    if _denies(newer) != _denies(older):
        return False
    kind = _other_value(newer, older)
    if kind == "name":
        return (
            relation(read(newer).words, read(older).words).contradict >= thresholds().contradict_ask
        )
    return bool(kind)


def alike(one: str, other: str) -> bool:
    """Whether two complaints, or two words of praise, are of one matter."""
    mine, theirs = matter(one), matter(other)
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


def _is_one(one: Sign, other: Sign) -> bool:
    if one.kind in ORDERS or other.kind in ORDERS:
        return one.kind in ORDERS and other.kind in ORDERS and same(one.rule, other.rule)
    return (one.kind == FAILED) == (other.kind == FAILED) and alike(one.about, other.about)


def _denies(line: str) -> bool:
    """“Never … without asking” affirms."""
    return len(negations(read(line).words)) % 2 == 1


def _other_value(one: str, other: str) -> str:
    """The kind of the value in which alone two lines differ, "" where they are the same or differ
    in more.
    """
    mine, theirs = _valued(one), _valued(other)
    apart = [(x, y) for x, y in zip(mine, theirs, strict=False) if x != y]
    if len(mine) != len(theirs) or len(apart) != 1:
        return ""
    (kind, _), (other_kind, _) = apart[0]
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
