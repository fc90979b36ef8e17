"""Ranks what a prepared question finds in an index, by words and by meaning."""

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import date
from itertools import takewhile
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.corrections.disputed import is_quote
from clawgit.domain.corrections.pairs import NOTHING_CORRECTED, CorrectedPairs
from clawgit.domain.facts.confidence import origins
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.search.fitting import near_passing, reaching
from clawgit.domain.search.folding import (
    NOTHING_UNDER,
    Folded,
    Under,
    folded,
    once,
)
from clawgit.domain.search.ranking import Scored, rank
from clawgit.domain.search.ranking_standing import (
    Stood,
    behind_corrections,
    behind_successors,
    is_correction,
    stood,
    with_quotes,
)
from clawgit.domain.search.ranking_weights import WEIGHTS
from clawgit.domain.search.snippet import FRONT
from clawgit.ops.search.filled import is_filled
from clawgit.ops.search.preparing import PreparedQuestion
from clawgit.ops.search.reranking import Reranking
from clawgit.ops.search.vector_search import NO_MEANING, VectorSide
from clawgit.stores.index.reading import IndexReader, ItemRow

if TYPE_CHECKING:
    from clawgit.domain.search.query_intent import Test  # 30 ms of patterns

POOL = 40
"""How many items by words, and by meaning, are ranked, in addition to those that are shown."""

_PAGE = 6
"""Hits of a usual answer."""

_PAGES = 20

_WIDE_POOL = 2000
"""The same for a search that is narrowed to some kinds of items."""

_MOST_QUOTES = 12
"""How many lines after a disputed entry are searched for its quotes."""


class Narrowing(NamedTuple):
    """`tests` are tried in turn until something passes.

    `intent` says what was derived from the question; a `demanded` category or tag is never
    dropped. `tag` is what is demanded if that is no category.
    """

    tests: tuple["Test", ...] = ()
    intent: Mapping[str, str] | None = None
    note: str = ""
    demanded: str = ""
    tag: str = ""


def narrowed(ranked: "Callable[[Test | None], Ranked]", narrowing: Narrowing) -> "Ranked":
    """The hits that pass the strictest test that any hit passes."""
    tests: list[Test | None] = [*narrowing.tests]
    if not narrowing.demanded:
        tests.append(None)
    for test in tests[:-1]:
        answer = ranked(test)
        if answer.reaching:
            return answer
    return ranked(tests[-1])


MOST_TOGETHER = 4
"""So many lines of a section are shown as one hit; the next of them begins another."""


def section(row: ItemRow) -> tuple[str, tuple[str, ...]]:
    return row.path, row.headings


class Ranked(NamedTuple):
    """The hits, best first, and the rows of all that was looked at.

    `under` has for some hits the items that say the same. `reaching` are the hits up to the last
    one that reaches the least score that was asked for.
    """

    hits: list[Stood]
    rows: Mapping[int, ItemRow]
    under: Under = NOTHING_UNDER
    reaching: int = 0

    def is_whole(self, count: int) -> bool:
        """Whether lines with the full score fill a page of so many hits."""
        whole = takewhile(lambda hit: hit.score >= 1, self.hits)
        lines = Counter(section(self.rows[hit.scored.id]) for hit in whole)
        return sum(ceil(some / MOST_TOGETHER) for some in lines.values()) >= count

    def also(self, item: int) -> tuple[str, ...]:
        """The places of the items that say the same as a hit."""
        same = (self.rows[other] for other in self.under.get(item, ()))
        return tuple(f"{row.path}:{row.line}" for row in same)


RerankerFor = Callable[[], Reranking | None]
"""Loads the reranker for the question; None if it does not read it."""

PutRight = Callable[[], CorrectedPairs]
"""Returns what the operator has corrected; called if a hit calls itself a correction."""


def _tells_something(index: IndexReader, scored: Scored, row: ItemRow) -> bool:
    """Whether an item is an answer at all.

    Text of a template is none, nor is a profile's line that nobody filled in. A heading, or a fact
    of the organizer, must match by itself: being next to a match is not enough. A heading must have
    a word of the question: one or two words are near anything in meaning.
    """
    if not is_filled(index, row):
        return False
    if row.kind == "heading":
        return scored.itself and scored.parts.words > 0
    return scored.itself or not origins(row.meta)


def page(settings: Settings) -> int:
    """How many hits are looked for at least, so that those that are shown do not depend on how many
    are.
    """
    return max(settings.max_results, _PAGE)


def looked_at(most: int) -> int:
    """How many items are ranked by words, and by meaning: as many for up to 20 hits, so that the
    first ones are the same.
    """
    return POOL + (most if most > _PAGES else _PAGE)


def may_do_without_meaning(asked: PreparedQuestion, settings: Settings) -> bool:
    """Whether the hits that are shown may all have the question in full.

    Words and meaning together give no more than that.
    """
    return asked.gathered.has_whole(page(settings))


