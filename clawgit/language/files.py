"""The files of the languages, parsed."""

import marshal
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from clawgit.core.doors import tomllib

FOLDER = f"{os.path.dirname(__file__)}/data"  # noqa: PTH120 - pathlib takes 4 ms of each commit
LAST_RESORT = "en"
SHARED = "_common"
SEARCH, CORRECTIONS, PLAIN_WORDS = "_search", "_corrections", "_plain_words"


@cache
def parsed(name: str) -> Mapping[str, Any]:
    """A file of the languages."""
    path = f"{FOLDER}/{name}.toml"
    source = os.stat(path)  # noqa: PTH116 - see above
    stamp = (source.st_mtime_ns, source.st_size)
    made: Mapping[str, Any] = kept(path, stamp, lambda: tomllib.loads(data_of(f"{name}.toml")))
    return made


def kept(path: str, stamp: Any, parse: Callable[[], Any]) -> Any:
    """What a parser makes of a file. As Python keeps the byte code of a module, it is kept until
    the stamp changes: parsing takes twenty times as long, and the parser has to be loaded.
    """
    folder, name = os.path.split(path)
    folder += "/__pycache__"
    file = f"{folder}/{name}.{sys.implementation.cache_tag}"
    with suppress(OSError, EOFError, ValueError, TypeError, MemoryError):  # as good as none
        with open(file, "rb") as stored:  # noqa: PTH123 - see above
            # Read at once: `marshal.load` would ask the file for each of its numbers.
            made_of, made = marshal.loads(stored.read())  # noqa: S302 - our own, where byte code lies
        if made_of == stamp:
            return made
    made = parse()
    if not sys.dont_write_bytecode:
        own = f"{file}.{os.getpid()}"
        with suppress(OSError):  # installed where this user may not write, as with byte code
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - see above
            with open(own, "wb") as stored:  # noqa: PTH123 - see above
                marshal.dump((stamp, made), stored)
            os.replace(own, file)  # noqa: PTH105 - see above
    return made


def data_of(name: str) -> str:
    with open(f"{FOLDER}/{name}", encoding="utf-8") as file:  # noqa: PTH123 - see above
        return file.read()


@cache
def codes() -> tuple[str, ...]:
    """The languages that have files, the last resort first."""
    found = (name for name in _names(FOLDER) if name[0] != "_")
    return tuple(sorted(found, key=lambda code: code != LAST_RESORT))


def _names(folder: str) -> list[str]:
    files = sorted(os.listdir(folder))  # noqa: PTH208 - see above
    return [name.removesuffix(".toml") for name in files if name.endswith(".toml")]


def listed(name: str, key: str) -> tuple[str, ...]:
    """One list of a file, empty if it has none."""
    return tuple(parsed(name).get(key, ()))


@cache
def small_words() -> frozenset[str]:
    """Words that only ask. English only: in other languages the language kit lists them."""
    return frozenset(listed(SEARCH, "stop_en"))


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
def matcher(name: str, after: str = "") -> re.Pattern[str]:
    """Finds a word of a list of marks in all languages, as a whole word, and what a pattern says
    after it.
    """
    words = sorted(rows(MARKS, name), key=len, reverse=True)
    # What is written without blanks between words has no whole ones.
    whole = "|".join(re.escape(word) for word in words if word[0] < "\u2e80")
    within = "|".join(re.escape(word) for word in words if word[0] >= "\u2e80")
    return re.compile(rf"(?:(?<![^\W_])(?:{whole})(?![^\W_])|{within}){after}", re.IGNORECASE)


@cache
def _notes() -> tuple[Mapping[str, Mapping[str, tuple[str, ...]]], ...]:
    return tuple(parsed(f"notes/{name}") for name in _names(f"{FOLDER}/notes"))


# Closed lists of phrases: the headings of rules, and the questions that ask for permission.

_UNSPACED = "\u2e80"
"""From here on, scripts have no blanks between words."""


def near(name: str, text: str) -> Iterator[re.Pattern[str]]:
    """The rows of a list whose letters are in a text: to compile all takes 3 ms of each search."""
    said = text.lower()
    for row in listed(SEARCH, name):
        if row.lstrip("^").partition("…")[0].lower() in said:
            yield _pattern(row)


@cache
def _pattern(row: str) -> re.Pattern[str]:
    """A row as whole words. `^` in front: only where a sentence begins; `…`: some words between."""
    words = re.escape(row.removeprefix("^")).replace("…", "[^.!?。！？]{0,60}?")
    if row[0] == "^":
        words = rf"(?:^|(?<=[.,:;!?¿]))\W*{words}\b"
    elif row[0] < _UNSPACED:
        words = rf"\b{words}\b"
    return re.compile(words, re.IGNORECASE)
