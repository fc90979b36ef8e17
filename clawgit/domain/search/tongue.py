"""In which language a text is, of those that have lists of words."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from clawgit.language.lazily import lazily

ENGLISH = ""

HAN = ("zh", "ja")

_KANA = lazily("[\u3041-\u30ff]")

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


def han_of(text: str) -> str:
    """The language of the Han characters of a text."""
    chinese, japanese = HAN
    return japanese if _KANA.search(text) else chinese


def spaced(languages: Iterable[str]) -> tuple[str, ...]:
    """Those of some languages that have spaces between words."""
    return tuple(language for language in languages if language not in HAN)


def latin_of(words: Sequence[str], ranks: Callable[[], Mapping[str, Rank]]) -> str:
    """The language in which these words are the commonest; English if none is more so.

    The lists are opened only for words that are not plainly English.
    """
    words = [*filter(_tells, words)]
    if sum(map(len, words)) < _TELLING or not _ONLY_ENGLISH.isdisjoint(words):
        return ENGLISH
    costs = {language: _cost(words, rank) for language, rank in ranks().items()}
    costs[ENGLISH] -= _AHEAD
    return min(costs, key=costs.__getitem__)


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


def _cost(words: Sequence[str], rank: Rank) -> int:
    known = (rank(word) for word in words)
    return sum(_UNKNOWN if at is None else (at + _FIRST).bit_length() for at in known)
