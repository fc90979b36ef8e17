"""The words that say that something is set right, and nothing of what; those that name what an
agent can do; and those that ask it to keep something.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Literal

from clawgit.language.files import file_of
from clawgit.language.lexicon import Lexicon
from clawgit.language.phrases import Phrases
from clawgit.language.tokens import fold, tokens

Name = Literal["corrective", "openers", "capabilities", "reasons", "requests"]
FILE = "_recall"


def words(languages: Sequence[Lexicon], name: Name) -> frozenset[str]:
    """The rows of a class in these languages, none for a language that lists none."""
    return frozenset(fold(row) for language in languages for row in _rows(language.code, name))


def has(text: str, languages: Sequence[Lexicon], name: Name) -> bool:
    among = tokens(text)
    listed = (_phrases(language.code, name) for language in languages)
    return any(next(rows.every(text, among), None) is not None for rows in listed if rows)


def first(text: str, languages: Sequence[Lexicon], name: Name) -> int | None:
    """Where the first word of a class stands."""
    among = tokens(text)
    listed = (_phrases(language.code, name) for language in languages)
    return min(
        (match.start for rows in listed if rows for match in rows.every(text, among)), default=None
    )


@cache
def _phrases(code: str, name: Name) -> Phrases[str]:
    return Phrases(((row, row) for row in _rows(code, name)), whole=True)


@cache
def _rows(code: str, name: Name) -> tuple[str, ...]:
    return tuple(tomllib.loads(file_of(FILE)).get(code, {}).get(name, ()))
