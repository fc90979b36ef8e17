"""Signs of how the agent should behave, and when they are enough to change the soul."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.soul.principle import alike, opposes, same

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
        """The line for the soul: an order; or in a fixed frame how often a complaint or praise
        came, and its newest words.
        """
        words = self.newest.rule
        if self.kind in ORDERS or not words:
            return words
        days = ", ".join(day.isoformat() for day in self.days)
        frame = frames.CORRECTED_TIMES if self.kind == FAILED else frames.PRAISED_TIMES
        return frame.format(count=len(self.days), days=days, quote=words)

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
    for sign in sorted(
        signs, key=lambda sign: (KINDS.index(sign.kind), sign.when, sign.evidence, sign.rule)
    ):
        home = next((group for group in groups if _belong_together(group[0], sign)), None)
        if home is None:
            groups.append([sign])
        else:
            home.append(sign)
    return tuple(
        Growth(group[0].kind, tuple(sorted(group, key=lambda sign: (sign.when, sign.evidence))))
        for group in groups
    )


def is_outdated(growth: Growth, others: Iterable[Growth]) -> bool:
    """Whether the operator has ordered the opposite since.

    A correction can only be outdated by a newer correction.
    """
    strong = (CORRECTED,) if growth.kind == CORRECTED else ORDERS
    return any(
        other.kind in strong
        and other.newest.when > growth.newest.when
        and other.newest.sure
        and opposes(other.rule, growth.rule)
        for other in others
    )


def _belong_together(first: Sign, second: Sign) -> bool:
    if first.kind in ORDERS and second.kind in ORDERS:
        return same(first.rule, second.rule)
    if first.kind in ORDERS or second.kind in ORDERS:
        return False
    both_or_neither_failed = (first.kind == FAILED) == (second.kind == FAILED)
    return both_or_neither_failed and alike(first.about, second.about)
