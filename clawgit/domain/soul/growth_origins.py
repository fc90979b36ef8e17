"""What CHANGELOG.md tells about where the principles of the soul come from: each change, its lines
and its evidence.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import unescape
from typing import NamedTuple

from clawgit.domain.corrections.corrections import cited
from clawgit.domain.soul.changelog import between_markers
from clawgit.domain.soul.growth import ORDERS, Sign, read_often, same
from clawgit.domain.soul.guard import Protected

_HEADING = re.compile(r"^### ([^·\n]*) · (\S+) · (.*)$", re.MULTILINE)

_LINE = re.compile(r"^  - (added|reworded|moved): (.*)$", re.MULTILINE)

_EVIDENCE = re.compile(r"^- \*\*Evidence:\*\* (.*)$", re.MULTILINE)

_ESCAPE = re.compile(r"\\([\\`*\[\]~_])")


class Told(NamedTuple):
    """One change of the identity. `lines` are the principles that it brought, with what each of
    them was before.
    """

    name: str
    time: datetime
    actor: str
    lines: tuple[tuple[str, str], ...] = ()
    evidence: tuple[str, ...] = ()


def told(changelog: str) -> tuple[Told, ...]:
    """The changes that the derived part of a changelog tells of, newest first; what cannot be read
    is passed over.
    """
    body = between_markers(changelog) or ""
    parts = _HEADING.split(body)[1:]
    return tuple(_told(*parts[at : at + 4]) for at in range(0, len(parts), 4))


def sources(line: str, history: Iterable[Told]) -> tuple[Told, ...]:
    """The changes that a principle owes its words to, newest first, through its rewordings."""
    found: list[Told] = []
    wanted = {line}
    for one in history:
        mine = [(new, old) for new, old in one.lines if new in wanted]
        if mine:
            found.append(one)
            wanted |= {old for _, old in mine if old}
    return tuple(found)


def protection(raw: str, line: str, history: Iterable[Told]) -> Protected | None:
    """How a principle is protected, as far as the changelog knows: by the newest correction that
    had a part in it.
    """
    for one in sources(line, history):
        if correction := next(filter(None, map(cited, one.evidence)), ""):
            return Protected(raw, correction, one.time)
    return None


def is_used(sign: Sign, history: Iterable[Told]) -> bool:
    """Whether a change already stood on a sign and said this. Taken back since or not: the sign had
    its turn.
    """
    return any(
        sign.evidence in one.evidence
        and (bool(cited(sign.evidence)) or any(_says(new, sign) for new, _ in one.lines))
        for one in history
    )


def _says(line: str, sign: Sign) -> bool:
    if sign.kind in ORDERS or not read_often(line):
        return same(line, sign.rule)
    return True


def _told(day: str, name: str, actor: str, body: str) -> Told:
    try:
        time = datetime.strptime(day.strip(), "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    except ValueError:
        time = datetime(1970, 1, 1, tzinfo=UTC)
    evidence = _EVIDENCE.search(body)
    items = (_unescaped(item) for item in evidence[1].split(", ")) if evidence else ()
    return Told(_unescaped(name), time, _unescaped(actor), tuple(_lines(body)), tuple(items))


def _lines(body: str) -> Iterator[tuple[str, str]]:
    for found in _LINE.finditer(body):
        old, arrow, new = found[2].rpartition(" → ")
        if found[1] == "added" or not arrow:
            yield _unescaped(found[2]), ""
        else:
            yield _unescaped(new), _unescaped(old)


def _unescaped(text: str) -> str:
    return unescape(_ESCAPE.sub(r"\1", text.strip()))
