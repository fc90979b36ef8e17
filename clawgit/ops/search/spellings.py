"""How the memory writes what a question writes in another way: with its unit, or in full."""

from collections.abc import Mapping

from clawgit.domain.search.beginnings import begins_in, begun, is_beginning, runs_of
from clawgit.domain.search.parted import in_one, phones
from clawgit.domain.search.postings import selects
from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.units import apart, is_unit
from clawgit.stores.index.reading import IndexReader

_MOST_READ = 500
"""So many items are read at most to see whether they have something as it was typed."""


def with_joined(index: IndexReader, question: SearchQuestion) -> SearchQuestion:
    """The question with what it has in parts also in one, if the memory has it so: a figure and its
    unit, a phone number. `814gb` is a form of both words of “814 GB”.
    """
    together = {figure + unit[0]: (figure, *unit) for figure, unit in apart(question.text)}
    numbers = phones(question.text)
    together |= {number: parts for parts in numbers for number in in_one(parts)}
    counts = index.frequencies(together)
    others: dict[str, tuple[str, ...]] = {}
    for word, parts in together.items():
        if counts.get(word):
            others |= {part: (*others.get(part, ()), word) for part in parts}
    return question.with_forms(others) if others else question


def with_identifiers(
    index: IndexReader, question: SearchQuestion, counts: Mapping[str, int]
) -> SearchQuestion:
    """The question with the identifiers that begin with one of its words, where no item has the
    word itself.
    """
    unknown = (word for word, count in counts.items() if not count and is_beginning(word))
    others = {word: _begun(index, word) for word in unknown}
    return question.with_forms(others) if any(others.values()) else question


def _begun(index: IndexReader, word: str) -> list[str]:
    """The words of the memory that begin with one, unless it is the beginning of too many lines to
    tell anything.
    """
    items = index.beginning([word])
    rows = index.rows(items) if selects(len(items)) else ()
    return begun(word, (text for row in rows for text in (row.text, *row.opens)))


def unwritten(
    index: IndexReader, question: SearchQuestion, unsaid: Mapping[str, str]
) -> dict[str, str]:
    """Those of the words in no item, and of what they were cut out of, that stand nowhere as they
    were typed either.
    """
    return {
        term: word
        for term, word in unsaid.items()
        if not (_stands(index, question.written(word)) or _is_unit(index, question, term))
    }


def _stands(index: IndexReader, typed: str) -> bool:
    """Whether an item has something that begins as it was typed."""
    runs = runs_of(typed)
    rows = index.rows(index.beginning(runs)[:_MOST_READ]) if runs else ()
    return any(begins_in(typed, text) for row in rows for text in (row.text, *row.opens))


def _is_unit(index: IndexReader, question: SearchQuestion, word: str) -> bool:
    """Whether a word is the unit of a figure in the question, and of one in the memory."""
    units = (unit for _, unit in apart(question.text) if word in unit)
    return any(is_unit(unit[0], index.vocabulary()) for unit in units)
