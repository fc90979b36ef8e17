"""Compares texts line by line, so that a context shows no line twice."""

import re
from collections.abc import Container, Iterator
from functools import lru_cache

from clawgit.domain.facts.same_fact import words

_ITEMS = ("- ", "* ", "+ ")

_BULLET = re.compile(r"\s*(?:(?:[-+*>]|[0-9]{1,9}[.)])\s+)*")

_PROMOTED = re.compile(r"\s\[score=[0-9.]+ recalls=[^\]\n]*\]\s*\Z")
"""What OpenClaw writes behind a line that it promotes: another each time."""

_LONG = 12
_ALIKE = 0.8
"""The share of words that two lines have in common."""

_TELLING = 4
"""A line below an item counts as repeated only with this many words: `- done` may stand below
many.
"""


def sayings(text: str) -> Iterator[str]:
    """Each line of a text by its words: spacing, capitals, tags, bullets and numbers of a list do
    not count.
    """
    return filter(None, map(_saying, text.split("\n")))


def anew(text: str, known: Container[str]) -> str:
    """A text without what was said before; "" if nothing is left.

    From an item of several lines, repeated lines below it are removed. Anything else stays whole.
    """
    own = list(sayings(text))
    if not own:
        return text
    if all(line in known for line in own):
        return ""
    if not text.startswith(_ITEMS):
        return text
    lines = text.split("\n")
    below = range(1, len(lines))
    kept = [lines[at] for at in below if not _is_repeated(lines, at, known)]
    return "\n".join([lines[0], *kept])


def _is_repeated(lines: list[str], at: int, known: Container[str]) -> bool:
    """Whether a line is an item of its own, with nothing below it, that was said before."""
    line = lines[at]
    own = line.lstrip()
    indent = len(line) - len(own)
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if not own.startswith(_ITEMS) or len(below) - len(below.lstrip()) > indent:
        return False
    key = _saying(line)
    return key.count(" ") >= _TELLING - 1 and key in known


@lru_cache(maxsize=1 << 13)
def _saying(line: str) -> str:
    return " ".join(wording(_PROMOTED.sub("", _BULLET.sub("", line, count=1))))


@lru_cache(maxsize=1 << 13)
def wording(text: str) -> tuple[str, ...]:
    """The words that identify a fact. Cached, since a server reads the same lines again."""
    return words(text)


def nearly_same(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two long lines differ in so few words, such as a date, that one will do.

    Two short ones may well be two facts: a rent of 900, and one of 950.
    """
    short, long = sorted((len(words), len(others)))
    # By far the most pairs are told apart by their lengths alone.
    least = max(_LONG, _ALIKE * long)
    return short >= least and len(words & others) >= least
