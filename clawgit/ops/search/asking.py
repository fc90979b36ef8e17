"""Asks an index one question: reads it, finds its words and what is near in meaning, and ranks."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from clawgit.config.settings import Settings
from clawgit.domain.corrections.disputed import is_quote
from clawgit.domain.corrections.pairs import CorrectedPairs
from clawgit.domain.facts.origins import origins
from clawgit.domain.markdown.placeholders import is_blank
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.search.evidence import FIRST, chance, evidence
from clawgit.domain.search.folding import folded
from clawgit.domain.search.lexicon import (
    Known,
    Lexicon,
    WordVectors,
    near_words,
    no_lexicon,
    no_vectors,
    telling,
)
from clawgit.domain.search.names import (
    MARKERS,
    NO_BOOK,
    Name,
    NameBook,
    book_of,
    named,
    names_of,
    other_names,
    spoken,
)
from clawgit.domain.search.question import SearchQuestion, read_question
from clawgit.domain.search.ranking import (
    GatheredMatches,
    Postings,
    RankingLayout,
    Scored,
    gather,
    items_of,
    rank,
    rare_first,
    selects,
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
from clawgit.domain.search.slips import repairs
from clawgit.domain.search.snippet import FRONT
from clawgit.domain.search.wording import reworded
from clawgit.domain.workspace.tiers import dated
from clawgit.ops.search.vector_search import NO_MEANING, VectorSide
from clawgit.ops.workspace.our_templates import boilerplate
from clawgit.stores.index.live import File
from clawgit.stores.index.reading import IndexReader, ItemRow
from clawgit.stores.index.sources import PROFILE

if TYPE_CHECKING:
    from clawgit.domain.search.query_intent import Test  # 30 ms of patterns

_POOL = 40
"""Items found by words, and by meaning, that are ranked; besides as many as are shown."""

_WIDE_POOL = 2000
"""The same for a search that is narrowed to some kinds of items."""

_MOST_REWORDED = 500
"""Items whose words are compared one by one."""

_MOST_QUOTES = 12
"""Lines behind a disputed entry among which its quotes are looked for."""

_MOST_GIVING = 400
"""Items with a sign of another name that are read for it, those with the rarest sign first."""

_JUDGED = 20
"""Hits that a reranker orders. One of them takes it longer than all the rest of a search."""


class Narrowing(NamedTuple):
    """`tests` are tried in turn until something passes.

    `intent` is what was read into the question, in words; a `demanded` category is never given up.
    """

    tests: tuple["Test", ...] = ()
    intent: Mapping[str, str] | None = None
    note: str = ""
    demanded: str = ""


class LookedUp(NamedTuple):
    """A question to an index, read and looked up."""

    question: SearchQuestion
    gathered: GatheredMatches
    book: NameBook
    vectors: WordVectors


class Ranked(NamedTuple):
    """The hits, best first, and the rows of all that was looked at.

    `under` has for some hits the items that say the same. `chance` is that of the question being
    answered, None where it cannot be told.
    """

    hits: list[Stood]
    rows: Mapping[int, ItemRow]
    under: Mapping[int, tuple[int, ...]] = {}
    chance: float | None = None

    def also(self, item: int) -> tuple[str, ...]:
        """The places of what says the same as a hit."""
        same = (self.rows[other] for other in self.under.get(item, ()))
        return tuple(f"{row.path}:{row.line}" for row in same)


Aliases = Mapping[str, tuple[str, ...]]
"""Other names of a word."""

Relevance = Callable[[str, Sequence[str]], list[float]]
"""How well each of these texts answers a question, by a reranker."""

PutRight = Callable[[], CorrectedPairs]
"""What the operator has set right; called if a hit is a correction."""


def look_up(
    index: IndexReader,
    text: str,
    now: datetime,
    zone: tzinfo | None,
    aliases: Aliases,
    lexicon: Lexicon = no_lexicon,
    book: NameBook = NO_BOOK,
    vectors: WordVectors = no_vectors,
) -> LookedUp:
    """Reads a question and finds its words. Unknown words are replaced by close ones."""
    question = read_question(text, now, zone, {**other_names(text, book.groups), **aliases})
    counts = _counted(index, question)
    unknown = [word for word, count in counts.items() if not count]
    question = question._replace(unknown=frozenset(unknown))
    # A word of the list is spelled right.
    if other := repairs((word for word in unknown if not lexicon(word)), index.vocabulary):
        question = question.repaired(other)
        counts = _counted(index, question)
    known = {forms[0]: lexicon(forms[0]) for forms in question.words}
    found = _found(index, question, counts, known)
    items = items_of(found)
    extents = index.extents(items)
    opens = {item: extents.opens[item] for item in items & extents.opens.keys()}
    days = _days_of(index.files()) if question.days else []
    layout = RankingLayout(extents.lengths, index.average, extents.bonds, opens, days)
    return LookedUp(question, gather(question, found, layout), book, vectors)


def names_in(index: IndexReader, texts: Iterable[str]) -> NameBook:
    """The names that the memory gives, and those in these texts; the same for all questions."""
    counts = index.frequencies(MARKERS)
    chosen = sorted(
        (word for word in MARKERS if selects(counts.get(word, 0))), key=counts.__getitem__
    )
    giving = dict.fromkeys(item for word in chosen for item in index.postings(word))
    return book_of(index.rows([*giving][:_MOST_GIVING]), texts)


def _days_of(files: Sequence[File]) -> list[tuple[date, int, int]]:
    """The days of dated notes, each with the items of the note."""
    return [
        (day, file.first, file.first + file.items) for file in files if (day := dated(file.path))
    ]


def _tells_something(scored: Scored, row: ItemRow) -> bool:
    """Whether an item is an answer at all.

    What a template says is none, nor is a line of a profile that nobody filled in. A heading, and a
    fact of the organizer's, must match by itself: standing beside a match is not enough.
    """
    if row.text in boilerplate() or (row.source == PROFILE and is_blank(row.text)):
        return False
    return scored.itself or (row.kind != "heading" and not origins(row.meta))


def rank_all(
    index: IndexReader,
    asked: LookedUp,
    settings: Settings,
    today: date,
    side: VectorSide = NO_MEANING,
    relevance: Relevance | None = None,
    put_right: PutRight = CorrectedPairs,
    only: "Test | None" = None,
) -> Ranked:
    """Ranks what words or meaning found, drops what does not fit, and weighs age and corrections.

    `only` says which items are meant at all. Then many more are looked at, so that a rare kind
    is found among all.
    """
    count = (_POOL if only is None else _WIDE_POOL) + settings.max_results
    gathered, weights = asked.gathered, _weights(settings)
    called = spoken(asked.question, asked.book.names)
    pool = dict.fromkeys((*gathered.best(count), *called))
    if side.cosines is not None:
        pool |= dict.fromkeys(side.cosines.nearest(count))
    rows = {row.id: row for row in _meant(index, index.rows(pool), only)}
    texts = _texts(rows)
    names = _names(asked.book, rows.values())
    meant = named(asked.question, spoken(asked.question, names), names, texts)
    likeness = side.likeness([*pool])
    said = _said(gathered, texts, side, weights)
    ranked = rank(asked.question, said, texts, likeness, weights, meant)
    saying = [scored for scored in ranked if _tells_something(scored, rows[scored.id])]
    # Where only some items are meant, it is they that are asked for, and less their words.
    likely = _chance(index, asked, saying, texts, side) if only is None else None
    # By meaning it refused one right answer in five of text that nobody had read, and hardly a
    # question without one: there the chance is told, and decides nothing.
    fitting = passing(saying, settings.min_score, likely if side.cosines is None else None)
    hits = _in_order(index, asked, stood(fitting, rows, settings, today), rows, settings, relevance)
    if any(is_correction(rows[hit.scored.id]) for hit in hits):
        hits = behind_corrections(hits, rows, put_right())
    hits, under = folded(hits, rows)
    if settings.mmr:
        hits = diverse(hits, _texts(rows).__getitem__, settings.max_results)
    return Ranked(hits, rows, under, likely)


def _said(
    gathered: GatheredMatches, texts: Mapping[int, str], side: VectorSide, weights: Weights
) -> GatheredMatches:
    """What was gathered, in other words too where the model compares words.

    A narrowed search looks at so many items that this would take long.
    """
    if side.alike is None or len(texts) > _MOST_REWORDED:
        return gathered
    return reworded(gathered, texts, side.alike, weights)


def _chance(
    index: IndexReader,
    asked: LookedUp,
    found: Sequence[Scored],
    texts: Mapping[int, str],
    side: VectorSide,
) -> float | None:
    """How likely it is that one of the first of these answers; None where it cannot be told."""
    if side.weights is None:
        return None
    first = [(scored, texts[scored.id]) for scored in found[:FIRST]]
    held = evidence(asked.gathered, first, index.count, asked.vectors)
    return None if held is None else chance(held, side.weights)


def _in_order(
    index: IndexReader,
    asked: LookedUp,
    hits: list[Stood],
    rows: dict[int, ItemRow],
    settings: Settings,
    relevance: Relevance | None,
) -> list[Stood]:
    """The hits with the operator's quotes behind their entries, each once, and reranked."""
    if quotes := _quotes(index, hits, rows):
        hits = with_quotes(hits, quotes, settings.correction_relevance_boost)
    hits = once(hits, rows)
    if not relevance or not hits:
        return hits
    texts = _texts(rows)
    judged = relevance(asked.question.text, [texts[hit.scored.id] for hit in hits[:_JUDGED]])
    return behind_successors(reordered(hits, judged), rows)


