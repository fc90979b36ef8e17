"""Whether two entries state the same fact, so that hearing it again is a mention and not a second
entry.

Losing a fact is worse than keeping it twice: what differs in a number, a name, a negation or any
word that carries meaning is another fact, however alike the two sentences look.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.markdown.tags import CATEGORY

_LONG = 8
"""From this length on, two words that a slip of the finger tells apart are one word."""

_FILLERS = frozenset(
    {"an", "the", "also", "actually", "currently", "indeed", "now", "really", "still"}
)

_ARTICLE = re.compile(r"^\W*A(?!\S)|(?<!\S)a(?!\S)")
"""But not the A of `vitamin A` and `team A`."""

_ENDING = 2
_SHORTENED = (
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
)
_WORD = re.compile(
    r"[-+]?\d+(?:[.:,/-]\d+)*"  # a number, a time, a date
    r"|[\u3040-\u30ff\u3400-\u9fff]"  # scripts without blanks, sign by sign
    r"|(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W\d_])+(?:[.'_@&/-](?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W\d_])+)*"
    r"|[?%]"
)


Same = Callable[[str, str], bool]
"""Whether two texts state one fact."""


def same_fact(one: str, other: str) -> bool:
    """Whether two texts say the same, but for spacing, capitals, punctuation, articles and one slip
    of the finger.
    """
    mine, theirs = words(one), words(other)
    if not mine or len(mine) != len(theirs):
        return False
    apart = [(a, b) for a, b in zip(mine, theirs, strict=True) if a != b]
    if len(apart) != 1:
        return not apart
    [(a, b)] = apart
    return _slipped(a, b) and not _is_name(a, one) and not _is_name(b, other)


def refuted(
    fact: str, corrections: Iterable[Correction], same: Same = same_fact
) -> Correction | None:
    """The correction by which the operator said that this is wrong, unless a later one says that it
    is right; one that is still open says nothing.
    """
    for one in reversed([one for one in corrections if one.binds]):
        if same(fact, one.correct):
            return None
        if any(same(fact, old) for old in old_values(one)):
            return one
    return None


def may_hold(document: str, fact: str) -> bool:
    """A quick look whether a file can have an entry that states a fact; False is sure."""
    longest = sorted(words(fact), key=len)[-2:]
    plain = _plain(document)
    return any(word in plain for word in longest)


@lru_cache(maxsize=4096)  # each text is compared with many
def words(text: str) -> tuple[str, ...]:
    """What a fact is compared by: its words in order, its numbers and signs. Its category says
    nothing about it.
    """
    found = _pieces(_plain(_ARTICLE.sub(" ", CATEGORY.sub(" ", text))))
    return tuple(piece for piece in found if piece not in _FILLERS)


def old_values(correction: Correction) -> tuple[str, ...]:
    """What was said, and what the entry said, with its id and without."""
    return correction.said, correction.was, correction.was.partition(" ")[2]


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("−", "-")
    for pattern, full in _SHORTENED:
        text = pattern.sub(full, text)
    return text


def _pieces(text: str) -> list[str]:
    """Words, and each sign that means something: `$`, `<`, `→`, an emoji. Other punctuation does
    not count.
    """
    found: list[str] = []
    at = 0
    for word in _WORD.finditer(text):
        found += [*_signs(text[at : word.start()]), word[0]]
        at = word.end()
    return [*found, *_signs(text[at:])]


def _signs(between: str) -> list[str]:
    return [sign for sign in between if unicodedata.category(sign) in ("Sm", "Sc", "So")]


def _slipped(one: str, other: str) -> bool:
    """One letter too few, or two letters swapped, within a long word: `recieved`. A wrong letter
    can be a real word.
    """
    short, long = sorted((one, other), key=len)
    if (
        len(short) < _LONG
        or not (short + long).isalpha()
        or one[0] != other[0]
        or one[-_ENDING:] != other[-_ENDING:]
    ):
        return False
    at = next(n for n, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1])
    if len(short) == len(long):
        return short[at + 1] + short[at] + short[at + 2 :] == long[at:]
    return short[at:] == long[at + 1 :]


def _is_name(word: str, text: str) -> bool:
    """Whether it is written with a capital, be it only because the sentence begins there."""
    return any(
        piece != word and piece.casefold() == word for piece in re.findall(r"[^\W\d_]+", text)
    )
