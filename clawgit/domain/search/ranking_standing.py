"""Reorders ranked hits: by age, confidence and corrections.

The order in which these steps are applied stands in `ops/search`; each keeps the order of equals.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple, Protocol, TypeVar

from clawgit.domain.corrections.corrections import ARCHIVE
from clawgit.domain.corrections.disputed import is_quote
from clawgit.domain.corrections.pairs import (
    NOTHING_CORRECTED,
    CorrectedPairs,
    meant,
    tells_right,
    tells_wrong,
)
from clawgit.domain.facts.confidence import (
    BASE,
    CORRECTION,
    EXPLICIT,
    Dynamics,
    confidence,
    day_of,
    decay,
)
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.statuses import CORRECTED, DISPUTED, REPLACED, SUPERSEDED
from clawgit.domain.markdown.struck import is_struck
from clawgit.domain.markdown.tags import tags_in
from clawgit.domain.search.ranking import Scored, product
from clawgit.domain.search.ranking_weights import ANSWERS, DOUBTED, JUDGED
from clawgit.language.lazily import lazily

CORRECTS = "correction"
"""The name of the factor that a correction of the operator's gets."""

_STALE = 0.5
"""What is left of the score of an entry that no longer holds. It is still found: a question may be
about the past."""

_WRONG_FIELD = lazily(r"\W{0,4}(?:Agent said|Was)\W{0,3}:")

_OTHER_FIELD = lazily(
    r"\W{0,4}(?:Trigger|Trigger confidence|Operator said|Evidence|Re-embedded|Status|Why)\W{0,3}:"
)
"""Fields of a section of CORRECTIONS.md: the wrong statement, and how it came to be corrected."""

_BOOKKEEPING = lazily(
    r"\W{0,4}(?:Trigger|Trigger confidence|Evidence|Re-embedded|Status|Why)\W{0,3}:"
)
"""Fields that say nothing to a reader who asks a question."""

_DOUBT = 0.25
"""The share of a score that an entry without any confidence loses."""


class StandingSettings(Dynamics, Protocol):
    """The settings that standing depends on."""

    @property
    def half_life_days(self) -> int: ...
    @property
    def correction_relevance_boost(self) -> float: ...


