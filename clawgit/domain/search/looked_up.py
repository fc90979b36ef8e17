"""Which items say what a question only looks up: a phrase in quotation marks, a word, a thing."""

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import reduce
from itertools import chain
from operator import and_

from clawgit.domain.search.postings import Postings, RankingLayout
from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.terms import identifiers, is_unspaced
from clawgit.domain.search.titles import below_word

Items = frozenset[int]


def looked_up(
    question: SearchQuestion,
    found: Sequence[Postings],
    layout: RankingLayout,
    quoting: Collection[int] = (),
) -> AbstractSet[int] | None:
    """The items that say all that is looked up; none of them if only parts of it are found. None
    for a question that asks.

    `quoting` are the items that hold it as it stands. If it is a file, they are those of the file,
    not those that mention it.
    """
    of_file = [one for one in found if one.is_file and question.quoted == (one.word.casefold(),)]
    if of_file:
        return frozenset(of_file[0].ids)
    if not question.looks_up:
        return None
    saying = [_saying(one, layout) for one in found]
    if any(is_unspaced(one.word) for one in found):
        return _of_pairs([*filter(None, saying)], quoting)
    if not found or _is_number(question, found):
        return frozenset(quoting)
    all_of_it = reduce(and_, _grouped(question, found, saying)) | {*quoting}
    return all_of_it or _synonymous(found)


def _of_pairs(known: Sequence[Items], quoting: Collection[int]) -> AbstractSet[int] | None:
    """The items with all pairs of characters that are known: not every pair is a word."""
    return (reduce(and_, known) or None) if known else frozenset(quoting)


def _saying(found: Postings, layout: RankingLayout) -> Items:
    return frozenset(chain(found.ids, found.kin, below_word(found, layout), found.named))


def _synonymous(found: Sequence[Postings]) -> Items:
    """The items with another word for the only one."""
    return frozenset(found[0].synonymous) if len(found) == 1 else frozenset()


def _is_number(question: SearchQuestion, found: Sequence[Postings]) -> bool:
    """Whether it is an address or a version of figures alone: in another order, it is another."""
    is_of_figures = all(one.word.isdecimal() for one in found)
    return bool(question.quoted) and len(found) > 1 and is_of_figures


def _grouped(
    question: SearchQuestion, found: Sequence[Postings], saying: Sequence[Items]
) -> Iterator[Items]:
    """The items of each word, and of each identifier those with all of it, in one or in parts."""
    said = {one.word: items for one, items in zip(found, saying, strict=True)}
    all_of_them = chain.from_iterable(map(identifiers, question.things()))
    in_parts = {word: parts for word, parts in all_of_them if word in said}
    parts = frozenset(chain.from_iterable(in_parts.values()))
    for word in said.keys() - parts:
        apart = [said[part] for part in in_parts.get(word, ()) if part in said]
        yield said[word] | reduce(and_, apart) if apart else said[word]
