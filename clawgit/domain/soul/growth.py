"""Signs of how the agent should behave: when they are enough for a line of the soul, and where that
line goes. Whole lines are added or replaced; no line is ever rephrased.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import product
from typing import NamedTuple

from clawgit.domain.change.authority import SOUL
from clawgit.domain.claims.contradicting import NAME, NEGATION, dispute
from clawgit.domain.extraction.quoting import read
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.amend import Amendment, amend
from clawgit.domain.markdown.scan import lines_of, scan
from clawgit.domain.soul.changelog import IdentityChange
from clawgit.domain.soul.principle import matter, negates
from clawgit.language.clauses import is_negated

CORRECTED = "corrected"
ORDERED = "ordered"
FAILED = "failed"
PRAISED = "praised"
KINDS = (CORRECTED, ORDERED, FAILED, PRAISED)
"""From the strongest sign to the weakest: an order in a correction, a standing order, a complaint,
praise."""

ORDERS = frozenset({CORRECTED, ORDERED})
"""One of these is enough; a complaint or praise must come again on another day."""

_SHARED = 2
"""Two complaints must share this many words to be about the same thing."""

_SKILLS = ("Skills",)
_BOUNDS = ("Boundar", "Limits", "Rules", "Guardrail")
_TRUTHS = ("Core truth", "Principle", "Values", "How you work", "Core")
"""Parts of the headings that SOUL.md usually has, the most telling first."""

_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")


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
    def days(self) -> list[date]:
        return sorted({sign.when.date() for sign in self.signs})

    @property
    def is_ripe(self) -> bool:
        return self.kind in ORDERS or len(self.days) > 1


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


def _belong_together(first: Sign, second: Sign) -> bool:
    if first.kind in ORDERS and second.kind in ORDERS:
        return same(first.rule, second.rule)
    return first.kind == second.kind and alike(first.about, second.about)


def same(first: str, second: str) -> bool:
    """Whether two orders ask for the same. In doubt they do not: better twice than lost."""
    mine, theirs = matter(first), matter(second)
    # Lines of small words alone are the same only word by word.
    if not mine or not theirs:
        return read(first).words.casefold() == read(second).words.casefold()
    is_as_strict = negates(first) == negates(second)
    return mine == theirs and is_as_strict and dispute(first, second) is None


def opposes(newer: str, older: str) -> bool:
    """Whether an order takes back another: one of them is negated, or one value is different.

    Two orders with different names may both hold.
    """
    found = dispute(newer, older)
    if found is None or found.kind == NAME:
        return False
    return found.kind != NEGATION or matter(newer) == matter(older)


def alike(first: str, second: str) -> bool:
    """Whether two complaints, or two pieces of praise, are about the same thing."""
    mine, theirs = matter(first), matter(second)
    shared = len(mine & theirs)
    return shared >= _SHARED and 2 * shared >= min(len(mine), len(theirs))


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


class PrincipleLine(NamedTuple):
    """A principle that is a list item of one line."""

    text: str
    number: int

    def is_about(self, sign: Sign) -> bool:
        """Whether it says what a sign says; for a complaint or praise, whether both are about the
        same thing.
        """
        if sign.kind in ORDERS:
            return same(self.text, sign.rule)
        return alike(self.text, sign.about)


def lines(soul: str) -> tuple[PrincipleLine, ...]:
    return tuple(
        PrincipleLine(" ".join(_MARKER.sub("", block.text, count=1).split()), block.line)
        for block in scan(soul)
        if block.kind == "item" and "\n" not in block.text.strip() and "<!--" not in block.text
    )


def opposed(soul: str, growth: Growth) -> PrincipleLine | None:
    """The principle that an order contradicts."""
    known = lines(soul) if growth.kind in ORDERS else ()
    return next((line for line in known if opposes(growth.rule, line.text)), None)


def with_principle(soul: str, growth: Growth) -> str:
    """The soul with one more line: praise goes below the skills, what forbids below the boundaries,
    all else below the usual heading, or to the end.
    """
    forbids = growth.kind == FAILED or (growth.kind in ORDERS and is_negated(growth.rule))
    names = (*_SKILLS * (growth.kind == PRAISED), *_BOUNDS * forbids, *_TRUTHS)
    return amend(soul, Amendment(add=f"- {growth.rule}", section=_titled(soul, names)))


def _titled(soul: str, names: Iterable[str]) -> str:
    """The first heading with such a name, "" if there is none."""
    titles = [block.path[-1] for block in scan(soul) if block.kind == "heading" and block.path]
    for name, title in product(names, titles):
        if name.lower() in title.lower() and title == title.lstrip("# ").strip():
            return title
    return ""


def with_line(soul: str, line: PrincipleLine, text: str) -> str:
    """The soul with a line replaced; its bullet stays."""
    rows = lines_of(soul)
    row = rows[line.number - 1]
    marker, end = _MARKER.match(row), row[len(row.rstrip()) :]
    rows[line.number - 1] = f"{marker[0] if marker else ''}{text}{end}"
    return "".join(rows)


def source(line: str, history: Iterable[IdentityChange]) -> IdentityChange | None:
    """The newest change that brought a line of SOUL.md in these words."""
    return next((change for change in history if line in _brought(change)), None)


def is_used(sign: Sign, history: Iterable[IdentityChange]) -> bool:
    """Whether a change was already made for a sign. It counts even if it was undone since:
    otherwise the same line would come back after each undo.
    """
    # One message may hold several orders.
    return any(
        sign.evidence in change.evidence
        and (sign.kind not in ORDERS or any(same(new, sign.rule) for new in _brought(change)))
        for change in history
    )


def _brought(change: IdentityChange) -> Iterator[str]:
    """The principles of SOUL.md that a change brought, in their new words."""
    for section in dict(change.what).get(SOUL, ()):
        yield from (*section.added, *section.moved, *(new for _, new in section.reworded))
