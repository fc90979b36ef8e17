"""Words of corrections: that something is corrected, what an agent can do, requests to keep it."""

from collections.abc import Sequence
from functools import cache
from typing import Literal

from clawgit.doors import tomllib
from clawgit.language.files import file_of
from clawgit.language.lexicon import Lexicon
from clawgit.language.phrases import Phrases
from clawgit.language.tokens import fold, tokens

Name = Literal["corrective", "openers", "capabilities", "reasons", "requests"]
FILE = "_recall"


def words(languages: Sequence[Lexicon], name: Name) -> frozenset[str]:
    """The rows of a class in these languages. A language may have none."""
    return frozenset(fold(row) for language in languages for row in _rows(language.code, name))


def has(text: str, languages: Sequence[Lexicon], name: Name) -> bool:
    """Whether a text has a word of a class."""
    return first(text, languages, name) is not None


def first(text: str, languages: Sequence[Lexicon], name: Name) -> int | None:
    """Where the first word of a class begins, None if the text has none."""
    among = tokens(text)
    listed = (_phrases(language.code, name) for language in languages)
    starts = (match.start for rows in listed for match in rows.every(text, among))
    return min(starts, default=None)


@cache
def _phrases(code: str, name: Name) -> Phrases[str]:
    return Phrases(((row, row) for row in _rows(code, name)), whole=True)


@cache
def _rows(code: str, name: Name) -> tuple[str, ...]:
    return tuple(tomllib.loads(file_of(FILE)).get(code, {}).get(name, ()))
