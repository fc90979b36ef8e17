"""Finds the place of a principle in the soul: where it goes, and which line goes if all is full.

Whole lines are added, replaced or removed. No line is ever rephrased.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from clawgit.domain.corrections.corrections import cited
from clawgit.domain.markdown.amend import Amendment, amend
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.domain.soul.changelog import between_markers
from clawgit.domain.soul.growth import (
    FAILED,
    ORDERS,
    PRAISED,
    PROVEN,
    Growth,
    Sign,
    alike,
    opposes,
    read_often,
    same,
)
from clawgit.domain.soul.guard import Protected
from clawgit.domain.soul.soul import sections
from clawgit.doors import html
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


# Where the principles come from, as CHANGELOG.md says.

_HEADING = re.compile(r"^### ([^·\n]*) · (\S+) · (.*)$", re.MULTILINE)

_LINE = re.compile(r"^  - (added|reworded|moved): (.*)$", re.MULTILINE)

_EVIDENCE = re.compile(r"^- \*\*Evidence:\*\* (.*)$", re.MULTILINE)

_ESCAPE = re.compile(r"\\([\\`*\[\]~_])")


class GrowthStep(NamedTuple):
    """One change of the identity. `lines`: each principle that it brought, and its old wording."""

    name: str
    time: datetime
    actor: str
    lines: tuple[tuple[str, str], ...] = ()
    evidence: tuple[str, ...] = ()


def steps_of(changelog: str) -> tuple[GrowthStep, ...]:
    """The changes in the derived part of a changelog, newest first; unreadable ones are skipped."""
    body = between_markers(changelog) or ""
    parts = _HEADING.split(body)[1:]
    return tuple(_told(*parts[at : at + 4]) for at in range(0, len(parts), 4))


def sources(line: str, history: Iterable[GrowthStep]) -> tuple[GrowthStep, ...]:
    """The changes that made a principle what it is, newest first, through all its rewordings."""
    changes: list[GrowthStep] = []
    wordings = {line}
    for change in history:
        steps = [(new, old) for new, old in change.lines if new in wordings]
        if steps:
            changes.append(change)
            # Older changes know the principle by its older wordings.
            wordings |= {old for _, old in steps if old}
    return tuple(changes)


def protection(raw: str, line: str, history: Iterable[GrowthStep]) -> Protected | None:
    """The protection of a principle by the newest correction in its changes; None without one."""
    for change in sources(line, history):
        correction = next(filter(None, map(cited, change.evidence)), "")
        if correction:
            return Protected(raw, correction, change.time)
    return None


def is_used(sign: Sign, history: Iterable[GrowthStep]) -> bool:
    """Whether a change was already made for a sign. It counts even if it was undone since:
    otherwise the same line would come back after each undo.
    """
    is_correction = bool(cited(sign.evidence))
    return any(
        sign.evidence in change.evidence
        and (is_correction or any(_says(new, sign) for new, _ in change.lines))
        for change in history
    )


def _says(line: str, sign: Sign) -> bool:
    if sign.kind in ORDERS or not read_often(line):
        return same(line, sign.rule)
    return True


def _told(day: str, name: str, actor: str, body: str) -> GrowthStep:
    try:
        time = datetime.strptime(day.strip(), "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    except ValueError:
        time = datetime(1970, 1, 1, tzinfo=UTC)
    evidence = _EVIDENCE.search(body)
    items = (_unescaped(item) for item in evidence[1].split(", ")) if evidence else ()
    return GrowthStep(_unescaped(name), time, _unescaped(actor), tuple(_lines(body)), tuple(items))


def _lines(body: str) -> Iterator[tuple[str, str]]:
    for match in _LINE.finditer(body):
        old, arrow, new = match[2].rpartition(" → ")
        if match[1] == "added" or not arrow:
            yield _unescaped(match[2]), ""
        else:
            yield _unescaped(new), _unescaped(old)


def _unescaped(text: str) -> str:
    return html.unescape(_ESCAPE.sub(r"\1", text.strip()))
