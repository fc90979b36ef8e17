"""What evidence says about the soul: signs of how the agent behaves, and when they are enough for a change."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple

from clawgit.domain.growth_order_words import CONTRARY, VALUE
from clawgit.domain.growth_orders import same, stands
from clawgit.domain.growth_themes import theme_of

CORRECTED, ORDERED, FAILED, WISHED, PRAISED, PROVEN = "corrected", "ordered", "failed", "wished", "praised", "proven"
KINDS = (CORRECTED, ORDERED, FAILED, WISHED, PRAISED, PROVEN)
"""From the strongest signal to the weakest: the operator's correction, his standing order, a mistake, what he asked
for once, what he liked, what the agent was seen to be able to do."""

_ALONE = frozenset({CORRECTED, ORDERED, PROVEN})
"""Enough by themselves; the others must come again on another day."""

_DAYS = 2


class Sign(NamedTuple):
    """One thing that was said or noted about how the agent behaves, and the principle that would follow from it.

    `rule` is in the words of the soul. `when` is in the operator's zone. `evidence` is how a commit cites it, `quote`
    what stands there.
    """

    kind: str
    rule: str
    when: datetime
    evidence: str
    quote: str
    theme: str = ""

    @property
    def day(self) -> date:
        return self.when.date()


class Growth(NamedTuple):
    """Signs that say the same, oldest first, and the wording that follows from the strongest of them."""

    kind: str
    rule: str
    theme: str
    signs: tuple[Sign, ...]

    @property
    def evidence(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sign.evidence for sign in self.signs))

    @property
    def days(self) -> tuple[date, ...]:
        return tuple(sorted({sign.day for sign in self.signs}))

    @property
    def is_ripe(self) -> bool:
        return self.kind in _ALONE or len(self.days) >= _DAYS


def growths(signs: Iterable[Sign]) -> tuple[Growth, ...]:
    """Signs that say the same as one: the strongest first, then what was said first."""
    groups: list[list[Sign]] = []
    for sign in sorted(signs, key=lambda one: (KINDS.index(one.kind), one.when, one.evidence, one.rule)):
        home = next((group for group in groups if _is_one(group[0], sign)), None)
        if home is None:
            groups.append([sign])
        else:
            home.append(sign)
    return tuple(map(_growth, groups))


def is_outdated(growth: Growth, others: Iterable[Growth]) -> bool:
    """Whether the operator has said the opposite since: a correction yields to a newer correction only."""
    strong = (CORRECTED,) if growth.kind == CORRECTED else (CORRECTED, ORDERED)
    newer = (one for one in others if one.kind in strong and one.signs[-1].when > growth.signs[-1].when)
    return growth.kind != PROVEN and any(opposes(one.rule, growth.rule) for one in newer)


def opposes(rule: str, line: str) -> bool:
    """Whether a newer rule takes back what a principle says: it is the contrary, or has another value for it."""
    return stands(rule, line) in (VALUE, CONTRARY)


def _is_one(one: Sign, other: Sign) -> bool:
    """A standing order is meant as it was said; of what was only wished or missed, all of one theme is one."""
    if PROVEN in (one.kind, other.kind) and one.kind != other.kind:
        return False
    weak = not _ALONE & {one.kind, other.kind}
    themes = {sign.theme or (theme_of(sign.rule) if weak else "") for sign in (one, other)}
    return (len(themes) == 1 and themes != {""}) or same(one.rule, other.rule)


def _growth(group: Sequence[Sign]) -> Growth:
    """The newest of the strongest signs has the wording: he who says it again says what he means now."""
    strongest = [sign for sign in group if sign.kind == group[0].kind]
    worded = max(strongest, key=lambda sign: sign.when)
    theme = worded.theme or theme_of(worded.rule)
    return Growth(worded.kind, worded.rule, theme, tuple(sorted(group, key=lambda sign: (sign.when, sign.evidence))))
