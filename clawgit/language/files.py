"""The files of the languages, as text: some callers need only a line of one, and no parser."""

import os
import re
from collections.abc import Mapping
from functools import cache

from clawgit.core.doors import tomllib
from clawgit.language.lazily import lazily

FOLDER = f"{os.path.dirname(__file__)}/data"  # noqa: PTH120 - pathlib takes 4 ms of each commit
LAST_RESORT = "en"
SHARED = "_common"
SEARCH, CORRECTIONS = "_search", "_corrections"


@cache
def file_of(name: str) -> str:
    return data_of(f"{name}.toml")


def data_of(name: str) -> str:
    with open(f"{FOLDER}/{name}", encoding="utf-8") as file:  # noqa: PTH123 - see above
        return file.read()


@cache
def codes() -> tuple[str, ...]:
    """The languages that have files, the last resort first."""
    files = (name for name in os.listdir(FOLDER) if name[0] != "_")  # noqa: PTH208 - see above
    names = (name.removesuffix(".toml") for name in files if name.endswith(".toml"))
    return tuple(sorted(names, key=lambda code: (code != LAST_RESORT, code)))


_WORD = lazily(r'"([^"]*)"')


@cache
def listed(name: str, key: str) -> tuple[str, ...]:
    """One list of a file, empty if it has none; parsing it all would take ten times as long."""
    table_row = re.search(rf"^{key} = \[(.*?)\]$", file_of(name), re.MULTILINE | re.DOTALL)
    return tuple(_WORD.findall(table_row[1])) if table_row else ()


# The words of notes, listed by language: for what is to last, and for titles of lists

PROMOTION = "promotion"
MARKS = "marks"
CLASSES = "classes"


@cache
def rows(table: str, name: str) -> tuple[str, ...]:
    """The rows of a list in all languages, because people mix them in their notes."""
    return tuple(
        dict.fromkeys(row for file in _notes() for row in file.get(table, {}).get(name, ()))
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
def _notes() -> tuple[Mapping[str, Mapping[str, tuple[str, ...]]], ...]:
    names = sorted(os.listdir(f"{FOLDER}/notes"))  # noqa: PTH208 - see above
    return tuple(
        tomllib.loads(data_of(f"notes/{name}")) for name in names if name.endswith(".toml")
    )