def _names(book: NameBook, rows: Iterable[ItemRow]) -> Mapping[int, tuple[Name, ...]]:
    """The names of the items in the book, and of notes among these rows by their front matter."""
    fronts = {row.id: own for row in rows if row.kind == FRONT and (own := names_of(row))}
    return {**book.names, **fronts}


def _texts(rows: Mapping[int, ItemRow]) -> dict[int, str]:
    return {ident: row.text for ident, row in rows.items()}


def _meant(index: IndexReader, rows: Sequence[ItemRow], only: "Test | None") -> Sequence[ItemRow]:
    """The items that are meant. What the front matter of a note says holds for all of the note:
    its tags are those of each line.
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
    asked: LookedUp,
    settings: Settings,
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
    ranked = rank(asked.question, asked.gathered, _texts(rows), likeness, _weights(settings))
    return [(rows[scored.id], scored.base) for scored in ranked]


def _quotes(
    index: IndexReader, hits: Sequence[Stood], rows: dict[int, ItemRow]
) -> dict[int, list[int]]:
    """The operator's quotes right behind the disputed entries among the hits.

    They are added to the rows.
    """
    quotes: dict[int, list[int]] = {}
    for ident in [hit.scored.id for hit in hits]:
        entry = rows[ident]
        if not _is_disputed(entry):
            continue
        for row in index.rows(range(ident + 1, ident + 1 + _MOST_QUOTES)):
            if _is_quote_of(row, entry):
                rows[row.id] = row
                quotes.setdefault(ident, []).append(row.id)
    return quotes


def _is_disputed(row: ItemRow) -> bool:
    if row.meta is None or row.meta.status != DISPUTED:
        return False
    return not is_quote(row.text)


def _is_quote_of(row: ItemRow, entry: ItemRow) -> bool:
    return row.path == entry.path and row.key == entry.key and is_quote(row.text)


def _weights(settings: Settings) -> Weights:
    return WEIGHTS._replace(meaning=settings.vector_weight, words=settings.keyword_weight)


def _counted(index: IndexReader, question: SearchQuestion) -> dict[str, int]:
    """In about how many items each word of the question stands, in any of its forms."""
    counts = index.frequencies(form for forms in question.words for form in forms)
    return {forms[0]: sum(counts.get(form, 0) for form in forms) for forms in question.words}


def _found(
    index: IndexReader,
    question: SearchQuestion,
    counts: Mapping[str, int],
    known: Mapping[str, Known | None],
) -> tuple[Postings, ...]:
    """Rare words are looked up everywhere, common ones only beside these."""
    rare, common = rare_first(counts)
    forms = {words[0]: words for words in question.words}
    among = [form for word in rare for form in forms[word]]
    where = {word: _standing(index, forms[word]) for word in rare}
    where |= {word: _standing(index, forms[word], among) for word in common}
    asked = {form for words in question.words for form in words}
    near = _near(index, {word: known[word] for word in forms if word not in common}, asked)
    return tuple(
        Postings(
            word,
            weight(word, counts[word], index.count, telling(known[word])),
            where.get(word, ()),
            word in common,
            forms[word],
            near.get(word, ()),
        )
        for word in forms
    )


def _near(
    index: IndexReader, known: Mapping[str, Known | None], asked: AbstractSet[str]
) -> dict[str, tuple[tuple[float, Sequence[int]], ...]]:
    """For each word, where the words stand that mean nearly the same, with their cosines."""
    near = near_words(known, asked)
    counts = index.frequencies({other for others in near.values() for other, _ in others})
    where = {other: index.postings(other) for other, count in counts.items() if selects(count)}
    return {
        word: tuple((cosine, where[other]) for other, cosine in others if other in where)
        for word, others in near.items()
    }


def _standing(index: IndexReader, forms: Sequence[str], among: Sequence[str] = ()) -> list[int]:
    if len(forms) == 1:
        return index.postings(forms[0], among)
    return sorted({item for form in forms for item in index.postings(form, among)})
