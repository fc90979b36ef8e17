"""How many words texts share, and whether two of them may become one.

Texts that differ in a number, a name, a date, a negation or any other telling word stay two,
however much they share.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain

from clawgit.language.files import LAST_RESORT, PLAIN_WORDS, SEARCH, listed, small_words
from clawgit.language.lexicon import lexicon
from clawgit.memory.rules.likeness import same_fact, words

_SHORT = 3
_ENDING = re.compile(r"(?<=..)(?:(?<=..)ies|(?<=.)(?:ing|ed|es|s|e))$")
_DENIALS = frozenset(listed(PLAIN_WORDS, "denying"))

_TURNS = frozenset(listed(PLAIN_WORDS, "turning"))
"""Small words that turn a sentence into another fact."""

_EMPTY = small_words().union(listed(PLAIN_WORDS, "empty")) - _DENIALS - _TURNS
"""Words that say nothing about the matter, or only that somebody decided it."""


def may_merge(first: str, second: str) -> bool:
    """Whether two texts state one fact, so that either can go: the same telling words in one order,
    whatever their endings. A name has one form only: Andrea and Andreas are two.
    """
    if same_fact(first, second):
        return True
    mine = _content(first)
    if not mine or mine != _content(second):
        return False
    other_forms = {*words(first)} ^ {*words(second)}
    return not any(_is_name(form, text) for form in other_forms for text in (first, second))


def _is_name(form: str, text: str) -> bool:
    """Whether a word has a capital in a text, even if only because a sentence begins there. Words
    that say nothing may be names, too (Will, US, IT), but for one that begins a text.
    """
    rest = text.partition(" ")[2] if form in _EMPTY else text
    pieces = re.findall(r"[^\W\d_]+", rest)
    return any(piece != form and piece.casefold() == form for piece in pieces)


@lru_cache(maxsize=16384)
def _content(text: str) -> tuple[str, ...]:
    """The telling words of a text in order, each by its root."""
    return tuple(_root(word) for word in words(text) if word not in _EMPTY)


def _root(word: str) -> str:
    """One form for `use`, `used` and `using`, and for `two` and `2`. It need not be a word."""
    if known := forms().get(word):
        return min(known)
    if not word.isascii() or not word.isalpha() or len(word) <= _SHORT:
        return word.removesuffix("'s")
    root = _ENDING.sub("", word)
    return root[:-1] if len(root) > _SHORT and root[-1] == root[-2] else root


ALIKE_FACTS = 0.6
ALIKE_LESSONS = 0.7
"""The overlap above which two facts, or two lessons, may be one."""
_ENOUGH = 2
_COMMON = 200
"""A word that more texts have says little of what two of them share."""


def overlap(first: str, second: str) -> float:
    """The share of the shorter text's telling words that the longer one has as well, 0 to 1."""
    return _share(frozenset(_content(first)), frozenset(_content(second)))


def shares_matter(first: str, second: str) -> bool:
    """Whether two texts share a telling word that is no small one, such as “on”."""
    return bool({*_content(first)}.intersection(_content(second)) - _TURNS - _DENIALS)


def _share(mine: frozenset[str], theirs: frozenset[str]) -> float:
    return len(mine & theirs) / (min(len(mine), len(theirs)) or 1)


def says_enough(text: str) -> bool:
    """Whether a text has enough telling words to stand for itself: “For 2026-12-06.” has not."""
    return len({*_content(text)}) >= _ENOUGH


class Overlaps:
    """Texts by their words, so that each query only compares those that share a word."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._words: list[frozenset[str]] = []
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> int:
        """Adds a text and returns its number."""
        at = len(self._words)
        self._words.append(frozenset(_content(text)))
        for word in self._words[at]:
            self._holding[word].append(at)
        return at

    def over(self, text: str, threshold: float) -> list[int]:
        """The numbers of the texts that overlap by more than that, most alike first."""
        mine = frozenset(_content(text))
        holding = (self._holding.get(word, []) for word in mine)
        # Whatever shares common words alone is not looked at: that would be half of them.
        near = {*chain.from_iterable(held for held in holding if len(held) <= _COMMON)}
        scored = [(_share(mine, self._words[at]), at) for at in near]
        over = sorted((-score, at) for score, at in scored if score > threshold)
        return [at for _, at in over]


# Word forms that no stemmer finds.


@cache
def forms() -> Mapping[str, tuple[str, ...]]:
    """Each word with its other forms and names, the word itself first."""
    by_word: dict[str, tuple[str, ...]] = {}
    for group in _groups():
        for word in group:
            by_word[word] = (word, *(other for other in group if other != word))
    return by_word


def _groups() -> Iterator[list[str]]:
    """The words that mean the same. A word in two groups has the forms of the later one."""
    for group in listed(SEARCH, "forms_en"):
        yield group.split()
    english = lexicon(LAST_RESORT)
    for long, *short in (*english.data["months"], *english.data["weekdays"]):
        if short:
            # The short forms stand first, as everywhere here.
            yield [*short, long]
    for figures, spelled in english.table("numbers").items():
        yield [*spelled, figures]
