"""How many words texts share, and whether two of them may become one.

Texts that differ in a number, a name, a date, a negation or any other telling word stay two,
however much they share. Words alone decide, so that files are the same with and without vectors.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain

from clawgit.core.markdown.tag_table import CATEGORY
from clawgit.language.files import PLAIN_WORDS, listed
from clawgit.language.lazily import lazily
from clawgit.language.question_words import STOP, forms
from clawgit.language.tokens import has_signs
from clawgit.talk.rules.corrections import Correction

_FILLERS = frozenset(
    {"an", "the", "also", "actually", "currently", "indeed", "now", "really", "still"}
)

_ARTICLE = lazily(r"^\W*A(?!\S)|(?<!\S)a(?!\S)")
"""But not the A in `vitamin A` and `team A`."""

_SHORTENED = (
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
)
_SIGNS = "\u3040-\u30ff\u3400-\u9fff"
"""Scripts without blanks, which are read sign by sign."""


def _word(besides: str = "") -> str:
    """A number, a time, a date; a word, in which the signs `besides` do not count as letters."""
    letters = rf"[^\W\d_{besides}]+"
    return rf"[-+]?\d+(?:[.:,/-]\d+)*|{letters}(?:[.'_@&/-]{letters})*|[?%]"


_WORD = lazily(f"[{_SIGNS}]|{_word(_SIGNS)}")
_SPACED_WORD = lazily(_word())
"""The same for a text without such signs, at a twentieth of the time to compile."""

Same = Callable[[str, str], bool]
"""Whether two texts state one fact."""


def same_fact(first: str, second: str) -> bool:
    """Whether two texts say the same, except for spacing, capitals, punctuation and articles."""
    return bool(words(first)) and words(first) == words(second)


def refuted(
    fact: str, corrections: Iterable[Correction], same: Same = same_fact
) -> Correction | None:
    """The correction by which the operator said that a fact is wrong; if that was corrected again,
    the last one, which says what is right.

    None if a later one says that it is right. A correction that is still open says nothing.
    """
    for correction in reversed([correction for correction in corrections if correction.binds]):
        if same(fact, correction.correct):
            return None
        # What the agent said, and what the entry said, with its id and without.
        olds = (correction.said, correction.was, correction.old)
        if any(same(fact, old) for old in olds):
            return refuted(correction.correct, corrections, same) or correction
    return None


def may_hold(document: str, fact: str) -> bool:
    """A quick test whether a file can have an entry that states a fact. False is certain."""
    return max(words(fact), key=len, default="") in _plain(document)


# Each text is compared with many others.
@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """What a fact is compared by: its words, numbers and signs, in order, without its category."""
    pieces = _pieces(_plain(_ARTICLE.sub(" ", CATEGORY.sub(" ", text))))
    return tuple(piece for piece in pieces if piece not in _FILLERS)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("−", "-")
    for pattern, full in _SHORTENED:
        text = pattern.sub(full, text)
    return text


def _pieces(text: str) -> list[str]:
    """Words, and each sign that means something: `$`, `<`, `→`, an emoji, but no punctuation."""
    pieces: list[str] = []
    at = 0
    pattern = _WORD if has_signs(text, _SIGNS) else _SPACED_WORD
    for word in pattern.finditer(text):
        pieces += [*_signs(text[at : word.start()]), word[0]]
        at = word.end()
    return [*pieces, *_signs(text[at:])]


def _signs(between: str) -> list[str]:
    return [sign for sign in between if unicodedata.category(sign) in ("Sm", "Sc", "So")]


_SHORT = 3
_ENDING = re.compile(r"(?<=..)(?:(?<=..)ies|(?<=.)(?:ing|ed|es|s|e))$")
_DENIALS = frozenset(listed(PLAIN_WORDS, "denying"))

_TURNS = frozenset(listed(PLAIN_WORDS, "turning"))
"""Small words that turn a sentence into another fact."""

_EMPTY = STOP.union(listed(PLAIN_WORDS, "empty")) - _DENIALS - _TURNS
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
