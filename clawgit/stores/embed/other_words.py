"""The words of other languages in the space of the English word pieces.

What a word means is told by its translations (`bench/make_other_words.py`), so a word of German or
Japanese is near to another that is translated alike, whatever the two look like.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from mmap import mmap
from pathlib import Path

from clawgit.doors import numpy as np
from clawgit.language.tokens import CJK
from clawgit.stores.embed.contract import Rows
from clawgit.stores.word_list import line_of, lines_of, opened

WORDS, TABLE = "other_words-{}.txt", "other_words.npy"
"""For each language the row of each word; and the rows of all."""

LANGUAGES = ("de", "es", "ja", "zh")

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

_FEW = 100
"""Words of one question. For more it pays to read the whole list, which takes 10 ms."""


class _Rows:
    """The row of each word of a language."""

    def __init__(self, path: Path) -> None:
        self._path, self._asked = path, 0

    def get(self, word: str) -> int | None:
        self._asked += 1
        if self._asked > _FEW:
            return self._all.get(word)
        row = line_of(self._list, word)
        return int(row) if row else None

    def __contains__(self, word: str) -> bool:
        return self.get(word) is not None

    @cached_property
    def _list(self) -> mmap | bytes:
        return opened(self._path)

    @cached_property
    def _all(self) -> Mapping[str, int]:
        return {word: int(row) for word, row in lines_of(self._list)}


class OtherWords:
    """Read when the first text asks for it that is not plainly English."""

    def __init__(self, folder: Path, english: Container[str]) -> None:
        self._english = english
        self._rows = {name: _Rows(folder / WORDS.format(name)) for name in LANGUAGES}
        self._table = np.load(folder / TABLE, mmap_mode="r").view(np.ndarray)

    @cached_property
    def _is_cjk(self) -> re.Pattern[str]:
        return re.compile(f"[{CJK}]+")

    def taken(self, text: str) -> tuple[list[int], str]:
        """The rows of the words of another language, and the rest of the text, which is English."""
        text = text.lower()
        rows: list[int] = []
        if not text.isascii() and (runs := self._is_cjk.findall(text)):
            han = self._rows["ja" if _KANA.search(text) else "zh"]
            rows = [row for run in runs for row in _segmented(run, han)]
            text = self._is_cjk.sub(" ", text)
        words = _WORD.findall(text)
        known = self._language_of(words)
        if known is None:
            return rows, text
        left: list[str] = []
        for word in words:
            found = [*_found(word, known)]
            rows += found
            left += [] if found else [word]
        return rows, " ".join(left)

    def _language_of(self, words: Sequence[str]) -> _Rows | None:
        """The words of the language that has more of these than English; None if English has."""
        if not words or not _ONLY_ENGLISH.isdisjoint(words):
            return None
        english = sum(map(self._english.__contains__, words))
        count, language = max(
            (sum(map(self._rows[language].__contains__, words)), language) for language in LATIN
        )
        return self._rows[language] if count >= max(english, 1) else None

    def sums(self, rows: list[int]) -> Rows:
        """The vectors of these rows, added up."""
        packed = self._table[rows]
        halves = np.stack((packed[:, :-1] >> 4, packed[:, :-1] & 15), axis=2)
        numbers = halves.reshape(len(rows), -1).astype(np.float32) - _MIDDLE
        scale = packed[:, -1].astype(np.float32) / STEPS
        added: Rows = (numbers * scale[:, None]).sum(axis=0)
        return added


def _found(word: str, known: _Rows) -> Iterator[int]:
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


def _segmented(run: str, known: _Rows) -> Iterator[int]:
    """The longest words from the left on; a character of none is left out."""
    start = 0
    while start < len(run):
        for end in range(min(len(run), start + _LONGEST), start, -1):
            row = known.get(run[start:end])
            if row is not None:
                yield row
                break
        start = end
