"""Standing: what a line counts by its age, its confidence and the operator's corrections."""

from collections.abc import Callable, Container, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import ACTIVE, CORRECTED, DISPUTED, IN_USE, REPLACED, SUPERSEDED
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.tag_table import CORRECTION_TAG, is_struck, tags_in, words_alone
from clawgit.memory.rules.confidence import BASE, CORRECTION, EXPLICIT, confidence, day_of, decay
from clawgit.talk.rules.corrections import ARCHIVE
from clawgit.talk.rules.quotes import is_quote

if TYPE_CHECKING:
    from clawgit.talk.rules.pairs import Apart

_STALE = 0.5
"""What is left of the score of an entry that no longer holds. It is still found: a question may be
about the past."""

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


def _statement(row: Item) -> str:
    """What a line says, without its tags, and who is quoted."""
    alone = words_alone(row.text)
    quoted = frames.QUOTED.fullmatch(alone)
    return quoted[2] if quoted else alone


def standing(
    row: Item, rules: Settings, today: date, known: Corrected, *, itself: bool
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
    status = row.meta.status if row.meta else ACTIVE
    if status not in IN_USE:
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
    return "#" in row.text and CORRECTION_TAG in tags_in(row.text)


def is_log(row: Item) -> bool:
    """Whether an item stands in the log of corrections, or in its archive."""
    return row.source == "corrections" or row.path.startswith(ARCHIVE)


def ranked(
    rows: Sequence[Item], scores: Sequence[float], known: Corrected
) -> list[tuple[int, float]]:
    """The places of some hits with the scores that they may have, best first: an entry that was
    replaced never comes before its successor, nor what the operator called wrong before what says
    it right.
    """
    behind, held = [*_successors(rows), *_right_ones(rows, scores, known)], [*scores]
    age = [0 for _ in rows]
    # The successor rises, since a question may find the old words alone. Each pass takes one more
    # step along a chain; in a circle of successors, all rise alike.
    for _ in behind:
        before = [*held, *age]
        for late, early in behind:
            held[early] = max(held[early], held[late])
            age[late] = max(age[late], age[early] + 1)
        if [*held, *age] == before:
            break
    # Of equal scores, what holds comes first, then what it replaced, and an entry before the log.
    order = sorted(range(len(rows)), key=lambda at: (-held[at], age[at], is_log(rows[at]), at))
    return [(at, held[at]) for at in order]


def _right_ones(
    rows: Sequence[Item], scores: Sequence[float], known: Corrected
) -> Iterator[tuple[int, int]]:
    """The places of wrong statements, each with that of the best right one."""
    for wrong, right in known.apart([row.text for row in rows]):
        if right:
            best = max(right, key=scores.__getitem__)
            yield from ((at, best) for at in wrong)


def _successors(rows: Sequence[Item]) -> Iterator[tuple[int, int]]:
    """The places of what entries said that were replaced, each with that of the successor: a note
    may say it, too.
    """
    by_key = {row.key: at for at, row in reversed([*enumerate(rows)]) if row.key}
    behind = {_statement(row): by_key[by] for row in rows if (by := _successor(row)) in by_key}
    # Most answers hold nothing that was replaced: then no statement is read.
    if behind:
        said = enumerate(map(_statement, rows))
        yield from ((at, behind[words]) for at, words in said if words in behind)


def _successor(row: Item) -> str:
    return row.meta.by if row.meta and row.meta.status in REPLACED else ""
