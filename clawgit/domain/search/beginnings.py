"""The beginnings of identifiers: of an address, a hash, a number with its unit."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from clawgit.domain.search.terms import words
from clawgit.language.lazily import lazily

_RUN = lazily(r"[^\W_]+")

_LEAST = 6
"""Letters and digits of the shortest word by which a longer one is found that begins with it."""


def runs_of(typed: str) -> Sequence[str]:
    """The words of something typed that may be the beginning of an identifier, the last one cut
    off; () for a usual word: “poet” is no “poetry”.
    """
    found: list[str] = _RUN.findall(typed.casefold()) if typed.isascii() else []
    is_usual = len(found) == 1 and found[0].isalpha()
    return () if is_usual else found


def is_beginning(word: str) -> bool:
    """Whether a word may stand for an identifier that begins with it. One of figures alone may not:
    100000 is no 1000000.
    """
    is_long = word.isascii() and len(word) >= _LEAST
    return is_long and not (word.isalpha() or word.isdecimal())


def begun(word: str, texts: Iterable[str]) -> list[str]:
    """The words of some texts that begin with this one, each once."""
    found = chain.from_iterable(map(words, texts))
    return [*dict.fromkeys(other for other in found if other.startswith(word))]


def begins_in(typed: str, text: str) -> bool:
    """Whether something in a text begins with what was typed. A figure at its end is a whole one,
    and nothing but that: 18 begins `18GB` and no 180.
    """
    *_, last = runs_of(typed)
    end = "(?![0-9])" if last.isdecimal() else ""
    pattern = rf"(?<![^\W_]){re.escape(typed)}{end}"
    return re.search(pattern, text, re.IGNORECASE) is not None
