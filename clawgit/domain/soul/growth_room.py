"""Finds the place of a principle in the soul: where it goes, and which line goes if all is full.

Whole lines are added, replaced or removed. No line is ever rephrased.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from clawgit.domain.markdown.amend import Amendment, amend
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.domain.soul.growth import (
    FAILED,
    ORDERS,
    PRAISED,
    PROVEN,
    Growth,
    alike,
    opposes,
    read_often,
    same,
)
from clawgit.domain.soul.soul import sections
from clawgit.language.negation import is_negated

SKILLS = "Skills"


_BOUNDS = ("Boundar", "Limits", "Rules", "Guardrail")

_TRUTHS = ("Core truth", "Principle", "Values", "How you work", "Core")
"""Parts of the headings that SOUL.md usually has, the most telling first."""


_EMPHASIS = re.compile(r"[*_`<~]")

_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")

_ENDS = " \t\r\n"


class PrincipleLine(NamedTuple):
    """A principle that is a list item of one line. `raw` is the line as it stands in the file."""

    text: str
    raw: str
    number: int
    section: str


def lines(soul: str) -> tuple[PrincipleLine, ...]:
    return tuple(_line(block) for block in scan(soul) if _is_simple(block))


def said_already(soul: str, growth: Growth) -> PrincipleLine | None:
    """The line that says the same; for a complaint or praise, any principle about it."""
    known = [line for line in lines(soul) if read_often(line.text) is None]
    if growth.kind in ORDERS:
        return next((line for line in known if same(line.text, growth.rule)), None)
    return next((line for line in known if alike(line.text, growth.newest.about)), None)


def counted_line(soul: str, growth: Growth) -> PrincipleLine | None:
    """The line that counts how often this came before."""
    if growth.kind in ORDERS:
        return None
    kind = FAILED if growth.kind == FAILED else PRAISED
    for line in lines(soul):
        known = read_often(line.text)
        if known and known.kind == kind and alike(known.quote, growth.newest.about):
            return line
    return None


def opposed(soul: str, rule: str) -> PrincipleLine | None:
    """The principle that a rule contradicts."""
    known = (line for line in lines(soul) if read_often(line.text) is None)
    return next((line for line in known if opposes(rule, line.text)), None)


def with_principle(soul: str, growth: Growth) -> str:
    """The soul with one more line, beside similar ones."""
    skills = _titled(soul, (SKILLS,)) if growth.kind == PROVEN else ""
    return amend(soul, Amendment(add=f"- {growth.rule}", section=skills or _home(soul, growth)))


def with_line(soul: str, line: PrincipleLine, text: str) -> str:
    """The soul with a line replaced; its bullet stays. An empty text removes the line."""
    rows = lines_of(soul)
    row = rows[line.number - 1]
    marker = row[: len(row) - len(_MARKER.sub("", row, count=1))]
    rows[line.number - 1] = f"{marker}{text}{row[len(row.rstrip(_ENDS)) :]}" if text else ""
    return "".join(rows)


def _home(soul: str, growth: Growth) -> str:
    """The section for a principle: boundaries if it forbids, else the usual or fullest one."""
    forbids = growth.kind == FAILED or (growth.kind in ORDERS and is_negated(growth.rule))
    bounds = _titled(soul, _BOUNDS) if forbids else ""
    return bounds or _titled(soul, _TRUTHS) or _fullest(soul)


def _titled(soul: str, names: Sequence[str]) -> str:
    titles = [title for title in _addressable(soul) if title]
    return next((title for name in names for title in titles if name.lower() in title.lower()), "")


def _fullest(soul: str) -> str:
    counts = {
        title: sum(line.section == title for line in lines(soul)) for title in _addressable(soul)
    }
    best = max(counts, key=lambda title: counts[title], default="")
    return best if counts.get(best) else ""


def _addressable(soul: str) -> list[str]:
    """The titles that name one section only."""
    titles = [section.title for section in sections(soul)]
    folded = [title.casefold() for title in titles]
    return [
        title
        for title in titles
        if title == title.lstrip("# ").strip() and folded.count(title.casefold()) == 1
    ]


def _is_simple(block: Block) -> bool:
    return block.kind == "item" and "\n" not in block.text.strip() and "<!--" not in block.text


def _line(block: Block) -> PrincipleLine:
    raw = block.text.strip()
    return PrincipleLine(
        " ".join(_MARKER.sub("", raw, count=1).split()),
        raw,
        block.line,
        block.path[-1] if block.path else "",
    )
