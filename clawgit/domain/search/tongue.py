"""In which language a text is, of those that have lists of words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log2

from clawgit.language.tokens import has_kana

ENGLISH = ""

CHINESE, JAPANESE = "zh", "ja"
HAN = (CHINESE, JAPANESE)

_ONLY_ENGLISH = frozenset(
    (
        *("the", "of", "and", "is", "what", "did", "when", "where", "who", "how", "does", "with"),
        *("for", "my", "she", "they", "have", "this", "that", "are", "were", "which", "from", "it"),
    )
)
"""A text with one of these is in no other language that has a list, so none need be read."""

_CONTRACTED = frozenset(("ll", "re", "ve"))
"""What is left of an English word behind an apostrophe: “we'll”."""

_TELLING = 4
"""The fewest letters that tell a language: “AI” or “Leo” in a Chinese text is neither French nor
Spanish.
"""

_FIRST = 8
_UNKNOWN = 18
"""What a word costs by its rank, in bits: twice as seldom costs one more."""

_AHEAD = 2
"""Bits that another language has to save over English: many English words have a French stem."""

_STRANGE = 8
"""Bits that a language costs more if nothing in the memory is in it; its share in all that is says
what one costs between.
"""

_LEAST_HOME = 20
"""With fewer lines that tell a language, a memory tells nothing."""

_LEAST_KNOWN = 0.4
"""The share of a text's letters in words of a language, from which on it is in it. Questions in
English have more, with names and jargon, too. Letters count, since small words of another language,
“de” and “la”, are in an English list as well.
"""

_FEW = 2
"""So many words tell no language: they are as often jargon, or seldom forms, of a known one."""

_PLAINLY = 2
"""So many words that are English alone leave no doubt. One may be another language's, too, of which
nothing is known: Dutch has “is”, Danish “for”.
"""

Rank = Callable[[str], int | None]
"""The place of a word by how common it is in a language; None if it is no word of it."""


Home = Mapping[str, int]
"""How many lines of a memory tell that they are in a language, for each of some languages."""

NO_HOME: Home = {}


def han_of(text: str, home: Home = NO_HOME) -> str:
    """The language of the Han characters of a text. Without kana, it is the one of the memory."""
    is_japanese = has_kana(text) or home.get(JAPANESE, 0) > home.get(CHINESE, 0)
    return JAPANESE if is_japanese else CHINESE


def spaced(languages: Iterable[str]) -> tuple[str, ...]:
    """Those of some languages that have spaces between words."""
    return tuple(language for language in languages if language not in HAN)


def latin_of(
    words: Sequence[str], ranks: Callable[[], Mapping[str, Rank]], home: Home = NO_HOME
) -> str:
    """The language in which these words are the commonest; English if none is more so. Few words
    tell little: they are likelier in a language of the memory.

    The lists are opened only for words that are not plainly English.
    """
    words = [*filter(_tells, words)]
    if not _ONLY_ENGLISH.isdisjoint(words):
        return ENGLISH
    strange = _strange(home)
    if sum(map(len, words)) < _TELLING:
        return min(strange, key=strange.__getitem__, default=ENGLISH)
    costs = {language: _cost(words, rank) for language, rank in ranks().items()}
    for language in costs:
        costs[language] += strange.get(language, _STRANGE) if strange else 0
    costs[ENGLISH] -= 0 if strange else _AHEAD
    return min(costs, key=costs.__getitem__)


def _strange(home: Home) -> dict[str, float]:
    """What each language that a memory is in costs; empty if the memory tells nothing."""
    counts = {code: count for code, count in home.items() if count and code not in HAN}
    total = sum(counts.values())
    if total < _LEAST_HOME:
        return {}
    return {
        # English words stand in every language's texts, so little English is none.
        code: min(_STRANGE, log2(total / count) * (2 if code == ENGLISH else 1))
        for code, count in counts.items()
    }


def is_in(words: Sequence[str], is_known: Callable[[str], bool]) -> bool:
    """Whether a text is in the likeliest language, which has the known ones of its words. One that
    is in no language with a list is likeliest in English, too.
    """
    telling = [*filter(_tells, words)]
    if len(telling) <= _FEW or len(_ONLY_ENGLISH.intersection(telling)) >= _PLAINLY:
        return True
    known = sum(map(len, filter(is_known, telling)))
    return known >= _LEAST_KNOWN * sum(map(len, telling))


def _tells(word: str) -> bool:
    """Whether a word is more than a letter, which may be a unit, a grade or what an apostrophe
    parts from a word in English and in French.
    """
    return (len(word) > 1 or not word.isascii()) and word not in _CONTRACTED


def _cost(words: Sequence[str], rank: Rank) -> float:
    known = (rank(word) for word in words)
    return sum(_UNKNOWN if at is None else (at + _FIRST).bit_length() for at in known)
