"""Finds the place of a principle in the soul, and the changes that a principle comes from.

Whole lines are added, replaced or removed. No line is ever rephrased.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from clawgit.domain.change.authority import SOUL
from clawgit.domain.corrections.corrections import cited
from clawgit.domain.markdown.amend import Amendment, amend
from clawgit.domain.markdown.scan import lines_of, scan
from clawgit.domain.soul.changelog import IdentityChange
from clawgit.domain.soul.growth import FAILED, ORDERS, PROVEN, Growth, Sign
from clawgit.domain.soul.principle import alike, opposes, same
from clawgit.language.negation import is_negated

_SKILLS = ("Skills",)
_BOUNDS = ("Boundar", "Limits", "Rules", "Guardrail")
_TRUTHS = ("Core truth", "Principle", "Values", "How you work", "Core")
"""Parts of the headings that SOUL.md usually has, the most telling first."""

_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")


class PrincipleLine(NamedTuple):
    """A principle that is a list item of one line."""

    text: str
    number: int


def lines(soul: str) -> tuple[PrincipleLine, ...]:
    return tuple(
        PrincipleLine(" ".join(_MARKER.sub("", block.text, count=1).split()), block.line)
        for block in scan(soul)
        if block.kind == "item" and "\n" not in block.text.strip() and "<!--" not in block.text
    )


def said_already(soul: str, growth: Growth) -> PrincipleLine | None:
    """The line that says the same; for a complaint or praise, any line about it."""
    if growth.kind in ORDERS:
        return next((line for line in lines(soul) if same(line.text, growth.rule)), None)
    return next((line for line in lines(soul) if alike(line.text, growth.newest.about)), None)


def opposed(soul: str, growth: Growth) -> PrincipleLine | None:
    """The principle that an order contradicts."""
    known = lines(soul) if growth.kind in ORDERS else ()
    return next((line for line in known if opposes(growth.rule, line.text)), None)


def with_principle(soul: str, growth: Growth) -> str:
    """The soul with one more line: below the skills if it was proven, below the boundaries if it
    forbids, else below the usual heading, or at the end.
    """
    forbids = growth.kind == FAILED or (growth.kind in ORDERS and is_negated(growth.rule))
    names = (*_SKILLS * (growth.kind == PROVEN), *_BOUNDS * forbids, *_TRUTHS)
    return amend(soul, Amendment(add=f"- {growth.rule}", section=_titled(soul, names)))


def with_line(soul: str, line: PrincipleLine, text: str) -> str:
    """The soul with a line replaced; its bullet stays."""
    rows = lines_of(soul)
    row = rows[line.number - 1]
    marker, end = _MARKER.match(row), row[len(row.rstrip()) :]
    rows[line.number - 1] = f"{marker[0] if marker else ''}{text}{end}"
    return "".join(rows)


def _titled(soul: str, names: Sequence[str]) -> str:
    """The first heading with such a name that no other section has; "" if there is none."""
    titles = [*_titles(soul)]
    counts = Counter(map(str.casefold, titles))
    alone = [title for title in titles if counts[title.casefold()] == 1]
    for name, title in product(names, alone):
        if title == title.lstrip("# ").strip() and name.lower() in title.lower():
            return title
    return ""


def _titles(soul: str) -> Iterator[str]:
    return (block.path[-1] for block in scan(soul) if block.kind == "heading" and block.path)


def sources(line: str, history: Iterable[IdentityChange]) -> tuple[IdentityChange, ...]:
    """The changes that made a principle what it is, newest first, through all its rewordings."""
    changes: list[IdentityChange] = []
    wordings = {line}
    for change in history:
        if steps := [old for new, old in _brought(change) if new in wordings]:
            changes.append(change)
            # Older changes know the principle by its older wordings.
            wordings.update(filter(None, steps))
    return tuple(changes)


def is_used(sign: Sign, history: Iterable[IdentityChange]) -> bool:
    """Whether a change was already made for a sign. It counts even if it was undone since:
    otherwise the same line would come back after each undo.
    """
    # One message may hold several orders; a correction is one.
    is_one = sign.kind not in ORDERS or bool(cited(sign.evidence))
    return any(
        sign.evidence in change.evidence
        and (is_one or any(same(new, sign.rule) for new, _ in _brought(change)))
        for change in history
    )


def _brought(change: IdentityChange) -> Iterator[tuple[str, str]]:
    """Each principle of SOUL.md that a change brought, and its old wording."""
    for section in dict(change.what).get(SOUL, ()):
        yield from ((new, "") for new in (*section.added, *section.moved))
        yield from ((new, old) for old, new in section.reworded)
