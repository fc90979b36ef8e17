"""Words that others write in two: `KSM-66` for `ksm66`, “web search” for `websearch`."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from clawgit.language.lazily import lazily

Parts = tuple[str, ...]

_RUNS = lazily(r"[^\W\d_]+|[0-9]+")

_MOST_RUNS = 3
"""A word of more runs of letters and digits is a random one, which nobody parts."""

_LEAST_PART = 3
"""Letters of each part of a word of letters."""

_LONGEST = 40
"""Letters of the longest word that is parted."""

_BETWEEN, _BETWEEN_LETTERS = r"[\s./_‐‑-]", "[./_‐‑-]"
"""What may stand between the parts. A single letter is a word of its own where a blank follows: the
4 in “a 4” is no `A4`.
"""


def runs(word: str) -> Parts:
    """The letters and the digits of a word that has both; () otherwise."""
    found = tuple(_RUNS.findall(word))
    return found if 1 < len(found) <= _MOST_RUNS and "".join(found) == word else ()


def halves(word: str) -> Iterator[Parts]:
    """Each way to part a word of letters."""
    if word.isascii() and word.isalpha() and len(word) <= _LONGEST:
        for at in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
            yield word[:at], word[at:]


def spans(text: str, parted: Iterable[Parts]) -> Iterator[tuple[int, int]]:
    """Where words stand in a text in parts."""
    return (found.span() for parts in parted for found in _pattern(parts).finditer(text))


@lru_cache(maxsize=64)
def _pattern(parts: Parts) -> re.Pattern[str]:
    between = _BETWEEN if min(map(len, filter(str.isalpha, parts))) > 1 else _BETWEEN_LETTERS
    return re.compile(rf"(?<![^\W_]){between.join(parts)}(?![^\W_])", re.IGNORECASE)
