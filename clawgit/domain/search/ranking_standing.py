"""What comes after ranking: how an item stands besides its words (its age, its confidence, what
replaced it), what is shown only once, and what is too much like a better hit.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from math import prod
from typing import NamedTuple, Protocol, TypeVar

from clawgit.domain.corrections.corrections import ARCHIVE
from clawgit.domain.corrections.disputed import is_quote
from clawgit.domain.corrections.pairs import SetRight, meant, tells_right, tells_wrong
from clawgit.domain.facts.confidence import BASE, CORRECTION, EXPLICIT, Dynamics, confidence
from clawgit.domain.facts.decay import day_of, decay
from clawgit.domain.facts.origins import origins
from clawgit.domain.markdown.comment import DISPUTED, Meta
from clawgit.domain.markdown.entry import content_key
from clawgit.domain.markdown.tags import tags_in
from clawgit.domain.search.ranking import Scored
from clawgit.domain.search.terms import words

REPLACED = ("superseded", "corrected")
"""The states of an entry that something newer stands for."""


_STALE = 0.5

_WRONG_FIELD = re.compile(r"\W{0,4}(?:Agent said|Was)\W{0,3}:")

_OTHER_FIELD = re.compile(
    r"\W{0,4}(?:Trigger|Trigger confidence|Operator said|Evidence|Re-embedded|Status|Why)\W{0,3}:"
)
"""Of a section of CORRECTIONS.md: what was wrong, and what only tells how it came to be
corrected."""

_CORRECT = re.compile(r"\A\W{0,4}Correct\W{0,3}:")

_DOUBT = 0.25

_COPIES = ("archive", "expired")


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


def standing(
    row: Placed, rules: Rules, today: date, *, itself: bool = True
) -> Iterator[tuple[str, float]]:
    """By what an item counts more or less, each with its name. A correction counts where it speaks
    of what is asked `itself`: one that happens to stand beside the answer corrects something else.
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
    elif row.meta and row.meta.status == DISPUTED and not is_quote(row.text):
        yield DISPUTED, _STALE
    elif _is_log(row) and _WRONG_FIELD.match(row.text):
        yield REPLACED[1], _STALE


def is_correction(row: Placed) -> bool:
    """Whether an item says what the operator set right; what was wrong stands in the same section,
    in other fields.
    """
    if _is_log(row) and (_WRONG_FIELD.match(row.text) or _OTHER_FIELD.match(row.text)):
        return False
    if (
        row.source == "corrections"
        or row.path.startswith(ARCHIVE)
        or (row.meta and row.meta.src == CORRECTION)
    ):
        return True
    return "#" in row.text and "correction" in tags_in(row.text)


def _is_log(row: Placed) -> bool:
    return row.source == "corrections" or row.path.startswith(ARCHIVE)


def behind_corrections(
    found: Sequence[Stood], rows: Mapping[int, Placed], known: SetRight
) -> list[Stood]:
    """The same hits, where none that says what the operator has set right comes before one that
    says it right. It is for texts that no comment marks; such a hit gets no better score than the
    right one has. A correction that still waits for the operator, or that a later one has put
    right, counts for less than any line; and an entry comes before the log that tells of it.
    """
    found = [_lessened(one) if _is_behind(rows[one.scored.id], known) else one for one in found]
    most = _limits([(one, meant(rows[one.scored.id].text)) for one in found], known)
    placed = [(one, min(_weight(one), most.get(one.scored.id, _weight(one)))) for one in found]
    placed.sort(
        key=lambda place: (-place[1], place[0].scored.id in most, _is_log(rows[place[0].scored.id]))
    )
    return [one._replace(score=min(one.score, weight)) for one, weight in placed]


def _weight(one: Stood) -> float:
    """A score for comparing: among those that are cut to 1, what the boosts made of them."""
    return one.score if one.score < 1 else max(1.0, _uncut(one))


def _limits(said: Sequence[tuple[Stood, frozenset[str]]], known: SetRight) -> dict[int, float]:
    """The score of the best hit that is right, for each hit that is wrong."""
    most: dict[int, float] = {}
    for pair in known.pairs:
        wrong = [one.scored.id for one, text in said if tells_wrong(text, pair)]
        right = [_weight(one) for one, text in said if tells_right(text, pair)] if wrong else []
        for ident in wrong if right else ():
            most[ident] = min(most.get(ident, max(right)), max(right))
    return most


def _lessened(one: Stood) -> Stood:
    return one._replace(score=min(one.score, one.scored.score) * _STALE)


def with_quotes(
    found: Sequence[Stood], quotes: Mapping[int, Sequence[int]], boost: float
) -> list[Stood]:
    """The operator's sentences under a disputed entry answer, as a correction does, whatever that
    entry would have answered before; `quotes` are their numbers, by that of their entry.
    """
    told: dict[int, Stood] = {}
    for one in found:
        for ident in quotes.get(one.scored.id, ()):
            made = Stood(one.scored._replace(id=ident), 0.0, ((CORRECTION, boost),))
            told[ident] = made._replace(score=min(1.0, _uncut(made)))
    every = [*(one for one in found if one.scored.id not in told), *told.values()]
    return sorted(every, key=lambda one: (-_uncut(one), one.scored.id))


