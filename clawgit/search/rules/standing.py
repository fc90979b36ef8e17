"""Standing: what a line counts by its age, its confidence and the operator's corrections."""

from collections.abc import Callable, Container, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from clawgit.core.config.settings import Settings
from clawgit.core.markdown.comment import CORRECTED, DISPUTED, REPLACED, SUPERSEDED
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.tag_table import is_struck, tags_in, words_alone
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

if TYPE_CHECKING:
    from clawgit.talk.rules.pairs import Apart

_STALE = 0.5
"""What is left of the score of an entry that no longer holds. It is still found: a question may be
about the past."""

_QUOTED = lazily(r"[^“”\n]{0,60}: “([^\n]*)”\Z")

_DOUBT = 0.25
"""The share of a score that an entry without any confidence loses."""


class Corrected(NamedTuple):
    """The statements that the operator called right, or disputes others with, and whether another
    is wrong. A line that calls itself a correction is one if it is among the right ones: whoever
    edits a file can write its tag and its comment.
    """

    right: Container[str] = ()
    is_wrong: Callable[[str], bool] = lambda _: False
    apart: "Apart" = lambda _: iter(())
    """What says a wrong thing among some texts, beside what says the right one."""


NOTHING = Corrected()


def _statement(row: Item) -> str:
    """What a line says, without its tags, and who is quoted."""
    alone = words_alone(row.text)
    quoted = _QUOTED.match(alone)
    return quoted[1] if quoted else alone


def standing(
    row: Item,
    rules: Settings,
    today: date,
    known: Corrected,
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
    said = _statement(row)
    if itself and is_correction(row) and said in known.right:
        yield "correction", rules.correction_relevance_boost
    if reason := stale_reason(row) or (CORRECTED if known.is_wrong(said) else ""):
        yield reason, _STALE
    elif is_log(row) and said not in known.right:
        yield "unproven", _STALE


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
    return ""


def is_correction(row: Item) -> bool:
    """Whether an item calls itself a corrected statement."""
    if is_log(row) or (row.meta and row.meta.src == CORRECTION):
        return True
    return "#" in row.text and "correction" in tags_in(row.text)


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


def in_order(hits: Sequence[S], known: Corrected = NOTHING) -> list[tuple[S, float]]:
    """The hits with the scores that they may have, best first: an entry that was replaced never
    comes before its successor, nor what the operator called wrong before what says it right.
    """
    scores = [hit.score for hit in hits]
    behind = [*_successors(hits), *_right_ones(hits, known)]
    # Each pass takes one more step along a chain; in a circle of successors, all fall alike.
    for _ in behind:
        before = [*scores]
        for late, early in behind:
            scores[late] = min(scores[late], scores[early])
        if scores == before:
            break
    # Of equal scores, what holds comes first, and an entry before the log.
    replaced = {late for late, _ in behind}
    order = sorted(
        range(len(hits)), key=lambda at: (-scores[at], at in replaced, is_log(hits[at].row), at)
    )
    return [(hits[at], scores[at]) for at in order]


def _right_ones(hits: Sequence[Scored], known: Corrected) -> Iterator[tuple[int, int]]:
    """The places of wrong statements, each with that of the best right one."""
    for wrong, right in known.apart([hit.row.text for hit in hits]):
        if right:
            best = max(right, key=lambda at: hits[at].score)
            yield from ((at, best) for at in wrong)


def _successors(hits: Sequence[Scored]) -> Iterator[tuple[int, int]]:
    """The places of entries that were replaced, each with that of its successor."""
    by_key = {hit.row.key: at for at, hit in reversed([*enumerate(hits)]) if hit.row.key}
    for at, hit in enumerate(hits):
        meta = hit.row.meta
        if meta and meta.status in REPLACED and meta.by in by_key:
            yield at, by_key[meta.by]
