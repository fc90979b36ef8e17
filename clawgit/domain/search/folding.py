"""Hits that say the same, or nearly: what was kept of a conversation comes before the conversation,
a line that a log repeats comes once, and of lines of dated notes the newest comes first.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import product
from math import inf
from typing import TypeVar

from clawgit.domain.corrections.pairs import meant
from clawgit.domain.facts.decay import day_of
from clawgit.domain.search.ranking_marks import ROLES, speaker
from clawgit.domain.search.ranking_standing import (
    EVEN,
    DatedHit,
    Placed,
    Stood,
    is_log,
    limits_by_newer,
    stale_reason,
    weight_of,
)
from clawgit.domain.search.terms import in_order
from clawgit.domain.workspace.tiers import dated
from clawgit.language.lazily import lazily
from clawgit.values import NamedTuple

_LOOKED_AT = 100
_COMPARED = 24
"""At most this many hits are compared as lines of a log, and as many with what entries say."""

_LONGEST = 2_000
"""At most this many characters of a text are compared."""

_LEAST_WORDS = 4
"""Shorter texts are parts of too many others."""

_LEAST_ALIKE = 3
"""This many lines that differ in figures alone are a log; two may be two facts."""

_RAW_SOURCES = ("sessions", "archive", "expired")

_FIGURES = lazily("[0-9]+")
_SAID = lazily(r"\A[^\n“”]{0,60}: “([^“”]+)”")
_BEHIND = lazily(r"(?:\s+(?:\([^()\n]{1,40}\)|#[^\s#]+))+\s*\Z")
"""What stands after the words of an entry: a date in brackets, tags."""

P = TypeVar("P", bound=Placed)


class Folded(NamedTuple):
    """The hits that are left, and for some the ids of those that say the same, best first."""

    hits: list[Stood]
    under: Mapping[int, tuple[int, ...]]


def folded(found: Sequence[Stood], rows: Mapping[int, P]) -> Folded:
    """The hits without those that only repeat another one."""
    keepers = _keepers(found[:_LOOKED_AT], rows)
    if not keepers:
        return Folded([*found], {})

    under: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for hit in found:
        if (item := hit.scored.id) in keepers:
            under[keepers[item]] += (item,)
    return Folded(_in_place(found, keepers), under)


def _keepers(hits: Sequence[Stood], rows: Mapping[int, P]) -> dict[int, int]:
    """For each item that only repeats another one, that one."""
    raw = {hit.scored.id: hit for hit in hits if is_raw(rows[hit.scored.id])}
    keepers = _repeated([*raw.values()], rows)
    left = [hit.scored.id for hit in hits if hit.scored.id not in keepers][:_COMPARED]
    entries = _entries_for([*filter(raw.__contains__, left)], left, rows)
    # An entry may stand for the line that stands for a log.
    return entries | {item: entries.get(line, line) for item, line in keepers.items()}


def is_raw(row: Placed) -> bool:
    """Whether a line was only written down as it came: a turn, or a note of a day."""
    if row.source in _RAW_SOURCES or dated(row.path):
        return True
    return speaker(row.text).casefold() in ROLES


def tellers(entries: Iterable[str]) -> Callable[[str], bool]:
    """Says of a raw text whether it holds what one of the entries says, or a part of that."""
    told = [*map(_said, entries)]

    def is_told(text: str) -> bool:
        said = _said(text)
        return any(_says_same(said, other) for other in told)

    return is_told


def _entries_for(
    raw: Sequence[int], items: Sequence[int], rows: Mapping[int, Placed]
) -> dict[int, int]:
    """For each of the raw items that holds what an entry says, or a part of that, the entry."""
    entries = [item for item in items if item not in raw and _is_keeper(rows[item])]
    if not entries:
        return {}
    said = {item: _said(rows[item].text) for item in (*raw, *entries)}
    # Of several entries the first one stands, which comes last here.
    pairs = product(raw, reversed(entries))
    return {line: entry for line, entry in pairs if _says_same(said[line], said[entry])}


def _is_keeper(row: Placed) -> bool:
    """Whether an entry may stand for others: not if it is replaced, disputed or in the log of
    corrections.
    """
    return not (is_log(row) or stale_reason(row))


def _says_same(text: str, other: str) -> bool:
    short, long = sorted((text, other), key=len)
    return short.count(" ") > _LEAST_WORDS and short in long


def _repeated(hits: Sequence[Stood], rows: Mapping[int, P]) -> dict[int, int]:
    """For each of some raw lines that differs from others in its figures alone, the newest of these
    that matches as well as any: an older figure may no longer hold, but who asks for one wants
    that.
    """
    alike: defaultdict[str, list[Stood]] = defaultdict(list)
    for hit in hits:
        alike[_FIGURES.sub("0", rows[hit.scored.id].text[:_LONGEST])].append(hit)
    keepers: dict[int, int] = {}
    for same in alike.values():
        if len(same) >= _LEAST_ALIKE:
            least = EVEN * max(map(weight_of, same))
            good = (hit.scored.id for hit in same if weight_of(hit) >= least)
            newest = max(good, key=lambda item: _when(item, rows[item]))
            keepers |= dict.fromkeys((hit.scored.id for hit in same), newest)
            del keepers[newest]
    return keepers


def _when(item: int, row: Placed) -> tuple[date, int]:
    """The day of a note, and the place of a line in the memory: a later one was written later."""
    return dated(row.path) or date.min, item


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


def newest_first(found: Sequence[Stood], rows: Mapping[int, Placed]) -> list[Stood]:
    """The same hits; of lines of dated notes that say nearly the same and match nearly as well, the
    newest comes first: an older value may no longer hold.
    """
    told = [
        DatedHit(day, hit, meant(rows[hit.scored.id].text), weight_of(hit))
        for hit in found[:_COMPARED]
        if (day := _noted_on(rows[hit.scored.id]))
    ]
    told.sort(key=lambda one: one.day, reverse=True)
    limits = limits_by_newer(told, _fits_as_well)
    if not limits:
        return [*found]
    # Behind the newest stand the others, the newer before the older.
    ages = {one.hit.scored.id: age for age, one in enumerate(told) if one.hit.scored.id in limits}
    placed = [
        (-min(weight_of(hit), limits.get(hit.scored.id, inf)), ages.get(hit.scored.id, -1), hit)
        for hit in found
    ]
    placed.sort(key=lambda place: place[:2])
    return [hit._replace(score=min(hit.score, -negative)) for negative, _, hit in placed]


def _fits_as_well(newer: DatedHit, older: DatedHit) -> bool:
    return newer.day > older.day and newer.weight >= older.weight * EVEN


def _noted_on(row: Placed) -> date | None:
    """The day of a note, None for what has none, or does not hold any more."""
    return None if stale_reason(row) else day_of(row.path, row.headings)
