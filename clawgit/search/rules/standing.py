"""Standing: what a line counts by its age, its confidence and the operator's corrections."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import repeat
from typing import Protocol, TypeVar

from clawgit.core.config.settings import Settings
from clawgit.core.markdown.comment import CORRECTED, DISPUTED, REPLACED, SUPERSEDED
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.tag_table import is_struck, tags_in
from clawgit.language.lazily import lazily
from clawgit.memory.rules.confidence import (
    BASE,
    CORRECTION,
    EXPLICIT,
    confidence,
    day_of,
    decay,
)
from clawgit.talk.rules.corrections import ARCHIVE
from clawgit.talk.rules.disputed import is_quote
from clawgit.talk.rules.pairs import (
    CorrectedPairs,
    Pair,
    meant,
    tells_right,
    tells_wrong,
)

CORRECTS = "correction"
"""The name of the factor that a correction of the operator's gets."""

VOID = "void"
"""The name of the factor of a correction that does not hold."""

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


def standing(
    row: Item,
    rules: Settings,
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
    for reason in (stale_reason(row), _doubt(row, known)):
        if reason:
            yield reason, _STALE


def stale_reason(row: Item) -> str:
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


def is_correction(row: Item) -> bool:
    """Whether an item calls itself a corrected statement. The other fields of its section do
    not.
    """
    if is_log(row):
        return not (_WRONG_FIELD.match(row.text) or _OTHER_FIELD.match(row.text))
    if row.meta and row.meta.src == CORRECTION:
        return True
    return "#" in row.text and "correction" in tags_in(row.text)


def _is_proven(row: Item, known: CorrectedPairs) -> bool:
    """Whether the log has the correction. Of lines of the log, those that are void come last."""
    return is_log(row) or known.proves(row.text)


def is_bookkeeping(row: Item) -> bool:
    """Whether a line of the log of corrections tells only how the correction came about."""
    return is_log(row) and _BOOKKEEPING.match(row.text) is not None


def is_log(row: Item) -> bool:
    """Whether an item stands in the log of corrections, or in its archive."""
    return row.source == "corrections" or row.path.startswith(ARCHIVE)


class Scored(Protocol):
    """A hit with its score."""

    @property
    def row(self) -> Item: ...
    @property
    def score(self) -> float: ...


S = TypeVar("S", bound=Scored)


def in_order(hits: Sequence[S], known: CorrectedPairs) -> list[tuple[S, float]]:
    """The hits with the scores that they may have, best first.

    An entry that was replaced never comes before its successor, nor a statement that the operator
    corrected before the right one, whether or not a comment marks it.
    """
    scores = [hit.score for hit in hits]
    after = [0] * len(hits)
    behind = [*_successors(hits), *_right_ones(hits, known)]
    # Each pass takes one more step along a chain; in a circle of successors, all fall alike.
    for _ in behind:
        before = [*scores], [*after]
        for late, early in behind:
            scores[late] = min(scores[late], scores[early])
            after[late] = max(after[late], min(after[early] + 1, len(behind)))
        if before == (scores, after):
            break
    # Of equal scores, the right statement comes first, and an entry before the log.
    order = sorted(
        range(len(hits)), key=lambda at: (-scores[at], after[at], is_log(hits[at].row), at)
    )
    return [(hits[at], scores[at]) for at in order]


def _successors(hits: Sequence[Scored]) -> Iterator[tuple[int, int]]:
    """The places of entries that were replaced, each with that of its successor."""
    by_key = {hit.row.key: at for at, hit in reversed([*enumerate(hits)]) if hit.row.key}
    for at, hit in enumerate(hits):
        meta = hit.row.meta
        if meta and meta.status in REPLACED and meta.by in by_key:
            yield at, by_key[meta.by]


def _right_ones(hits: Sequence[Scored], known: CorrectedPairs) -> Iterator[tuple[int, int]]:
    """The places of statements that were corrected, each with that of the best right one."""
    texts = [meant(hit.row.text) for hit in hits] if known.pairs else []
    for pair in known.pairs:
        wrong = _places(texts, pair, tells_wrong)
        if wrong and (right := _places(texts, pair, tells_right)):
            best = max(right, key=lambda at: hits[at].score)
            yield from zip(wrong, repeat(best), strict=False)


def _places(
    texts: Sequence[frozenset[str]], pair: Pair, tells: Callable[[frozenset[str], Pair], bool]
) -> list[int]:
    return [at for at, text in enumerate(texts) if tells(text, pair)]


def _doubt(row: Item, known: CorrectedPairs) -> str:
    """Why a line counts less that nothing marks: it is the log of a void correction, or a note that
    repeats what is disputed.
    """
    if is_log(row):
        return VOID if _is_void(row, known) else ""
    return DISPUTED if known.disputed and _repeats_disputed(row, known) else ""


def _repeats_disputed(row: Item, known: CorrectedPairs) -> bool:
    is_disputed_itself = row.meta is not None and row.meta.status == DISPUTED
    if is_disputed_itself or is_quote(row.text):
        return False
    said = meant(row.text)
    return any(statement <= said for statement in known.disputed)


def _is_void(row: Item, known: CorrectedPairs) -> bool:
    """The heading of a section in the log begins with the id of its correction."""
    return bool(row.headings) and row.headings[-1].partition(" ")[0] in known.void
