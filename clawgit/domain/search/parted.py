"""Words that others write in two: `KSM-66` for `ksm66`, “web search” for `websearch`; and phone
numbers, with whatever stands between their parts.
"""

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

_BETWEEN_FIGURES = r"(?:\) ?|[\s./_‐‑-])"
"""The same in a phone number: `(555) 123-4567`."""

_PHONE = lazily(r"1?([0-9]{3})([0-9]{3})([0-9]{4})")

_PHONE_APART = lazily(
    rf"(?<![\w./-])(?:\+?1{_BETWEEN_FIGURES})?\(?([0-9]{{3}}){_BETWEEN_FIGURES}"
    rf"([0-9]{{3}}){_BETWEEN_FIGURES}([0-9]{{4}})(?![\w/])"
)


def phone(word: str) -> Parts:
    """The parts of a phone number of ten figures, written in one, with the number of its country or
    without; () for other words.
    """
    found = _PHONE.fullmatch(word)
    return found.groups() if found else ()


def phones(text: str) -> Iterator[Parts]:
    """The parts of the phone numbers of a text that stand there in parts."""
    return (found.groups() for found in _PHONE_APART.finditer(text))


def in_one(parts: Parts) -> Parts:
    """A phone number without anything between its parts, without the number of its country and
    with it.
    """
    together = "".join(parts)
    return together, f"1{together}"


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
    together = _between(parts).join(parts)
    return re.compile(rf"(?<![^\W_]){together}(?![^\W_])", re.IGNORECASE)


def _between(parts: Parts) -> str:
    letters = [len(part) for part in parts if part.isalpha()]
    if not letters:
        return _BETWEEN_FIGURES
    return _BETWEEN if min(letters) > 1 else _BETWEEN_LETTERS
