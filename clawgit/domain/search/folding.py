"""Folds hits that say the same: what was kept of a conversation comes before the conversation, and
a line that a log repeats comes once.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from clawgit.domain.search.ranking_marks import ROLES, speaker
from clawgit.domain.search.ranking_standing import Placed, Stood, is_log, stale_reason
from clawgit.domain.search.terms import in_order
from clawgit.domain.workspace.tiers import dated
from clawgit.language.lazily import lazily

_LOOKED_AT = 100
_COMPARED = 24
"""Hits that may be lines of a log, and those that may say what an entry says."""

_LONGEST = 2_000
"""Characters of a text that are compared."""

_LEAST_WORDS = 4
"""Shorter texts are parts of too many others."""

_LEAST_ALIKE = 3
"""Lines that differ in figures alone are a log from so many on; two may be two facts."""

_RAW_SOURCES = ("sessions", "archive", "expired")

_SAID = lazily(r"\A[^\n“”]{0,60}: “([^“”]+)”")
_BEHIND = lazily(r"(?:\s+(?:\([^()\n]{1,40}\)|#[^\s#]+))+\s*\Z")
"""What stands behind the words of an entry: a date in brackets, tags."""

P = TypeVar("P", bound=Placed)


class Folded(NamedTuple):
    """The hits that are left, and for some the ids of those that say the same, best first."""

    hits: list[Stood]
    under: Mapping[int, tuple[int, ...]]


def folded(found: Sequence[Stood], rows: Mapping[int, P]) -> Folded:
    """The hits without those that say what another one says."""
    first = [hit.scored.id for hit in found[:_LOOKED_AT]]
    raw = [item for item in first if is_raw(rows[item])]
    keepers = _repeated(raw, rows)
    # An entry may stand for the line that stands for a log.
    kept = _entries_for([item for item in first if item not in keepers], rows)
    keepers = kept | {item: kept.get(line, line) for item, line in keepers.items()}
    if not keepers:
        return Folded([*found], {})
    under: defaultdict[int, list[int]] = defaultdict(list)
    for item in first:
        if item in keepers:
            under[keepers[item]].append(item)
    return Folded(_in_place(found, keepers), {item: tuple(some) for item, some in under.items()})


def is_raw(row: Placed) -> bool:
    """Whether a line was only written down as it came: a turn, or a note of a day."""
    if row.source in _RAW_SOURCES or dated(row.path):
        return True
    return speaker(row.text).casefold() in ROLES


def _entries_for(items: Sequence[int], rows: Mapping[int, Placed]) -> dict[int, int]:
    """For each raw line that holds what an entry says, or a part of that, the entry."""
    compared = items[:_COMPARED]
    raw = [item for item in compared if is_raw(rows[item])]
    entries = [item for item in compared if item not in raw and _is_keeper(rows[item])]
    if not (raw and entries):
        return {}
    said = {item: _said(rows[item].text) for item in (*raw, *entries)}
    found = (
        (item, next((entry for entry in entries if _says_same(said[item], said[entry])), None))
        for item in raw
    )
    return {item: entry for item, entry in found if entry is not None}


def _is_keeper(row: Placed) -> bool:
    """What was replaced or is disputed stands for nothing; the log of corrections is no entry."""
    return not (stale_reason(row) or is_log(row))


def _says_same(text: str, other: str) -> bool:
    short, long = sorted((text, other), key=len)
    return short.count(" ") > _LEAST_WORDS and short in long


def _repeated(raw: Sequence[int], rows: Mapping[int, Placed]) -> dict[int, int]:
    """For each raw line that differs from others in its figures alone, the first of these."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for item in raw:
        alike[re.sub(r"[0-9]+", "0", rows[item].text[:_LONGEST])].append(item)
    return {
        item: items[0]
        for items in alike.values()
        if len(items) >= _LEAST_ALIKE
        for item in items[1:]
    }


def _said(text: str) -> str:
    """The words of a text in order, each between blanks, without who said it, and when."""
    text = text[:_LONGEST]
    if quoted := _SAID.match(text):
        text = quoted[1]
    elif name := speaker(text):
        text = text[text.index(name) + len(name) :]
    return f" {' '.join(in_order(_BEHIND.sub('', text)))} "


def _in_place(found: Sequence[Stood], keepers: Mapping[int, int]) -> list[Stood]:
    """The hits that are left. Each takes the place and the score of the best that it stands
    for.
    """
    by_id = {hit.scored.id: hit for hit in found}
    placed: dict[int, Stood] = {}
    for hit in found:
        keeper = keepers.get(hit.scored.id, hit.scored.id)
        if keeper not in placed:
            placed[keeper] = by_id[keeper]._replace(score=hit.score)
    return [*placed.values()]
