"""The words of other languages in the space of the English word pieces.

What a word means is told by its translations (`bench/make_other_words.py`), so a word of German or
Japanese is near to another that is translated alike, whatever the two look like.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import islice
from mmap import mmap
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.search.cutting import cut, terms
from clawgit.domain.search.tongue import (
    ENGLISH,
    NO_HOME,
    Home,
    Rank,
    han_of,
    is_in,
    latin_of,
    spaced,
)
from clawgit.domain.search.wording import MOST_WORDS, telling_words
from clawgit.doors import numpy as np
from clawgit.language.lazily import lazily
from clawgit.language.simplified import simplified
from clawgit.language.tokens import CJK
from clawgit.stores.embed.contract import Rows
from clawgit.stores.word_list import languages_of, line_of, opened

WORDS, TABLE = "other_words-{}.txt", "other_words.npy"
"""For each language the row of each word; and the rows of all, the commonest word's first."""

PIECES = 8
"""English pieces whose vectors, added up, are that of a word."""

STEPS = 64
"""The parts of one in which a row says how much each of its pieces counts."""

_WORD = re.compile(r"[^\W\d_]+")
_CJK_RUN = lazily(f"[{CJK}]+")

_SHORTEST_PART = 4
"""Letters of each part of a compound, as in “Zahnarzttermin”."""

_KEPT = 4096
"""Vectors of words that are kept, of a kilobyte each."""

_FEW = 2_000
"""Words of one question. Reading the whole list takes as long as 1,400; an index has many more."""


class WordRows:
    """The row of each word of a language."""

    def __init__(self, path: Path, languages: int = 1) -> None:
        self._path, self._languages, self._asked = path, languages, 0

    def get(self, word: str) -> int | None:
        self._asked += 1
        word = simplified(word)
        row = self._all.get(word) if self._asked > _FEW else line_of(self._list, word)
        return int(row) if row else None

    def __getitem__(self, word: str) -> int:
        row = self.get(word)
        if row is None:
            raise KeyError(word)
        return row

    def __contains__(self, word: str) -> bool:
        return self.get(word) is not None

    def rank(self, word: str) -> int | None:
        """The place of a word by how common it is: rows of all languages are in this order."""
        row = self.get(word)
        return None if row is None else row // self._languages

    @cached_property
    def _list(self) -> mmap | bytes:
        return opened(self._path)

    @cached_property
    def _all(self) -> Mapping[str, str]:
        parts = self._list[:].decode().split()
        return dict(zip(parts[::2], parts[1::2], strict=True))


NO_ROWS = WordRows(Path())


