"""Whether two texts state one fact: by their words alone, so that files are the same with and
without vectors.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from clawgit.core.markdown.tag_table import CATEGORY
from clawgit.language.lazily import lazily
from clawgit.language.tokens import fold, has_signs
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
    text = fold(text).replace("−", "-")
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
