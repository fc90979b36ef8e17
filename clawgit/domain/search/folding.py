"""Hits that say the same, or nearly: what was kept of a conversation comes before the conversation,
and a line that a log repeats comes once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import product
from typing import NamedTuple, TypeVar

from clawgit.domain.facts.confidence import CORRECTION, origins
from clawgit.domain.markdown.entry import content_key
from clawgit.domain.search.ranking_marks import ROLES, speaker
from clawgit.domain.search.ranking_standing import (
    Placed,
    Stood,
    is_log,
    stale_reason,
    weight_of,
)
from clawgit.domain.search.same_line import (
    LEAST_WORDS,
    LONGEST,
    SAID,
    SESSIONS,
    is_about,
    matter,
    plain,
    says_all,
)
from clawgit.domain.search.terms import in_order
from clawgit.domain.workspace.tiers import dated
from clawgit.language.lazily import lazily

_LOOKED_AT = 100
_COMPARED = 24
"""At most this many hits are compared as lines of a log, and as many with what entries say."""

_EVEN = 0.95
"""From this share of a score on another one is nearly the same."""

_LEAST_ALIKE = 3
"""This many lines that differ in figures alone are a log; two may be two facts."""

_COPIES = frozenset({"archive", "expired"})
"""Sources that repeat what stands elsewhere."""

_CORRECT = lazily(r"\A\W{0,4}Correct\W{0,3}:")

_RAW_SOURCES = ("sessions", "archive", "expired")

_FIGURES = lazily("[0-9]+")
_BEHIND = lazily(r"(?:\s+(?:\([^()\n]{1,40}\)|#[^\s#]+))+\s*\Z")
"""What stands after the words of an entry: a date in brackets, tags."""

P = TypeVar("P", bound=Placed)


Under = Mapping[int, tuple[int, ...]]
"""For some hits, the ids of those that say the same."""

NOTHING_UNDER: Under = {}


class Folded(NamedTuple):
    """The hits that are left, and for some the ids of those that say the same, best first."""

    hits: list[Stood]
    under: Under


def folded(
    found: Sequence[Stood],
    rows: Mapping[int, P],
    before: Under = NOTHING_UNDER,
) -> Folded:
    """The hits without those that only repeat another one. What is under them from `before` goes
    along.
    """
    keepers = _keepers(found[:_LOOKED_AT], rows)
    under: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for hit in found:
        item = hit.scored.id
        if item in keepers:
            under[keepers[item]] += (item,)
        if others := before.get(item):
            under[keepers.get(item, item)] += others
    return Folded(_in_place(found, keepers) if keepers else [*found], under)


def _keepers(hits: Sequence[Stood], rows: Mapping[int, P]) -> dict[int, int]:
    """For each item that only repeats another one, that one."""
    raw = {hit.scored.id: hit for hit in hits if is_raw(rows[hit.scored.id])}
    keepers = _repeated([*raw.values()], rows)
    left = [hit.scored.id for hit in hits if hit.scored.id not in keepers][:_COMPARED]
    entries = _entries_for([*filter(raw.__contains__, left)], left, rows)
    # An entry may stand for the line that stands for a log.
    return entries | {item: entries.get(line, line) for item, line in keepers.items()}


def once(found: Iterable[Stood], rows: Mapping[int, P]) -> Folded:
    """Each line once: the first of those with the same words that are about the same.

    The original is kept rather than its copy in an archive, or a fact that was made of it, and an
    entry rather than a line that was only written down.
    """
    hits = [*found]
    made = frozenset(key for hit in hits for key in _made_of(rows[hit.scored.id]))
    places: defaultdict[str, list[int]] = defaultdict(list)
    kept: list[Stood] = []
    under: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for hit in hits:
        row = rows[hit.scored.id]
        names = [*_names(row, made)]
        near = (at for name in names for at in places[name][:_COMPARED])
        at = next((at for at in near if _is_same(row, rows[kept[at].scored.id])), None)
        if at is None:
            at = len(kept)
            kept.append(hit)
        elif _comes_before(row, rows[kept[at].scored.id]):
            # It takes the place, and the score, of the one that was found first.
            hidden = kept[at].scored.id
            kept[at] = hit._replace(score=kept[at].score)
            under[hit.scored.id] = (*_named(hidden, rows), *under.pop(hidden, ()))
        else:
            under[kept[at].scored.id] += _named(hit.scored.id, rows)
        for name in names:
            if at not in places[name]:
                places[name].append(at)
    return Folded(kept, under)


def _named(item: int, rows: Mapping[int, P]) -> tuple[int, ...]:
    """The item, unless it is the log of the very correction that the shown line holds."""
    return () if is_log(rows[item]) else (item,)


def _is_same(row: Placed, kept: Placed) -> bool:
    """Whether only one of two lines with the same words is shown. What no longer holds hides no
    line that does.
    """
    if _is_derived(row) or _is_derived(kept):
        return True
    if _COPIES & {row.source, kept.source}:
        # An archive has further headings above what it keeps.
        return is_about(row, kept) or is_about(kept, row)
    if stale_reason(kept) and not stale_reason(row):
        return False
    return is_about(row, kept)


def _comes_before(row: Placed, kept: Placed) -> bool:
    if _is_copy(kept) or _is_copy(row):
        return not _is_copy(row)
    return is_raw(kept) and not is_raw(row) and _is_keeper(row) and is_about(kept, row)


def _names(row: Placed, made: frozenset[str]) -> Iterator[str]:
    """What a line is known by: its words without categories; for a fact, the lines behind it.

    The log of corrections repeats what an entry says now, after the field name “Correct”.
    """
    text = _CORRECT.sub("", row.text, count=1) if is_log(row) else row.text
    yield plain(text)
    yield from _made_of(row)
    if made:
        key = content_key(row.text)
        if key in made:
            yield key


def _is_copy(row: Placed) -> bool:
    return row.source in _COPIES or _is_derived(row)


def _is_derived(row: Placed) -> bool:
    """Whether a line repeats what an entry says, wherever it stands."""
    return is_log(row) or bool(_made_of(row))


def _made_of(row: Placed) -> tuple[str, ...]:
    """The lines that a fact repeats. A corrected fact says something else than its old line."""
    if row.meta and row.meta.src == CORRECTION:
        return ()
    return origins(row.meta)


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
    """For each of the raw items of which an entry says all, the entry."""
    entries = [item for item in items if item not in raw and _is_keeper(rows[item])]
    if not entries:
        return {}
    # Of several entries the first one stands, which comes last here.
    pairs = product(raw, reversed(entries))
    return {line: entry for line, entry in pairs if _stands_for(rows[entry], rows[line])}


def _stands_for(shown: Placed, hidden: Placed) -> bool:
    return says_all(shown.text, hidden.text) and is_about(hidden, shown)


def _is_keeper(row: Placed) -> bool:
    """Whether an entry may stand for others: not if it is replaced, disputed or in the log of
    corrections.
    """
    return not (is_log(row) or stale_reason(row))


def _says_same(text: str, other: str) -> bool:
    short, long = sorted((text, other), key=len)
    return short.count(" ") > LEAST_WORDS and short in long


def _repeated(hits: Sequence[Stood], rows: Mapping[int, P]) -> dict[int, int]:
    """For each of some raw lines that differs from others in its figures alone, the newest of these
    that matches as well as any: an older figure may no longer hold, but who asks for one wants
    that.
    """
    alike: defaultdict[tuple[str, object], list[Stood]] = defaultdict(list)
    for hit in hits:
        row = rows[hit.scored.id]
        about = None if row.source == SESSIONS else matter(row)
        alike[_FIGURES.sub("0", row.text[:LONGEST]), about].append(hit)
    keepers: dict[int, int] = {}
    for same in alike.values():
        if len(same) >= _LEAST_ALIKE:
            least = _EVEN * max(map(weight_of, same))
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
    text = text[:LONGEST]
    if quoted := SAID.match(text):
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
