"""What comes after ranking: how an item stands besides its words (its age, its confidence, what replaced it), what is
shown only once, and what is too much like a better hit.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from math import prod
from typing import NamedTuple, Protocol, TypeVar

from clawgit.domain.comment import Meta
from clawgit.domain.confidence import BASE, CORRECTION, EXPLICIT, Dynamics, confidence
from clawgit.domain.decay import day_of, decay
from clawgit.domain.ranking import Scored
from clawgit.domain.tags import tags_in
from clawgit.domain.terms import words

REPLACED = ("superseded", "corrected")
"""The states of an entry that something newer stands for."""


class Rules(Dynamics, Protocol):
    """The settings that standing depends on."""

    @property
    def temporal_decay(self) -> bool: ...
    @property
    def half_life_days(self) -> int: ...
    @property
    def correction_relevance_boost(self) -> float: ...


class Placed(Protocol):
    """What standing wants to know of an item."""

    @property
    def id(self) -> int: ...
    @property
    def path(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def headings(self) -> tuple[str, ...]: ...
    @property
    def source(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def meta(self) -> Meta | None: ...


P = TypeVar("P", bound=Placed)


class Stood(NamedTuple):
    """A scored item with the factors of its standing; `score` has them in it and is at most 1."""

    scored: Scored
    score: float
    standing: tuple[tuple[str, float], ...] = ()


def standing(row: Placed, rules: Rules, today: date, *, itself: bool = True) -> Iterator[tuple[str, float]]:
    """By what an item counts more or less, each with its name. A correction counts where it speaks of what is asked
    `itself`: one that happens to stand beside the answer corrects something else.
    """
    if rules.temporal_decay and (day := day_of(row.path, row.headings)):
        yield "decay", decay((today - day).days, rules.half_life_days)
    if row.meta:
        sure = confidence(row.meta, rules, today)
        yield "confidence", 1 - (BASE[EXPLICIT] - sure) * _DOUBT
    if itself and is_correction(row):
        yield "correction", rules.correction_relevance_boost
    if row.meta and row.meta.status in REPLACED:
        yield row.meta.status, _STALE


def is_correction(row: Placed) -> bool:
    """Whether an item says what the operator set right."""
    if row.source == "corrections" or (row.meta and row.meta.src == CORRECTION):
        return True
    return "#" in row.text and "correction" in tags_in(row.text)


def passing(scored: Iterable[Scored], min_score: float) -> list[Scored]:
    """What fits well enough by itself, before its age or anything else counts; an exact hit always does."""
    return [one for one in scored if one.base > 0 and (one.base >= min_score or one.exact)]


def stood(scored: Iterable[Scored], rows: Mapping[int, P], rules: Rules, today: date) -> list[Stood]:
    """With their standing, best first; what was replaced comes after what replaced it, however well it fits."""
    found = [_stood(one, rows[one.id], rules, today) for one in scored]
    return behind_successors(sorted(found, key=lambda one: (-one.score, one.scored.id)), rows)


def _stood(one: Scored, row: Placed, rules: Rules, today: date) -> Stood:
    factors = tuple(standing(row, rules, today, itself=one.itself))
    return Stood(one, min(1.0, one.score * prod(factor for _, factor in factors)), factors)


def behind_successors(found: Sequence[Stood], rows: Mapping[int, P]) -> list[Stood]:
    """The same hits, where each entry that names its successor in `by=` comes after that one, if it is among them.

    It gets no better score than its successor has, so that scores still fall. In a circle, nobody comes first.
    """
    by_key = {key: one for one in reversed(found) if (key := rows[one.scored.id].key)}

    def fallen(one: Stood, before: frozenset[int] = frozenset()) -> tuple[float, int]:
        meta = rows[one.scored.id].meta
        successor = by_key.get(meta.by) if meta and meta.by and meta.status in REPLACED else None
        if successor is None or one.scored.id in before:
            return one.score, 0
        most, steps = fallen(successor, before | {one.scored.id})
        return min(one.score, most), steps + 1

    placed = [(one, *fallen(one)) for one in found]
    placed.sort(key=lambda place: (-place[1], place[2]))
    return [one._replace(score=score) for one, score, _ in placed]


def once(found: Iterable[Stood], rows: Mapping[int, P]) -> list[Stood]:
    """Each line once: of those with the same words, the first; the original rather than its copy in an archive."""
    first: dict[str, int] = {}
    kept: list[Stood] = []
    for one in found:
        row = rows[one.scored.id]
        words_of = " ".join(row.text.split())
        if words_of not in first:
            first[words_of] = len(kept)
            kept.append(one)
        elif row.source != _ARCHIVE == rows[kept[first[words_of]].scored.id].source:
            kept[first[words_of]] = one._replace(score=kept[first[words_of]].score)
    return kept


def reordered(found: Sequence[Stood], relevance: Sequence[float]) -> list[Stood]:
    """The first hits in the order of what a reranker says of them, the others behind; each takes the score of its new
    place, so that scores still fall and still mean how well the memory answers.
    """
    judged = sorted(zip(relevance, found, strict=False), key=lambda pair: -pair[0])
    order = [*(one for _, one in judged), *found[len(judged) :]]
    return [one._replace(score=place.score) for one, place in zip(order, found, strict=True)]


def diverse(found: Sequence[Stood], text: Callable[[int], str], count: int, trade: float = 0.7) -> list[Stood]:
    """The best, each next one chosen for its score less its likeness to those already chosen (MMR)."""
    left = {one.scored.id: (one, frozenset(words(text(one.scored.id)))) for one in found}
    chosen: list[tuple[Stood, frozenset[str]]] = []
    while left and len(chosen) < count:
        best = max(
            left.values(),
            key=lambda pair: (
                trade * pair[0].score - (1 - trade) * max((_alike(pair[1], one[1]) for one in chosen), default=0.0)
            ),
        )
        chosen.append(left.pop(best[0].scored.id))
    return [one for one, _ in chosen]


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


_STALE = 0.5
_DOUBT = 0.25
_ARCHIVE = "archive"
