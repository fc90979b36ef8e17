"""Reads from CHANGELOG.md where the principles of the soul come from."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from clawgit.domain.corrections.corrections import cited
from clawgit.domain.soul.changelog import between_markers
from clawgit.domain.soul.growth import ORDERS, Sign, read_often, same
from clawgit.domain.soul.guard import Protected
from clawgit.doors import html

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
