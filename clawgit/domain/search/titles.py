"""What the headings say that items open: a heading speaks for all that stands under it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import compress, count

from clawgit.domain.search.bonds import unpacked
from clawgit.domain.search.postings import Postings, RankingLayout
from clawgit.domain.search.question_words import STOP
from clawgit.domain.search.terms import in_order, singular, words

_ENDING, _LEAST_STEM = 3, 3
"""A stemmer cuts off at most this many letters, and leaves at least this many."""

_KEPT = 8192
"""Titles whose words are kept: a question meets hundreds, and most are met again."""


def below_word(found: Postings, layout: RankingLayout) -> Iterator[int]:
    """The items below each heading that has a word, where the item that opens it holds the word."""
    stems = [f" {form[: max(len(form) - _ENDING, _LEAST_STEM)]}" for form in found.forms]
    opens = layout.opens
    for item in found.ids:
        if item in opens and _have_one(map(_words, opens[item]), stems):
            yield from section_from(item, layout)[1:]


def section_from(item: int, layout: RankingLayout) -> range:
    """The items of the section that an item opens, itself included."""
    return range(item, item + 1 + unpacked(layout.bonds[item]).headed)


def said_titles(
    found: Sequence[Postings], layout: RankingLayout
) -> Iterator[tuple[range, Sequence[int]]]:
    """The items of each section of whose title the question says every word, the opening one
    included, with the places of these words in the question.
    """
    rare = frozenset[int]().union(*(one.ids for one in found if not one.common))
    opening = layout.opens.keys() & rare
    said = _said_by({layout.opens[item][-1] for item in opening}, found)
    if not said:
        return
    for item in opening:
        if places := said.get(layout.opens[item][-1]):
            yield section_from(item, layout), places


def is_lone(item: int, layout: RankingLayout) -> bool:
    """Whether an item is all that stands under the heading that it opens."""
    return item in layout.opens and not unpacked(layout.bonds[item]).headed


def _said_by(titles: AbstractSet[str], found: Sequence[Postings]) -> dict[str, Sequence[int]]:
    """What each title that the question says says of it; notes of many days have the same ones."""
    asked = [singular(one.forms) for one in found]
    weights = [one.weight for one in found]
    cut = _of_words(titles, frozenset[str]().union(*asked))
    return {title: _said_in(words, asked, weights) for title, words in cut}


def _of_words(
    titles: AbstractSet[str], known: AbstractSet[str]
) -> Iterator[tuple[str, AbstractSet[str]]]:
    """The titles that have known words and no others, with their words."""
    every = "\n".join(titles).lower()
    # Before any of them is cut into words: in many memories all titles are days.
    if every.isascii() and not _have_one([every], known):
        return
    for title in titles:
        words = _telling(title)
        if words and words <= known:
            yield title, words


def _said_in(
    words: AbstractSet[str], asked: Sequence[AbstractSet[str]], weights: Sequence[float]
) -> Sequence[int]:
    """The places of the question's words that a title consists of; none if it is less than half of
    the question: `Memory` names no section.
    """
    places = [*compress(count(), map(words.__and__, asked))]
    is_much = 2 * sum(map(weights.__getitem__, places)) >= sum(weights)
    return places if is_much else ()


def _have_one(texts: Iterable[str], parts: Collection[str]) -> bool:
    """Whether one of the texts holds one of the parts."""
    return any(part in text for text in texts for part in parts)


@lru_cache(_KEPT)
def _words(title: str) -> str:
    """The words of a title, each after a blank."""
    return " ".join(("", *words(title)))


@lru_cache(_KEPT)
def _telling(title: str) -> frozenset[str]:
    """The words of a title that say something, figures left out."""
    return singular(word for word in in_order(title) if not (word in STOP or word.isdecimal()))
