"""Words of the memory that are other forms of a word of the question, or made with it.

German joins words, and bends them in more ways than the stemmer of the index knows, which is made
for English. `language/data/_search.toml` says how; a language without such rows needs none of it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from clawgit.domain.search.lexicon import Known, Words, is_grammar
from clawgit.domain.search.question import SearchQuestion
from clawgit.language.files import SEARCH, listed

_LEAST_STEM = 4
_LEAST_PART = 4
_MOST = 12

_NEARNESS = 1.2
"""As the cosine of a near word: it counts .6."""

_UNLISTED = Known(100_000)
"""A word that is in no list is rare."""

IsWord = Callable[[str], bool]

Near = tuple[tuple[str, float], ...]
"""Words of the memory, each with how near it is."""


def kindred_of(
    question: SearchQuestion, words: Words, vocabulary: Callable[[], Iterable[str]]
) -> dict[str, Near]:
    """What a memory has of the kindred of a question's words, if these are of such a language."""
    language = words.language
    if not _endings(language):
        return {}
    lines = "\n".join(("", *vocabulary(), ""))
    return {
        word: tuple((term, _NEARNESS) for term in kindred(word, language, lines, words.is_word))
        for word, *_ in question.words
        if not is_grammar(words.known(word))
    }


def with_kindred(known: Known | None, kin: Near) -> Known | None:
    """What is known of a word, with its kindred among the words that are near to it."""
    if not kin:
        return known
    rank, near = known or _UNLISTED
    return Known(rank, (*kin, *near))


def kindred(word: str, language: str, lines: str, is_word: IsWord) -> list[str]:
    """The terms of a vocabulary that are kindred to a word. `lines` has a line break before and
    after each term, so that all of them are looked through at once.
    """
    stem = stemmed(word, language)
    if not word.isalpha() or len(stem) < _LEAST_STEM:
        return []
    found = dict.fromkeys(_forms(stem, language, lines))
    for part in dict.fromkeys((word, stem)):
        found |= dict.fromkeys(
            term for term in _holding(part, lines) if _is_made_with(part, term, language, is_word)
        )
    for part in _parts(word, language, is_word):
        found |= dict.fromkeys(_forms(stemmed(part, language), language, lines))
    return [*found][:_MOST]


def stemmed(word: str, language: str) -> str:
    """A word without its endings, of which two may follow each other; at least four letters are
    left.
    """
    ending = _ending(language)
    return ending.sub("", ending.sub("", word))


def _endings(language: str) -> tuple[str, ...]:
    """Without accents, as in the index, which may have taken an `s` off already."""
    return listed(SEARCH, f"endings_{language}")


def _joints(language: str) -> tuple[str, ...]:
    """What stands between two words that are written as one."""
    return listed(SEARCH, f"joints_{language}")


@cache
def _ending(language: str) -> re.Pattern[str]:
    return re.compile(f"(?<=.{{{_LEAST_STEM}}})(?:{'|'.join(_endings(language))})$")


def _forms(stem: str, language: str, lines: str) -> Iterator[str]:
    return (term for term in _holding(stem, lines) if stemmed(term, language) == stem)


def _holding(part: str, lines: str) -> Iterator[str]:
    """The lines that hold a text."""
    at = lines.find(part)
    while at >= 0:
        start, end = lines.rfind("\n", 0, at) + 1, lines.find("\n", at)
        yield lines[start:end]
        at = lines.find(part, end)


def _is_made_with(stem: str, term: str, language: str, is_word: IsWord) -> bool:
    """Whether a term begins or ends with a word, and the rest of it is a word, too."""
    before, _, after = term.partition(stem)
    if not before:
        return _is_last(after, language, is_word)
    is_end = stemmed(stem + after, language) == stemmed(stem, language)
    return is_end and _is_first(before, language, is_word)


def _is_first(part: str, language: str, is_word: IsWord) -> bool:
    joints = _joints(language)
    return len(part) >= _LEAST_PART and any(is_word(part.removesuffix(one)) for one in joints)


def _is_last(part: str, language: str, is_word: IsWord) -> bool:
    """The index has the last part without its ending."""
    joints = _joints(language)
    rests = (part[len(joint) :] for joint in joints if part.startswith(joint))
    return any(
        len(rest) >= _LEAST_PART and any(map(is_word, (rest, f"{rest}e", f"{rest}en")))
        for rest in rests
    )


def _parts(word: str, language: str, is_word: IsWord) -> tuple[str, ...]:
    """The two words of which a word is made, the last one as long as may be."""
    for start in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
        first, last = word[:start], word[start:]
        if is_word(last) and _is_first(first, language, is_word):
            return first.removesuffix("s"), last
    return ()
