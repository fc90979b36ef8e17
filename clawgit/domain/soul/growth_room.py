"""A principle's place in the soul: where it goes, whether it stands there already, and what gives
way when all is full.

Only whole lines come, are replaced by newer whole lines, or go: no line is ever said in other
words.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clawgit.domain.change.authority import SOUL
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
from clawgit.domain.soul.guard import Protected, SoulEdit, SoulRules, judge
from clawgit.domain.soul.soul import sections
from clawgit.language.negation import is_negated

SKILLS = "Skills"


_BOUNDS = ("Boundar", "Limits", "Rules", "Guardrail")

_TRUTHS = ("Core truth", "Principle", "Values", "How you work", "Core")
"""Headings of SOUL.md as agents come with it."""

_EMPHASIS = re.compile(r"[*_`<~]")

_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")

_ENDS = " \t\r\n"


class Line(NamedTuple):
    """A principle that is one list item of one line: its words, how it stands in the file, and
    where.
    """

    text: str
    raw: str
    number: int
    section: str


def lines(soul: str) -> tuple[Line, ...]:
    return tuple(_line(block) for block in scan(soul) if _is_simple(block))


def said_already(soul: str, growth: Growth) -> Line | None:
    """The line that asks for the same; for what came again, any principle of that matter."""
    known = [line for line in lines(soul) if read_often(line.text) is None]
    if growth.kind in ORDERS:
        return next((line for line in known if same(line.text, growth.rule)), None)
    return next((line for line in known if alike(line.text, growth.newest.about)), None)


def told_often(soul: str, growth: Growth) -> Line | None:
    """The line that counts how often this came already."""
    if growth.kind in ORDERS:
        return None
    kind = FAILED if growth.kind == FAILED else PRAISED
    for line in lines(soul):
        known = read_often(line.text)
        if known and known.kind == kind and alike(known.quote, growth.newest.about):
            return line
    return None


def opposed(soul: str, rule: str) -> Line | None:
    """The principle that a rule takes back."""
    known = (line for line in lines(soul) if read_often(line.text) is None)
    return next((line for line in known if opposes(rule, line.text)), None)


def with_principle(soul: str, growth: Growth) -> str:
    """The soul with one more line, where its like stand."""
    skills = _titled(soul, (SKILLS,)) if growth.kind == PROVEN else ""
    return amend(soul, Amendment(add=f"- {growth.rule}", section=skills or _home(soul, growth)))


def with_line(soul: str, line: Line, text: str) -> str:
    """The soul with another line in the place of one; its marker stays. No words take the line
    out.
    """
    rows = lines_of(soul)
    row = rows[line.number - 1]
    marker = row[: len(row) - len(_MARKER.sub("", row, count=1))]
    rows[line.number - 1] = f"{marker}{text}{row[len(row.rstrip(_ENDS)) :]}" if text else ""
    return "".join(rows)


def giving_way(
    soul: str, growth: Growth, rules: SoulRules, protected: Sequence[Protected]
) -> Line | None:
    """What goes first when the soul is full: one of two lines that say the same, the later one;
    then what was only inferred and is worth less than what comes, praise before mistakes, the
    oldest first. Never a protected line.
    """
    for line in (*_twice(soul), *_inferred(soul, growth)):
        verdict = judge(
            SoulEdit(SOUL, soul, with_line(soul, line, ""), protected=tuple(protected)), rules
        )
        if not verdict.refusals and not verdict.hold:
            return line
    return None


def _twice(soul: str) -> Iterator[Line]:
    known = lines(soul)
    for at, line in enumerate(known):
        if not _EMPHASIS.search(line.text) and any(
            same(line.text, other.text) for other in known[:at]
        ):
            yield line


def _inferred(soul: str, growth: Growth) -> list[Line]:
    weaker = {FAILED: (PRAISED,), **dict.fromkeys(ORDERS, (PRAISED, FAILED))}.get(growth.kind, ())
    told = [
        (known, line)
        for line in lines(soul)
        if (known := read_often(line.text)) and known.kind in weaker
    ]
    told.sort(key=lambda pair: (weaker.index(pair[0].kind), pair[0].days[-1:]))
    return [line for _, line in told]


def _home(soul: str, growth: Growth) -> str:
    """The section for a principle: what warns or forbids beside its like, else the one that holds
    most principles.
    """
    warns = growth.kind == FAILED or (growth.kind in ORDERS and is_negated(growth.rule))
    return (_titled(soul, _BOUNDS) if warns else "") or _titled(soul, _TRUTHS) or _fullest(soul)


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
    """Titles of which there is one, and that can be told by name."""
    titles = [section.title for section in sections(soul)]
    folded = [title.casefold() for title in titles]
    return [
        title
        for title in titles
        if title == title.lstrip("# ").strip() and folded.count(title.casefold()) == 1
    ]


def _is_simple(block: Block) -> bool:
    return block.kind == "item" and "\n" not in block.text.strip() and "<!--" not in block.text


def _line(block: Block) -> Line:
    raw = block.text.strip()
    return Line(
        " ".join(_MARKER.sub("", raw, count=1).split()),
        raw,
        block.line,
        block.path[-1] if block.path else "",
    )
