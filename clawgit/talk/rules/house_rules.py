"""Rules: lines below a heading such as `Never`, and pinned lines; what forbids something; and which
questions ask for permission. The headings and the questions are closed lists of the languages.
"""

import re
from collections.abc import Iterable, Iterator
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
    return mark is not None and any(row.fullmatch(mark.words) for row in _near("rules", mark.words))


@lru_cache(maxsize=512)
def asks_permission(question: str) -> bool:
    return any(row.search(question) for row in _near("permission", question))


@lru_cache(maxsize=1 << 12)
def _is_heading(title: str) -> bool:
    return _PIN in title or any(row.search(title) for row in _near("rules", title))


def _near(name: str, text: str) -> Iterator[re.Pattern[str]]:
    """The rows of a list whose letters are in a text: to compile all takes 3 ms of each search."""
    said = text.lower()
    for row in listed(SEARCH, name):
        if row.lstrip("^").partition("…")[0].lower() in said:
            yield _pattern(row)


@cache
def _pattern(row: str) -> re.Pattern[str]:
    """A row as whole words. `^` in front: only where a sentence begins; `…`: some words between."""
    words = re.escape(row.removeprefix("^")).replace("…", "[^.!?。！？]{0,60}?")
    if row[0] == "^":
        words = rf"(?:^|(?<=[.,:;!?¿]))\W*{words}\b"
    elif row[0] < _UNSPACED:
        words = rf"\b{words}\b"
    return re.compile(words, re.IGNORECASE)


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
