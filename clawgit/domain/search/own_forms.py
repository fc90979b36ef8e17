"""Words that are one word to the index, since they have one stem there, and are not one: “invoice”
and “invocations”, “Nichte” and “nicht”.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from clawgit.domain.search.lexicon import Words, is_grammar
from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.snippet import stem
from clawgit.domain.search.terms import words as words_of
from clawgit.language.lazily import lazily

_BEGINNING = 2
"""Letters that words of one stem share: “fly” and “flies”."""

_ACCENTED = lazily("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]")

_LONGEST_ENDING = 2
"""Letters that a word of grammar lacks which has the stem of another word: “nicht”, “seit”."""

OWN = 2.0
BENT = 1.6
OTHER = 0.7
"""As the cosine of a near word: one as it is written, another form of it, and what only has its
stem.
"""


def meant_exactly(question: SearchQuestion, listed: Words) -> Iterator[Sequence[str]]:
    """The words of a question that others may have the stem of, each with its forms."""
    is_brief = question.is_brief
    for forms in question.words:
        if _is_stemmed(forms[0]) and (is_brief or _is_beside_grammar(forms[0], listed)):
            yield forms


def nearness(text: str, forms: Sequence[str], listed: Words) -> float:
    """How near a text is to a word, of which it has the stem."""
    has = _like(text, forms)
    if not has.isdisjoint(forms):
        return OWN
    bent = {*map(stem, forms)}
    same = (word for word in has if stem(word) in bent)
    return BENT if any(not is_grammar(listed.known(word)) for word in same) else OTHER


def _like(text: str, forms: Sequence[str]) -> frozenset[str]:
    """The words of a text among which those are that have the stem of a word."""
    has = frozenset(_alike(text.lower(), forms))
    if not has.isdisjoint(forms):
        return has
    # “LumberFi” has the word “lumber”.
    return has.union(words_of(text)) if _begins(has, forms) or _ACCENTED.search(text) else has


def _begins(words: Iterable[str], beginnings: Sequence[str]) -> bool:
    return any(word.startswith(tuple(beginnings)) for word in words)


def _alike(text: str, forms: Sequence[str]) -> list[str]:
    """The words of a text that begin like one of the forms: all that have its stem."""
    beginnings = dict.fromkeys(re.escape(form[:_BEGINNING]) for form in forms)
    return _beginning("|".join(beginnings)).findall(text)


@lru_cache(maxsize=32)
def _beginning(letters: str) -> re.Pattern[str]:
    """Without what stands before a word, a text is searched five times as fast."""
    return re.compile(f"(?:{letters})[a-z]*")


def _is_stemmed(word: str) -> bool:
    return word.isascii() and word.isalpha()


def _is_beside_grammar(word: str, listed: Words) -> bool:
    """Whether a word is one of grammar but for its last letters, and none itself."""
    if not listed.language or is_grammar(listed.known(word)):
        return False
    shorter = (word[:end] for end in range(max(1, len(word) - _LONGEST_ENDING), len(word)))
    return any(is_grammar(listed.known(each)) for each in shorter)
