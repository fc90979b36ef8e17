"""Prepares one question for an index: reads it, looks up its words, says which are missing."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from clawgit.domain.search.kindred import known_of, terms_of
from clawgit.domain.search.lexicon import Known, Lexicons, Words, is_grammar, no_lexicons
from clawgit.domain.search.postings import Postings, share_nowhere
from clawgit.domain.search.question import SearchQuestion, read_question
from clawgit.domain.search.ranking import GatheredMatches, gather
from clawgit.domain.search.slips import repairs
from clawgit.domain.search.terms import is_unspaced
from clawgit.ops.search.lookup import counted, found_words, home, layout_of
from clawgit.stores.index.reading import IndexReader

_MOST_LACKING = 0.33
"""The share of a question that may stand nowhere if an answer is called likely. Of real questions
above it, only one in four had a right hit in five.
"""


class PreparedQuestion(NamedTuple):
    """A question to an index, read and looked up. `missing` are its words that no item has in any
    form.
    """

    question: SearchQuestion
    gathered: GatheredMatches
    missing: tuple[str, ...] = ()
    words: Words = Words()


def prepare(
    index: IndexReader,
    text: str,
    lexicons: Lexicons = no_lexicons,
) -> PreparedQuestion:
    """Reads a question and finds its words. Unknown words are replaced by close ones."""
    words = lexicons(text, home(index))
    question = read_question(text, words)
    counts = counted(index, question)
    unknown = [word for word, count in counts.items() if not count]
    question = question._replace(unknown=frozenset(unknown))
    # A word in the list is spelled right.
    unlisted = [word for word in unknown if not words.known(word)]
    if other := repairs(unlisted, index.vocabulary, index.stems):
        question = question.repaired(other)
        counts = counted(index, question)
    known = known_of(question, words, lambda: index.of_vocabulary(terms_of))
    question = question._replace(near=_near_of(known))
    found = found_words(index, question, counts, known)
    layout = layout_of(index, found)
    unsaid = _unsaid(question, found, words)
    missing = tuple(dict.fromkeys(map(question.written, unsaid.values())))
    gathered = gather(question, found, layout)
    lacking = share_nowhere(found, unsaid, gathered.total, index.of_all_sources)
    gathered = gathered._replace(lacking=lacking > _MOST_LACKING)
    return PreparedQuestion(question, gathered, missing, words)


def _unsaid(question: SearchQuestion, found: Sequence[Postings], words: Words) -> Mapping[str, str]:
    """The words that stand nowhere, each with the whole it was cut from. In scripts without blanks,
    the whole must be in the list, since it may be no word at all.
    """
    nowhere = (one.word for one in found if one.is_nowhere)
    unknown = question.unknown.intersection(nowhere)
    asked = question.whole(forms[0] for forms in question.words if forms[0] in unknown)
    return {term: word for term, word in asked.items() if _is_missed(words.known(word), word)}


def _is_missed(known: Known | None, word: str) -> bool:
    return not is_unspaced(word) if known is None else not is_grammar(known)


def _near_of(known: Mapping[str, Known | None]) -> tuple[tuple[str, ...], ...]:
    """The near words of each word, once: the pairs of characters of one word share them."""
    return tuple(
        dict.fromkeys(tuple(word for word, _ in one.near) for one in known.values() if one)
    )