def _is_behind(row: Placed, known: SetRight) -> bool:
    """Whether it is the log of what does not hold, or says again, in a note, what is disputed."""
    if _is_void(row, known):
        return True
    if (
        not known.disputed
        or _is_log(row)
        or is_quote(row.text)
        or (row.meta and row.meta.status == DISPUTED)
    ):
        return False
    said = meant(row.text)
    return any(words <= said for words in known.disputed)


def _is_void(row: Placed, known: SetRight) -> bool:
    return _is_log(row) and bool(row.headings) and row.headings[-1].partition(" ")[0] in known.void


def passing(scored: Iterable[Scored], min_score: float) -> list[Scored]:
    """What fits well enough by itself, before its age or anything else counts; an exact hit always
    does.
    """
    return [one for one in scored if one.base > 0 and (one.base >= min_score or one.exact)]


def stood(
    scored: Iterable[Scored], rows: Mapping[int, P], rules: Rules, today: date
) -> list[Stood]:
    """With their standing, best first; what was replaced comes after what replaced it, however well
    it fits.
    """
    found = [_stood(one, rows[one.id], rules, today) for one in scored]
    found.sort(
        key=lambda one: (-_uncut(one), one.scored.id)
    )  # the sorts to come keep this order among equals
    return behind_successors(found, rows)


def _stood(one: Scored, row: Placed, rules: Rules, today: date) -> Stood:
    found = Stood(one, 0.0, tuple(standing(row, rules, today, itself=one.itself)))
    return found._replace(score=min(1.0, _uncut(found)))


def _uncut(one: Stood) -> float:
    """What the boosts make of a score, beyond the most that is shown: two that fit well are no
    tie.
    """
    return one.scored.score * prod(factor for _, factor in one.standing)


def behind_successors(found: Sequence[Stood], rows: Mapping[int, P]) -> list[Stood]:
    """The same hits, where each entry that names its successor in `by=` comes after that one, if it
    is among them.

    It gets no better score than its successor has, so that scores still fall. In a circle, nobody
    comes first.
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
    """Each line once: of those with the same words, the first; the original rather than its copy in
    an archive, or the fact that was made of it.
    """
    found = [*found]
    made = frozenset(key for one in found for key in _made_of(rows[one.scored.id]))
    first: dict[str, int] = {}
    kept: list[Stood] = []
    for one in found:
        row = rows[one.scored.id]
        names = [*_names(row, made)]
        at = next((first[name] for name in names if name in first), None)
        if at is None:
            at = len(kept)
            kept.append(one)
        elif _is_copy(rows[kept[at].scored.id]) and not _is_copy(row):
            kept[at] = one._replace(score=kept[at].score)
        first.update(dict.fromkeys(names, at))
    return kept


def _names(row: Placed, made: frozenset[str]) -> Iterator[str]:
    """What a line is known by: its words without its tags, and for a fact the lines that it was
    made of. The log of the corrections says again what an entry has come to say.
    """
    said = _CORRECT.sub("", row.text, count=1) if _is_log(row) else row.text
    yield " ".join(word for word in said.split() if not word.startswith("#"))
    yield from _made_of(row)
    if made and (key := content_key(row.text)) in made:
        yield key


def _is_copy(row: Placed) -> bool:
    return row.source in _COPIES or _is_log(row) or bool(_made_of(row))


def _made_of(row: Placed) -> tuple[str, ...]:
    """The lines that a fact says again; what was set right says something else than the line that
    it was made of.
    """
    return () if row.meta and row.meta.src == CORRECTION else origins(row.meta)


def reordered(found: Sequence[Stood], relevance: Sequence[float]) -> list[Stood]:
    """The first hits in the order of what a reranker says of them, the others behind; each takes
    the score of its new place, so that scores still fall and still mean how well the memory
    answers.
    """
    judged = sorted(zip(relevance, found, strict=False), key=lambda pair: -pair[0])
    order = [*(one for _, one in judged), *found[len(judged) :]]
    return [one._replace(score=place.score) for one, place in zip(order, found, strict=True)]


def diverse(
    found: Sequence[Stood], text: Callable[[int], str], count: int, trade: float = 0.7
) -> list[Stood]:
    """The best, each next one chosen for its score less its likeness to those already chosen
    (MMR).
    """
    left = {one.scored.id: (one, frozenset(words(text(one.scored.id)))) for one in found}
    chosen: list[tuple[Stood, frozenset[str]]] = []
    while left and len(chosen) < count:
        best = max(
            left.values(),
            key=lambda pair: (
                trade * pair[0].score
                - (1 - trade) * max((_alike(pair[1], one[1]) for one in chosen), default=0.0)
            ),
        )
        chosen.append(left.pop(best[0].scored.id))
    return [one for one, _ in chosen]


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one | other), 1)
