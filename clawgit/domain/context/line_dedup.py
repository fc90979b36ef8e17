"""What a text says, line by line, so that a context says nothing twice."""

import re
from collections.abc import Container, Iterator
from functools import lru_cache

from clawgit.domain.facts.same_fact import words

_BULLET = re.compile(r"\s*(?:[-+*>]\s+)*")
_TELLING = 4
"""Words from which on a line below an item can be told from others of its kind: `- done` may stand
below many."""


def sayings(text: str) -> Iterator[str]:
    """Each line of a text by its words: spacing, capitals, tags and bullets do not count."""
    return (said for line in text.split("\n") if (said := _saying(line)))


def anew(text: str, said: Container[str]) -> str:
    """A text without what was said before: "" where that is all of it. Of a longer item, single
    lines below it that were said go; anything else stays whole.
    """
    if all(one in said for one in sayings(text)):
        return "" if any(sayings(text)) else text
    lines = text.split("\n")
    if len(lines) == 1 or not lines[0].startswith(("- ", "* ", "+ ")):
        return text
    return "\n".join(
        line for at, line in enumerate(lines) if not at or not _is_repeated(lines, at, said)
    )


def _is_repeated(lines: list[str], at: int, said: Container[str]) -> bool:
    """Whether a line is an item of its own, with nothing below it, that was said before."""
    line = lines[at]
    own = line.lstrip()
    indent = len(line) - len(own)
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if not own.startswith(("- ", "* ", "+ ")) or len(below) - len(below.lstrip()) > indent:
        return False
    key = _saying(line)
    return key.count(" ") >= _TELLING - 1 and key in said


@lru_cache(maxsize=1 << 13)
def _saying(line: str) -> str:
    return " ".join(wording(_BULLET.sub("", line, count=1)))


@lru_cache(maxsize=1 << 13)
def wording(text: str) -> tuple[str, ...]:
    """The words by which a fact is known. Whoever stays open is asked for the same lines again."""
    return words(text)
