"""Words of the memory that are other forms of a word of the question, are made with it, or mean
nearly the same.

German joins words, and bends them in more ways than the stemmer of the index knows, which is made
for English. `language/data/_bending.toml` says how; a language without such rows needs none of it.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from clawgit.domain.search.lexicon import Known, Words, is_grammar
from clawgit.domain.search.question import SearchQuestion
from clawgit.language.files import BENDING, listed

_LEAST_STEM = 4
_LEAST_PART = 3
_TELLING_PART = 6
"""A word of so many letters tells what a longer one is about, whatever else that is made of:
“Therapie” in “Physiotherapie”.
"""

_LONGEST_END = 8
"""Letters that may follow the stem of a word."""

_MOST = 20

_NEARNESS = 1.2
"""As the cosine of a near word: it counts .6."""

_UNLISTED = Known(100_000)
"""A word that is in no list is rare."""


class Terms(NamedTuple):
    """The words of a memory in order, and one below the other, with a line break around each."""

    ordered: Sequence[str]
    lines: str

    def beginning(self, start: str) -> Iterator[str]:
        for at in range(bisect_left(self.ordered, start), len(self.ordered)):
            term = self.ordered[at]
            if not term.startswith(start):
                return
            if len(term) <= len(start) + _LONGEST_END:
                yield term

    def holding(self, part: str) -> Iterator[str]:
        at = self.lines.find(part)
        while at >= 0:
            start, end = self.lines.rfind("\n", 0, at) + 1, self.lines.find("\n", at)
            yield self.lines[start:end]
            at = self.lines.find(part, end)

    def of_stem(self, stem: str, language: str) -> Iterator[str]:
        return (term for term in self.beginning(stem) if stemmed(term, language) == stem)


def known_of(
    question: SearchQuestion, words: Words, terms_of_memory: Callable[[], Terms]
) -> dict[str, Known | None]:
    """What is known of each word of a question. In a language that bends its words, the near ones
    are those of the memory.
    """
    whole = question.whole(forms[0] for forms in question.words)
    known = {term: words.known(word) or words.known(term) for term, word in whole.items()}
    if not _rows("endings", words.language):
        return known
    terms = terms_of_memory()
    return {
        word: one
        if is_grammar(one)
        else _in_memory(one or _UNLISTED, kindred(word, words, terms), words, terms)
        for word, one in known.items()
    }


def terms_of(vocabulary: Iterable[str]) -> Terms:
    ordered = sorted(filter(str.isalpha, vocabulary))
    return Terms(ordered, "\n".join(("", *ordered, "")))


def _in_memory(known: Known, kin: Iterable[str], words: Words, terms: Terms) -> Known:
    found = dict.fromkeys(kin, _NEARNESS)
    for stem, cosine in known.near:
        for term in terms.of_stem(stem, words.language):
            found.setdefault(term, cosine)
    return known._replace(near=tuple(found.items()))


def kindred(word: str, words: Words, terms: Terms) -> list[str]:
    """The terms that are kindred to a word: those with its stem, those that are made with it, and
    those with the stem of a part of it.
    """
    language = words.language
    if not word.isalpha():
        return []
    found = dict.fromkeys(terms.of_stem(stemmed(word, language), language))
    if _rows("joints", language):
        if words.is_word(word) or len(stemmed(word, language)) >= _LEAST_STEM:
            for part in _cuts(word, language):
                made = (term for term in terms.holding(part) if _is_made_with(part, term, words))
                found |= dict.fromkeys(made)
        for part in _parts(word, words):
            found |= dict.fromkeys(terms.of_stem(stemmed(part, language), language))
        found.pop(word, None)
    return [*found][:_MOST]


def stemmed(word: str, language: str, least: int = _LEAST_STEM) -> str:
    """A word without its endings, of which two may follow each other; some letters are left."""
    ending = _ending(language, least)
    return ending.sub("", ending.sub("", word))


def _rows(name: str, language: str) -> tuple[str, ...]:
    """Without accents, as in the index, which may have taken an `s` off already."""
    return listed(BENDING, f"{name}_{language}")


@cache
def _ending(language: str, least: int) -> re.Pattern[str]:
    return re.compile(f"(?<=.{{{least}}})(?:{'|'.join(_rows('endings', language))})$")


def _cuts(word: str, language: str) -> Iterator[str]:
    """A word, and what is left without each ending that it may have."""
    yield word
    for ending in _rows("endings", language):
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_PART:
            yield word.removesuffix(ending)


def _is_made_with(part: str, term: str, words: Words) -> bool:
    """Whether a term begins or ends with a word, and the rest of it is a word, too."""
    before, _, after = term.partition(part)
    if not before:
        return _is_rest(after, part) or any(map(words.is_word, _without(after, words)))
    is_end = after == "" or after in _rows("endings", words.language)
    return is_end and (_is_rest(before, part) or _is_first(before, words))


def _is_rest(rest: str, part: str) -> bool:
    return len(part) >= _TELLING_PART and len(rest) >= _LEAST_PART


def _without(rest: str, words: Words) -> Iterator[str]:
    """What follows the first of two joined words, without what joins them."""
    for joint in _rows("joints", words.language):
        if rest.startswith(joint) and len(rest) - len(joint) >= _LEAST_PART:
            yield rest.removeprefix(joint)


def _is_first(part: str, words: Words) -> bool:
    return any(
        part.endswith(joint)
        and len(part) - len(joint) >= _LEAST_PART
        and words.is_word(part.removesuffix(joint))
        for joint in _rows("joints", words.language)
    )


def _parts(word: str, words: Words) -> tuple[str, ...]:
    """The two words of which a word is made, the last one as long as possible."""
    for start in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
        first, last = word[:start], word[start:]
        if words.is_word(last) and _is_first(first, words):
            return first.removesuffix("s"), last
    return ()