class OtherWords:
    """Read when the first text asks for it that is not plainly English."""

    def __init__(self, folder: Path, pieces: Mapping[str, int], english: Rows) -> None:
        self._english = english
        languages = languages_of(folder, WORDS)
        self._rows = {
            name: WordRows(folder / WORDS.format(name), len(languages)) for name in languages
        }
        self._table = np.load(folder / TABLE, mmap_mode="r").view(np.ndarray)
        # The vector of a word, by its rows. Kept, since a server compares the same words again.
        self.word = lru_cache(maxsize=_KEPT)(self.sums)
        self._pieces = pieces
        first = pieces.get("the", 0)
        self._ranks: dict[str, Rank] = {
            ENGLISH: partial(_piece_rank, pieces, first),
            **{code: self._rows[code].rank for code in spaced(languages)},
        }

    def vocabulary(
        self, question: str, home: Home = NO_HOME
    ) -> "tuple[Vocabulary, Mapping[str, str]]":
        """The words of the languages that a question is in, and for its terms the words that they
        are of.
        """
        text = question.lower()
        runs = [] if text.isascii() else _CJK_RUN.findall(text)
        han = self._rows[han_of(text, home)] if runs else NO_ROWS
        words = (word for run in runs for word in _words_of(run, han))
        whole = {term: word for word in words for term in terms(word)}
        latin = _CJK_RUN.sub(" ", text) if runs else text
        return Vocabulary(self._latin(_WORD.findall(latin), home), han), whole

    def taken(self, text: str, home: Home = NO_HOME) -> tuple[list[int], str]:
        """The rows of the words of another language, and the rest, which is English."""
        text = text.lower()
        rows: list[int] = []
        if not text.isascii() and (runs := _CJK_RUN.findall(text)):
            han = self._rows[han_of(text, home)]
            rows = [han[word] for run in runs for word in _words_of(run, han)]
            text = _CJK_RUN.sub(" ", text)
        latin = _WORD.findall(text)
        known = self._latin(latin, home)
        if known is NO_ROWS:
            return rows, text
        left: list[str] = []
        for word in latin:
            found = _found(word, known)
            rows += found
            left += [] if found else [word]
        return rows, " ".join(left)

    def has(self, question: str, home: Home = NO_HOME) -> bool:
        """Whether a question is in a language that is known here, English included."""
        known, of_han = self.vocabulary(question, home)
        latin = _WORD.findall(_CJK_RUN.sub(" ", question.lower()))

        def is_known(word: str) -> bool:
            if known.latin is NO_ROWS:
                # Few plurals are pieces of their own.
                return word in self._pieces or word.removesuffix("s") in self._pieces
            return bool(_found(word, known.latin))

        return bool(of_han) or is_in(latin, is_known)

    def _latin(self, words: Sequence[str], home: Home) -> WordRows:
        """The words of the language that these are in; none if it is English."""
        language = latin_of(words, lambda: self._ranks, home)
        return self._rows[language] if language else NO_ROWS

    def sums(self, rows: Sequence[int]) -> Rows:
        """The vectors of these rows, added up."""
        pieces, counts = self.pieces_of(rows)
        added: Rows = np.array(counts, np.float32) @ self._english[pieces].astype(np.float32)
        return added

    def pieces_of(self, rows: Sequence[int]) -> tuple[list[int], list[float]]:
        """The English pieces of these rows, and what each counts."""
        packed = self._table[[*rows]]
        pieces, counts = packed[:, :PIECES].ravel(), packed[:, PIECES:].ravel()
        held = counts > 0  # few words have all of their places filled
        return pieces[held].tolist(), (counts[held] / STEPS).tolist()


@lru_cache(maxsize=16384)
def _found(word: str, known: WordRows) -> tuple[int, ...]:
    row = known.get(word)
    if row is not None:
        return (row,)
    # The last part says what a compound is, so the longest one that is a word is taken.
    for start in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        if (last := known.get(word[start:])) is None:
            continue
        if (first := known.get(word[:start].rstrip("s"))) is not None:
            return first, last
    return ()


def _piece_rank(pieces: Mapping[str, int], first: int, word: str) -> int | None:
    at = pieces.get(word)
    return None if at is None else max(0, at - first)


@lru_cache(maxsize=8192)
def _words_of(run: str, known: WordRows) -> tuple[str, ...]:
    """The words of a run of Chinese or Japanese. Cached: a server reads the same ones again."""
    return tuple(filter(known.__contains__, cut(run, known.__contains__)))


Place = int | tuple[int, ...]
"""Where the vector of a word is: the English piece that it is, or the rows of another language."""


class Vocabulary(NamedTuple):
    """The words of the languages of a question, each with its row; none for English."""

    latin: WordRows
    han: WordRows

    def telling(self, text: str) -> list[str]:
        """The words of a text that may answer."""
        if self.han is NO_ROWS or text.isascii():
            return telling_words(text)
        runs = _CJK_RUN.findall(text.lower())
        said = (word for run in runs for word in _words_of(run, self.han))
        return [*islice(said, MOST_WORDS), *telling_words(_CJK_RUN.sub(" ", text))]

    def rows(self, word: str) -> tuple[int, ...]:
        """The row of a word, or those of its parts; none of an English one."""
        if self.han is NO_ROWS and self.latin is NO_ROWS:
            return ()
        row = self.han.get(word)
        return _found(word, self.latin) if row is None else (row,)
