"""Which categories a line of a daily note speaks of, by the built-in words and those of the operator."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from clawgit.domain.extract.language import compiled
from clawgit.domain.promotion_words import FALSE_FRIENDS, TRIGGERS


class Match(NamedTuple):
    """`words` are those that were found, and `times` how many different ones."""

    category: str
    firm: bool
    words: str
    times: int


WEIGHTS = {
    "explicit": 1.0,
    "financial": 0.9,
    "legal": 0.9,
    "decision": 0.8,
    "strategy": 0.8,
    "architecture": 0.7,
    "milestone": 0.7,
    "people": 0.6,
}
"""Category → what a match is worth."""

OWN_WEIGHT = 1.0
"""For a category that the operator made."""


def matches(text: str, own: Iterable[str] = ()) -> tuple[Match, ...]:
    """One match for each category that speaks, the weightiest first. `own` are the operator's triggers, each written
    `category: words`.
    """
    found = [*_built_in(text), *_of_the_operator(text, own)]
    best = {one.category: one for one in sorted(found, key=lambda one: (one.firm, one.times))}
    return tuple(sorted(best.values(), key=lambda one: (-weight(one.category), one.category)))


def weight(category: str) -> float:
    return WEIGHTS.get(category, OWN_WEIGHT)


def _built_in(text: str) -> Iterator[Match]:
    text = compiled(FALSE_FRIENDS).sub(lambda found: " " * len(found[0]), text)
    for trigger in TRIGGERS:
        words = dict.fromkeys(found[0].strip().lower() for found in compiled(trigger.pattern).finditer(text))
        if words:
            first = next(iter(words))
            firm = trigger.firm or _is_label(text, trigger.pattern)
            yield Match(trigger.category, firm, " ".join(first.split()), len(words))


def _of_the_operator(text: str, own: Iterable[str]) -> Iterator[Match]:
    for line in own:
        category, _, words = line.partition(":")
        if found := _literal(words.strip()).search(text):
            yield Match(category.strip().lower(), True, found[0], 1)


def _is_label(text: str, pattern: str) -> bool:
    """Whether a text opens with the word and a colon, as in `Roadmap: …`."""
    head, colon, rest = text[:_LABEL].partition(":")
    if not colon:
        head, colon, rest = text[:_LABEL].partition("\uff1a")
    return bool(colon and rest.strip() and compiled(pattern).search(head))


@cache
def _literal(words: str) -> re.Pattern[str]:
    """Words as they are; where they begin or end with a letter of a script with blanks, a whole word only."""
    before = r"\b" if words[:1].isascii() and words[:1].isalnum() else ""
    after = r"\b" if words[-1:].isascii() and words[-1:].isalnum() else ""
    return re.compile(f"{before}{re.escape(words)}{after}", re.IGNORECASE)


_LABEL = 40