def rank_all(
    index: IndexReader,
    asked: PreparedQuestion,
    settings: Settings,
    today: date,
    side: VectorSide = NO_MEANING,
    reranker: RerankerFor | None = None,
    read_corrections: PutRight = CorrectedPairs,
    only: "Test | None" = None,
) -> Ranked:
    """Ranks what words or meaning found, drops what does not match, and weighs age and corrections.

    `only` says which items count at all. Then many more are looked at, so that a rare kind is
    found.
    """
    count = _WIDE_POOL + page(settings)
    if only is None:
        count = looked_at(settings.max_results)
    rows, saying = _saying(index, asked, side, only, count)
    fitting = near_passing(saying, settings.min_score, settings.max_results)
    may_be = any(_rests_on_the_log(rows[scored.id]) for scored in fitting)
    known = read_corrections() if may_be else NOTHING_CORRECTED
    hits = stood(fitting, rows, settings, today, known)
    hits, same = _each_once(index, hits, rows, settings, known)
    if reranker is not None and hits and (reranking := reranker()):
        hits = behind_successors(reranking.ordered(asked.question, hits, rows), rows)
    if may_be:
        hits = behind_corrections(hits, rows, known)
    hits, under = folded(hits, rows, same)
    return Ranked(hits, rows, under, reaching(hits, settings.min_score))


def _saying(
    index: IndexReader,
    asked: PreparedQuestion,
    side: VectorSide,
    only: "Test | None",
    count: int,
) -> tuple[dict[int, ItemRow], list[Scored]]:
    """The rows of what is looked at, and what of it says something, best first. `count` are looked
    at by words, and as many by meaning.
    """
    weights = WEIGHTS
    pool = dict.fromkeys(asked.gathered.best(count))
    if side.cosines is not None:
        pool |= dict.fromkeys(side.cosines.nearest(count))
    rows = {row.id: row for row in _meant(index, index.rows(pool), only)}
    texts = _texts(rows)
    index.extents(rows)  # for what meaning alone found: which are turns of a conversation
    likeness = side.likeness([*pool])
    ranked = rank(asked.question, asked.gathered, texts, likeness, weights)
    return rows, [scored for scored in ranked if _tells_something(index, scored, rows[scored.id])]


def _each_once(
    index: IndexReader,
    hits: Sequence[Stood],
    rows: dict[int, ItemRow],
    settings: Settings,
    known: CorrectedPairs,
) -> Folded:
    """The hits, each once. A disputed entry is followed by the operator's quotes about it."""
    if quotes := _quotes(index, hits, rows, known):
        hits = with_quotes(hits, quotes, settings.correction_relevance_boost)
    return once(hits, rows)


def _texts(rows: Mapping[int, ItemRow]) -> dict[int, str]:
    return {ident: row.text for ident, row in rows.items()}


def _meant(index: IndexReader, rows: Sequence[ItemRow], only: "Test | None") -> Sequence[ItemRow]:
    """The items that count.

    Front matter holds for the whole note: its tags are those of each line.
    """
    if only is None:
        return rows
    first = index.rows({row.first for row in rows})
    fronts = {row.id: row.text for row in first if row.kind == FRONT}

    def is_meant(row: ItemRow) -> bool:
        if only(row):
            return True
        front = fronts.get(row.first)
        return front is not None and only(row._replace(text=f"{row.text} {front}"))

    return [row for row in rows if is_meant(row)]


def rate(
    index: IndexReader,
    asked: PreparedQuestion,
    paths: Container[str],
    side: VectorSide = NO_MEANING,
) -> list[tuple[ItemRow, float]]:
    """How well each item of these files answers, best first, regardless of all other files."""
    ids = [
        at
        for file in index.files()
        if file.path in paths
        for at in range(file.first, file.first + file.items)
    ]
    rows = {row.id: row for row in index.rows(ids)}
    likeness = side.likeness([*rows]) if rows else None
    weights = WEIGHTS
    index.extents(rows)
    ranked = rank(asked.question, asked.gathered, _texts(rows), likeness, weights)
    return [(rows[scored.id], scored.base) for scored in ranked]


def _quotes(
    index: IndexReader, hits: Sequence[Stood], rows: dict[int, ItemRow], known: CorrectedPairs
) -> dict[int, list[int]]:
    """The operator's quotes right after the disputed entries among the hits, if the log has them.

    They are added to the rows.
    """
    quotes: dict[int, list[int]] = {}
    for ident in [hit.scored.id for hit in hits]:
        entry = rows[ident]
        if not _is_disputed(entry):
            continue
        for row in index.rows(range(ident + 1, ident + 1 + _MOST_QUOTES)):
            if _is_quote_of(row, entry) and known.proves(row.text):
                rows[row.id] = row
                quotes.setdefault(ident, []).append(row.id)
    return quotes


def _rests_on_the_log(row: ItemRow) -> bool:
    """Whether what the log says decides how much an item counts."""
    return is_correction(row) or _is_disputed(row)


def _is_disputed(row: ItemRow) -> bool:
    if row.meta is None or row.meta.status != DISPUTED:
        return False
    return not is_quote(row.text)


def _is_quote_of(row: ItemRow, entry: ItemRow) -> bool:
    return row.path == entry.path and row.key == entry.key and is_quote(row.text)
