"""One question to an index: what it asks, where its words stand, what is near in meaning, and how
all that ranks.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.corrections.disputed import is_quote
from clawgit.domain.corrections.pairs import SetRight
from clawgit.domain.facts.origins import origins
from clawgit.domain.markdown.comment import DISPUTED
from clawgit.domain.search.question import Question, read_question, repairs
from clawgit.domain.search.ranking import (
    Found,
    Gathered,
    Layout,
    Likeness,
    Scored,
    gather,
    rank,
    rare_first,
    weight,
)
from clawgit.domain.search.ranking_standing import (
    Stood,
    behind_corrections,
    behind_successors,
    diverse,
    is_correction,
    once,
    passing,
    reordered,
    stood,
    with_quotes,
)
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights
from clawgit.domain.search.snippet import FRONT
from clawgit.domain.workspace.tiers import dated
from clawgit.ops.search.boilerplate import boilerplate
from clawgit.stores.index.reading import IndexReader, Row

if TYPE_CHECKING:
    from clawgit.domain.search.query_intent import Test
    from clawgit.ops.search.vector_search import Cosines

_POOL = 40
"""Items of each side that are ranked, besides as many as are shown."""

_MOST_QUOTES = 12
_WIDE_POOL = 2000
"""The same, where only some items are meant."""

_JUDGED = 20
"""Hits that a reranker orders: what it takes for each is more than all the rest takes for all."""


class Asked(NamedTuple):
    """A question to an index, read and looked up."""

    question: Question
    gathered: Gathered


class Ranked(NamedTuple):
    """What fits, best first, and the rows of all that was looked at."""

    hits: list[Stood]
    rows: Mapping[int, Row]


Aliases = Mapping[str, tuple[str, ...]]
"""Other names of a word."""

Relevance = Callable[[str, Sequence[str]], list[float]]
"""How well each of these texts answers a question: what a reranker says."""


PutRight = Callable[[], SetRight]
"""What the operator has set right: asked for where a hit is a correction."""


def look_up(
    index: IndexReader, text: str, now: datetime, zone: tzinfo | None, aliases: Aliases
) -> Asked:
    """Reads a question and finds its words; those that stand nowhere are repaired where a word
    close by does.
    """
    question = read_question(text, now, zone, aliases)
    counts = _counted(index, question)
    if other := repairs((word for word, count in counts.items() if not count), index.vocabulary):
        question = question.repaired(other)
        counts = _counted(index, question)
    files = index.files()
    days = (
        {at: day for at, file in enumerate(files) if (day := dated(file.path))}
        if question.days
        else {}
    )
    found = _found(index, question, counts)
    layout = Layout(
        [file.first for file in files],
        [file.first + file.items for file in files],
        index.lengths({item for one in found for item in one.ids}),
        index.average,
        days,
    )
    return Asked(question, gather(question, found, layout))


def _tells_something(one: Scored, row: Row) -> bool:
    """A heading with nothing below it, or a fact of the organizer's, is no answer by standing
    beside one, and what a template says is none at all.
    """
    by_neighbours = row.kind != "heading" and not origins(row.meta)
    return (one.itself or by_neighbours) and row.text not in boilerplate()


def rank_all(
    index: IndexReader,
    asked: Asked,
    settings: Settings,
    today: date,
    cosines: "Cosines | None" = None,
    relevance: Relevance | None = None,
    put_right: PutRight = SetRight,
    only: "Test | None" = None,
) -> Ranked:
    """Ranks what words or meaning found, drops what does not fit, and orders it by its standing.
    `only` says which items are meant at all; it is asked of many more, so that few of a kind are
    found among all.
    """
    count = (_POOL if only is None else _WIDE_POOL) + settings.max_results
    pool = dict.fromkeys(asked.gathered.best(count))
    likeness = None
    if cosines is not None:
        pool |= dict.fromkeys(cosines.nearest(count))
        likeness = Likeness(cosines.cosines([*pool]), cosines.mean)
    rows = {row.id: row for row in _meant(index, index.rows(pool), only)}
    texts = {ident: row.text for ident, row in rows.items()}
    ranked = rank(asked.question, asked.gathered, texts, likeness, _weights(settings))
    fitting = [
        one for one in passing(ranked, settings.min_score) if _tells_something(one, rows[one.id])
    ]
    hits = stood(fitting, rows, settings, today)
    if quotes := _quotes(index, hits, rows):
        hits = with_quotes(hits, quotes, settings.correction_relevance_boost)
        texts = {ident: row.text for ident, row in rows.items()}
    hits = once(hits, rows)
    if relevance and hits:
        judged = relevance(asked.question.text, [texts[hit.scored.id] for hit in hits[:_JUDGED]])
        hits = behind_successors(reordered(hits, judged), rows)
    if any(is_correction(rows[hit.scored.id]) for hit in hits):
        hits = behind_corrections(hits, rows, put_right())
    return Ranked(
        diverse(hits, texts.__getitem__, settings.max_results) if settings.mmr else hits, rows
    )


def _meant(index: IndexReader, rows: Sequence[Row], only: "Test | None") -> Sequence[Row]:
    """The items that are meant. What the front matter of a note says holds for all of the note:
    its tags are those of each line.
    """
    if only is None:
        return rows
    first = index.rows({row.first for row in rows})
    fronts = {row.id: row.text for row in first if row.kind == FRONT}

    def is_meant(row: Row) -> bool:
        if only(row):
            return True
        front = fronts.get(row.first)
        return front is not None and only(row._replace(text=f"{row.text} {front}"))

    return [row for row in rows if is_meant(row)]


def rate(
    index: IndexReader,
    asked: Asked,
    settings: Settings,
    paths: Container[str],
    cosines: "Cosines | None" = None,
) -> list[tuple[Row, float]]:
    """How well each item of these files answers, best first, whatever else there is."""
    ids = [
        at
        for file in index.files()
        if file.path in paths
        for at in range(file.first, file.first + file.items)
    ]
    rows = {row.id: row for row in index.rows(ids)}
    likeness = (
        Likeness(cosines.cosines([*rows]), cosines.mean) if cosines is not None and rows else None
    )
    texts = {ident: row.text for ident, row in rows.items()}
    return [
        (rows[one.id], one.base)
        for one in rank(asked.question, asked.gathered, texts, likeness, _weights(settings))
    ]


def _quotes(
    index: IndexReader, hits: Sequence[Stood], rows: dict[int, Row]
) -> dict[int, list[int]]:
    """What the operator said against the entries that were found: it stands right behind them, and
    joins the rows.
    """
    found: dict[int, list[int]] = {}
    for ident in [hit.scored.id for hit in hits]:
        entry = rows[ident]
        if entry.meta is None or entry.meta.status != DISPUTED or is_quote(entry.text):
            continue
        for row in index.rows(range(ident + 1, ident + 1 + _MOST_QUOTES)):
            if row.path == entry.path and row.key == entry.key and is_quote(row.text):
                rows[row.id] = row
                found.setdefault(ident, []).append(row.id)
    return found


def _weights(settings: Settings) -> Weights:
    return WEIGHTS._replace(meaning=settings.vector_weight, words=settings.keyword_weight)


def _counted(index: IndexReader, question: Question) -> dict[str, int]:
    """In about how many items each word of the question stands, in any of its forms."""
    counts = index.frequencies(form for forms in question.words for form in forms)
    return {forms[0]: sum(counts.get(form, 0) for form in forms) for forms in question.words}


def _found(index: IndexReader, question: Question, counts: Mapping[str, int]) -> tuple[Found, ...]:
    """Rare words are looked up everywhere, common ones only beside these."""
    rare, common = rare_first(counts)
    forms = {words[0]: words for words in question.words}
    among = [form for word in rare for form in forms[word]]
    where = {word: _standing(index, forms[word]) for word in rare}
    where |= {word: _standing(index, forms[word], among) for word in common}
    return tuple(
        Found(word, weight(word, counts[word], index.count), where.get(word, ()), word in common)
        for word in forms
    )


def _standing(index: IndexReader, forms: Sequence[str], among: Sequence[str] = ()) -> list[int]:
    if len(forms) == 1:
        return index.postings(forms[0], among)
    return sorted({item for form in forms for item in index.postings(form, among)})
