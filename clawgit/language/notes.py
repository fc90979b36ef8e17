"""The words of notes, listed by language: for what is to last, and for titles of lists."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from clawgit.doors import tomllib

FOLDER = Path(__file__).parent / "data" / "notes"
PROMOTION = "promotion"
MARKS = "marks"
CLASSES = "classes"


@cache
def rows(table: str, name: str) -> tuple[str, ...]:
    """The rows of a list in all languages, because people mix them in their notes."""
    return tuple(
        dict.fromkeys(row for file in _files() for row in file.get(table, {}).get(name, ()))
    )


@cache
def matcher(table: str, name: str, after: str = "") -> re.Pattern[str]:
    """Finds a word of a list in all languages, as a whole word, and what a pattern says after
    it.
    """
    words = sorted(rows(table, name), key=len, reverse=True)
    # What is written without blanks between words has no whole ones.
    whole = "|".join(re.escape(word) for word in words if word[0] < "\u2e80")
    within = "|".join(re.escape(word) for word in words if word[0] >= "\u2e80")
    return re.compile(rf"(?:(?<![^\W_])(?:{whole})(?![^\W_])|{within}){after}", re.IGNORECASE)


@cache
def _files() -> tuple[Mapping[str, Mapping[str, tuple[str, ...]]], ...]:
    return tuple(tomllib.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml")))
