"""The words of other languages in the space of the English word pieces.

What a word means is told by its translations (`bench/make_other_words.py`), so a word of German or
Japanese is near to another that is translated alike, whatever the two look like.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from clawgit.doors import numpy as np
from clawgit.language.tokens import CJK
from clawgit.stores.embed.contract import Rows

WORDS, TABLE = "other_words.txt", "other_words.npy"

LATIN = ("de", "es")

STEPS = 16
"""The last number of a row, in sixteenths, is what the others are multiplied by."""

_MIDDLE = 8
"""A half byte holds a number from -7 to 7, told from 1 to 15."""

_WORD = re.compile(r"[^\W\d_]+")
_KANA = re.compile("[\u3041-\u30ff]")
_LONGEST = 6
"""Characters of a word of Chinese or Japanese, which has no spaces around it."""

_ONLY_ENGLISH = frozenset(
    (
        *("the", "of", "and", "is", "what", "did", "when", "where", "who", "how", "does", "with"),
        *("for", "my", "she", "they", "have", "this", "that", "are", "were", "which", "from", "it"),
    )
)
"""A text with one of these is English, and the table need not be read."""

_SHORTEST_PART = 4
"""Letters of each part of a compound, as in “Zahnarzttermin”."""


class OtherWords:
    """Read when the first text asks for it that is not plainly English."""

    def __init__(self, folder: Path, english: Container[str]) -> None:
        self._folder, self._english = folder, english
        self._table = np.load(folder / TABLE, mmap_mode="r").view(np.ndarray)
        self._known: dict[str, dict[str, int]] = {}

    @cached_property
    def _lines(self) -> list[str]:
        return (self._folder / WORDS).read_text("utf-8").split("\n")

    def _rows(self, language: str) -> Mapping[str, int]:
        """The row of each word. A line of the file has a language, and the words of it that share
        a row.
        """
        if language not in self._known:
            mark = f"{language} "
            ours = ((row, line) for row, line in enumerate(self._lines) if line.startswith(mark))
            self._known[language] = {
                word: row for row, line in ours for word in line[len(mark) :].split(" ")
            }
        return self._known[language]

    @cached_property
    def _is_cjk(self) -> re.Pattern[str]:
        return re.compile(f"[{CJK}]+")

    def taken(self, text: str) -> tuple[list[int], str]:
        """The rows of the words of another language, and the rest of the text, which is English."""
        text = text.lower()
        rows: list[int] = []
        if not text.isascii() and (runs := self._is_cjk.findall(text)):
            han = self._rows("ja" if _KANA.search(text) else "zh")
            rows = [row for run in runs for row in _segmented(run, han)]
            text = self._is_cjk.sub(" ", text)
        words = _WORD.findall(text)
        known = self._language_of(words)
        if not known:
            return rows, text
        left: list[str] = []
        for word in words:
            found = [*_found(word, known)]
            rows += found
            left += [] if found else [word]
        return rows, " ".join(left)

    def _language_of(self, words: Sequence[str]) -> Mapping[str, int]:
        """The words of the language that has more of these than English; none if English has."""
        if not words or not _ONLY_ENGLISH.isdisjoint(words):
            return {}
        english = sum(map(self._english.__contains__, words))
        count, language = max(
            (sum(map(self._rows(language).__contains__, words)), language) for language in LATIN
        )
        return self._rows(language) if count >= max(english, 1) else {}

    def sums(self, rows: list[int]) -> Rows:
        """The vectors of these rows, added up."""
        packed = self._table[rows]
        halves = np.stack((packed[:, :-1] >> 4, packed[:, :-1] & 15), axis=2)
        numbers = halves.reshape(len(rows), -1).astype(np.float32) - _MIDDLE
        scale = packed[:, -1].astype(np.float32) / STEPS
        added: Rows = (numbers * scale[:, None]).sum(axis=0)
        return added


def _found(word: str, known: Mapping[str, int]) -> Iterator[int]:
    row = known.get(word)
    if row is not None:
        yield row
        return
    # The last part says what a compound is, so the longest one that is a word is taken.
    for start in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        last, first = known.get(word[start:]), known.get(word[:start].rstrip("s"))
        if last is not None and first is not None:
            yield from (first, last)
            return


def _segmented(run: str, known: Mapping[str, int]) -> Iterator[int]:
    """The longest words from the left on; a character of none is left out."""
    start = 0
    while start < len(run):
        for end in range(min(len(run), start + _LONGEST), start, -1):
            row = known.get(run[start:end])
            if row is not None:
                yield row
                break
        start = end