class Placed(Protocol):
    """An item with what its standing depends on."""

    @property
    def id(self) -> int: ...
    @property
    def path(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def headings(self) -> tuple[str, ...]: ...
    @property
    def led(self) -> tuple[str, ...]: ...
    @property
    def source(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def meta(self) -> Meta | None: ...


P = TypeVar("P", bound=Placed)


class Stood(NamedTuple):
    """A scored item with the factors of its standing; `score` includes them and is at most 1.

    `chance` is that of a reranker, if one read the item. If it is `doubted`, it is not likely; if
    `believed`, it is, even if words of the question stand nowhere.
    """

    scored: Scored
    score: float
    standing: tuple[tuple[str, float], ...] = ()
    chance: float | None = None
    doubted: bool = False
    believed: bool = False


def standing(
    row: Placed,
    rules: StandingSettings,
    today: date,
    known: CorrectedPairs,
    *,
    itself: bool = True,
) -> Iterator[tuple[str, float]]:
    """The factors by which an item counts more or less, each with its name.

    A correction counts more only if it is about the question `itself`: one that merely stands
    beside the answer corrects something else.
    """
    day = day_of(row.path, row.headings) if rules.half_life_days else None
    if day:
        yield "decay", decay((today - day).days, rules.half_life_days)
    if row.meta:
        sure = confidence(row.meta, rules, today)
        yield "confidence", 1 - (BASE[EXPLICIT] - sure) * _DOUBT
    if itself and is_correction(row) and _is_proven(row, known):
        yield CORRECTS, rules.correction_relevance_boost
    reason = stale_reason(row)
    if reason:
        yield reason, _STALE


def stale_reason(row: Placed) -> str:
    """Why an item no longer holds; "" if it does."""
    status = row.meta.status if row.meta else ""
    if status in REPLACED:
        return status
    if is_struck(row.text):
        return SUPERSEDED
    # The operator's own sentence under a disputed entry is not disputed.
    if status == DISPUTED and not is_quote(row.text):
        return DISPUTED
    if is_log(row) and _WRONG_FIELD.match(row.text):
        return CORRECTED
    return ""


def is_correction(row: Placed) -> bool:
    """Whether an item calls itself a corrected statement. The other fields of its section do
    not.
    """
    if is_log(row):
        return not (_WRONG_FIELD.match(row.text) or _OTHER_FIELD.match(row.text))
    if row.meta and row.meta.src == CORRECTION:
        return True
    return "#" in row.text and "correction" in tags_in(row.text)


def _is_proven(row: Placed, known: CorrectedPairs) -> bool:
    """Whether the log has the correction. Of lines of the log, those that are void come last."""
    return is_log(row) or known.proves(row.text)


def is_bookkeeping(row: Placed) -> bool:
    """Whether a line of the log of corrections tells only how the correction came about."""
    return is_log(row) and _BOOKKEEPING.match(row.text) is not None


def is_log(row: Placed) -> bool:
    """Whether an item stands in the log of corrections, or in its archive."""
    return row.source == "corrections" or row.path.startswith(ARCHIVE)


def behind_corrections(
    found: Sequence[Stood], rows: Mapping[int, Placed], known: CorrectedPairs
) -> list[Stood]:
    """The same hits; a statement that the operator corrected never comes before the right one.

    This is for wrong texts that no comment marks: such a hit gets at most the score of the right
    one. An open or outdated correction counts less than any line, and an entry comes before the
    log about it.
    """
    hits = [_lessened(hit) if _is_behind(rows[hit.scored.id], known) else hit for hit in found]
    texts = [(hit, meant(rows[hit.scored.id].text)) for hit in hits]
    limits = _limits(texts, known)
    placed = []
    for hit in hits:
        ident = hit.scored.id
        weight = weight_of(hit)
        is_limited = ident in limits
        if is_limited:
            weight = min(weight, limits[ident])
        # Of equal weight, the right statement first, and an entry before the log.
        placed.append((-weight, is_limited, is_log(rows[ident]), hit))
    placed.sort(key=lambda place: place[:3])
    return [hit._replace(score=min(hit.score, -negative)) for negative, _, _, hit in placed]


def weight_of(hit: Stood) -> float:
    """A score to compare by. Of scores that were cut to 1, the uncut value counts."""
    return hit.score if hit.score < 1 else max(1.0, _uncut(hit))


def _limits(
    hits: Sequence[tuple[Stood, frozenset[str]]], known: CorrectedPairs
) -> dict[int, float]:
    """For each wrong hit, the weight of the best right one; a hit may be wrong in several ways."""
    limits: dict[int, float] = {}
    for pair in known.pairs:
        wrong = [hit.scored.id for hit, text in hits if tells_wrong(text, pair)]
        if not wrong:
            continue
        right = [weight_of(hit) for hit, text in hits if tells_right(text, pair)]
        if not right:
            continue
        for ident in wrong:
            limits[ident] = min(limits.get(ident, max(right)), max(right))
    return limits


def _lessened(hit: Stood) -> Stood:
    return hit._replace(score=min(hit.score, hit.scored.score) * _STALE)


def with_quotes(
    found: Sequence[Stood], quotes: Mapping[int, Sequence[int]], boost: float
) -> list[Stood]:
    """The hits with the operator's sentences under a disputed entry, which count as corrections.

    A sentence answers whatever the entry above it would have answered. `quotes`: the items of these
    sentences, by the item of their entry.
    """
    answers: dict[int, Stood] = {}
    for hit in found:
        for ident in quotes.get(hit.scored.id, ()):
            answer = Stood(hit.scored._replace(id=ident), 0.0, ((CORRECTION, boost),))
            answers[ident] = answer._replace(score=min(1.0, _uncut(answer)))
    others = [hit for hit in found if hit.scored.id not in answers]
    return sorted([*others, *answers.values()], key=lambda hit: (-_uncut(hit), hit.scored.id))


def _is_behind(row: Placed, known: CorrectedPairs) -> bool:
    """Whether it is the log of a void correction, or a note that repeats what is disputed."""
    if is_log(row):
        return _is_void(row, known)
    is_disputed_itself = row.meta is not None and row.meta.status == DISPUTED
    if not known.disputed or is_disputed_itself or is_quote(row.text):
        return False
    said = meant(row.text)
    return any(statement <= said for statement in known.disputed)


def _is_void(row: Placed, known: CorrectedPairs) -> bool:
    """The heading of a section in the log begins with the id of its correction."""
    return bool(row.headings) and row.headings[-1].partition(" ")[0] in known.void


def stood(
    scored: Iterable[Scored],
    rows: Mapping[int, P],
    rules: StandingSettings,
    today: date,
    known: CorrectedPairs = NOTHING_CORRECTED,
) -> list[Stood]:
    """The items with their standing, best first; a replaced entry comes after its successor."""
    hits = [_stood(item, rows[item.id], rules, today, known) for item in scored]
    # The sorts that follow are stable: this order, by id, stays among equals.
    hits.sort(key=lambda hit: (-_uncut(hit), hit.scored.id))
    return behind_successors(hits, rows)


def _stood(
    item: Scored,
    row: Placed,
    rules: StandingSettings,
    today: date,
    known: CorrectedPairs,
) -> Stood:
    earned = tuple(standing(row, rules, today, known, itself=item.itself))
    return Stood(item, min(1.0, item.score * product(earned)), earned)


def _uncut(hit: Stood) -> float:
    """The score with all factors, also above 1: two good hits must not become a tie."""
    return hit.scored.score * product(hit.standing)


def behind_successors(found: Sequence[Stood], rows: Mapping[int, P]) -> list[Stood]:
    """The same hits; an entry that names its successor in `by=` comes after that one.

    It gets at most the score of its successor, so that scores still fall. In a circle of
    successors, all keep their places.
    """
    by_key = {key: hit for hit in reversed(found) if (key := rows[hit.scored.id].key)}
    after = {
        hit.scored.id: by_key[meta.by]
        for hit in found
        if (meta := rows[hit.scored.id].meta) and meta.status in REPLACED and meta.by in by_key
    }
    if not after:
        return sorted(found, key=lambda hit: -hit.score)
    placed = [(hit, *_fallen(hit, after)) for hit in found]
    placed.sort(key=lambda place: (-place[1], place[2]))
    return [hit._replace(score=score) for hit, score, _ in placed]


# Not inside the other function: one that calls itself keeps what it sees until Python looks for it.
def _fallen(
    hit: Stood, after: Mapping[int, Stood], before: frozenset[int] = frozenset()
) -> tuple[float, int]:
    """The score that a hit may have by those that it comes `after`, and how many these are."""
    ident = hit.scored.id
    if ident not in after or ident in before:
        return hit.score, 0
    limit, steps = _fallen(after[ident], after, before | {ident})
    return min(hit.score, limit), steps + 1


def reordered(found: Sequence[Stood], relevance: Sequence[float]) -> list[Stood]:
    """The first hits in the order of their scores and a reranker's together, the others after them.

    `relevance` is that of the first hits. Each takes the score of its new place, so that scores
    still fall and mean the same. The chance of a hit says whether it is still likely.
    """
    first = len(relevance)
    judged = [_judged(*pair) for pair in zip(found[:first], relevance, strict=True)]
    scores = sorted((hit.score for hit in judged), reverse=True)
    judged.sort(key=lambda hit: -(hit.score + JUDGED * (hit.chance or 0.0)))
    return [
        *(hit._replace(score=score) for hit, score in zip(judged, scores, strict=True)),
        *(hit._replace(doubted=not hit.scored.meant) for hit in found[first:]),
    ]


def _judged(hit: Stood, chance: float) -> Stood:
    is_doubted = chance < DOUBTED and not hit.scored.meant
    return hit._replace(chance=chance, doubted=is_doubted, believed=chance >= ANSWERS)
