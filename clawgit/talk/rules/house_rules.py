"""Rules: lines below a heading such as `Never`, and pinned lines; and what forbids something. The
headings are a closed list of the languages.
"""

from collections.abc import Iterable
from functools import lru_cache

from clawgit.language.clauses import negations, sentences
from clawgit.language.files import near
from clawgit.language.tokens import is_cjk, is_hangul
from clawgit.memory.rules.marks import label

_PIN = "📌"
_LEAD = 2
"""A prohibition denies within its first words: `Never send`, `You must not send`. Further on, a
negation mostly contrasts: `Come back with answers, not questions.`"""


def is_rule(text: str, headings: Iterable[str]) -> bool:
    """Whether a line is pinned, or stands below a heading of rules."""
    if any(map(_is_heading, headings)) or text.lstrip(" -*+").startswith(_PIN):
        return True
    mark = label(text)
    return mark is not None and any(row.fullmatch(mark.words) for row in near("rules", mark.words))


@lru_cache(maxsize=1 << 12)
def _is_heading(title: str) -> bool:
    return _PIN in title or any(row.search(title) for row in near("rules", title))


@lru_cache(maxsize=1 << 12)
def forbids(text: str) -> bool:
    """Whether a sentence of the text is a prohibition.

    Where the verb, and with it the negation, may stand last, each sentence that denies is one.
    Cached, because a server reads the same soul again and again.
    """
    return any(_is_prohibition(sentence.text) for sentence in sentences(text))


def _is_prohibition(sentence: str) -> bool:
    denied = negations(sentence)
    if not denied:
        return False
    if is_cjk(sentence) or is_hangul(sentence):
        return True
    before = sentence[: denied[0].start].split()
    return sum(any(map(str.isalnum, word)) for word in before) <= _LEAD
