"""Looks up where the words of a question stand in an index."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from clawgit.domain.search.lexicon import Known, near_words, telling
from clawgit.domain.search.postings import (
    Postings,
    RankingLayout,
    items_of,
    rare_first,
    selects,
    weight,
)
from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.tongue import ENGLISH, Home
from clawgit.language.files import LAST_RESORT, SEARCH, codes, listed
from clawgit.stores.index.reading import IndexReader

Near = tuple[tuple[float, Sequence[int]], ...]
"""Items with words that are near to one, with the cosines of these."""


def counted(index: IndexReader, question: SearchQuestion) -> dict[str, int]:
    """In about how many items each word of the question is, in any of its forms."""
    counts = index.frequencies(form for forms in question.words for form in forms)
    return {forms[0]: sum(counts.get(form, 0) for form in forms) for forms in question.words}


def home(index: IndexReader) -> Home:
    """In how many items the commonest words of each language stand."""
    marks = {code: listed(SEARCH, f"telling_{code}") for code in codes()}
    counts = index.frequencies(chain(*marks.values()))
    return {
        ENGLISH if code == LAST_RESORT else code: sum(counts.get(word, 0) for word in words)
        for code, words in marks.items()
    }


def layout_of(index: IndexReader, found: Sequence[Postings]) -> RankingLayout:
    """Where what was found stands."""
    items = items_of(found)
    extents = index.extents(items)
    opens = {item: extents.opens[item] for item in items & extents.opens.keys()}
    return RankingLayout(extents.lengths, index.average, extents.bonds, opens)


def found_words(
    index: IndexReader,
    question: SearchQuestion,
    counts: Mapping[str, int],
    known: Mapping[str, Known | None],
) -> tuple[Postings, ...]:
    """The items with the words.

    Rare words are looked up everywhere, common ones only near these.
    """
    rare, common = rare_first(counts)
    forms = {words[0]: words for words in question.words}
    where = _where(index, forms, rare, common)
    asked = {form for words in question.words for form in words}
    near = _near(index, {word: known[word] for word in forms if word not in common}, asked)
    return tuple(
        Postings(
            word,
            weight(word, counts[word], index.of_all_sources, telling(known[word])),
            where.get(word, ()),
            word in common,
            forms[word],
            near.get(word, ()),
        )
        for word in forms
    )


def _where(
    index: IndexReader,
    forms: Mapping[str, Sequence[str]],
    rare: Sequence[str],
    common: Sequence[str],
) -> dict[str, Sequence[int]]:
    among = [form for word in rare for form in forms[word]]
    where: dict[str, Sequence[int]] = {word: _standing(index, forms[word]) for word in rare}
    return where | {word: _standing(index, forms[word], among) for word in common}


def _near(
    index: IndexReader, known: Mapping[str, Known | None], asked: AbstractSet[str]
) -> dict[str, Near]:
    """For each word, the items with words of nearly the same meaning, with their cosines."""
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
