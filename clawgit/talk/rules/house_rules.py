"""Rules: lines below a heading such as `Never`, and pinned lines; what forbids something; and which
questions ask for permission. The headings and the questions are closed lists of the languages.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from clawgit.language.clauses import negations, sentences
from clawgit.language.files import SEARCH, listed
from clawgit.language.tokens import is_cjk, is_hangul
from clawgit.memory.rules.marks import label

_PIN = "📌"
_UNSPACED = "\u2e80"
"""From here on, scripts have no blanks between words."""

_LEAD = 2
"""A prohibition denies within its first words: `Never send`, `You must not send`. Further on, a
negation mostly contrasts: `Come back with answers, not questions.`"""


def is_rule(text: str, headings: Iterable[str]) -> bool:
    """Whether a line is pinned, or stands below a heading of rules."""
    if any(map(_is_heading, headings)) or text.lstrip(" -*+").startswith(_PIN):
        return True
    mark = label(text)
    return mark is not None and _matcher("rules").fullmatch(mark.words) is not None


@lru_cache(maxsize=512)
def asks_permission(question: str) -> bool:
    return _matcher("permission").search(question) is not None


@lru_cache(maxsize=1 << 12)
def _is_heading(title: str) -> bool:
    return _PIN in title or _matcher("rules").search(title) is not None


@cache
def _matcher(name: str) -> re.Pattern[str]:
    return re.compile("|".join(map(_pattern, listed(SEARCH, name))), re.IGNORECASE)


def _pattern(row: str) -> str:
    """A row as whole words. `^` in front: only where a sentence begins; `…`: some words between."""
    words = re.escape(row.removeprefix("^")).replace("…", "[^.!?。！？]{0,60}?")
    if row[0] == "^":
        return rf"(?:^|(?<=[.,:;!?¿]))\W*{words}\b"
    return words if row[0] >= _UNSPACED else rf"\b{words}\b"


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
