"""The word list that ships with us: how common a word is in English, and its nearest words.

`bench/make_near_words.py` makes it of the static model.
"""

from collections.abc import Sequence
from functools import partial
from mmap import mmap
from operator import itemgetter
from pathlib import Path

from clawgit.domain.search.lexicon import Known, WordLookup
from clawgit.stores.word_list import line_of, opened

LEXICON = Path(__file__).parent / "embed" / "model" / "near_words.txt"
OTHERS = ("de", "es", "ja", "zh")
"""Languages with a list of their own beside the English one; `near_words-de.txt` and so on."""


class Lexicon:
    """Answers for single words.

    A word that is not in the list is unknown; without a list all are.
    """

    def __init__(self, path: Path = LEXICON) -> None:
        self._path = path
        self._data = opened(path)
        self._others: dict[str, mmap | bytes] = {}

    def known(self, word: str) -> Known | None:
        return _known(self._data, word)

    def for_words(self, words: Sequence[str]) -> WordLookup:
        """Looks up words in the language that has most of these; in English if none has more."""
        unknown = [word for word in words if not line_of(self._data, word)]
        most, best = len(words) - len(unknown), self._data
        for language in OTHERS if unknown else ():
            data = self._other(language)
            # Most questions in English have a name that no list has: four words are looked up.
            if any(line_of(data, word) for word in unknown):
                count = sum(bool(line_of(data, word)) for word in words)
                most, best = max((most, best), (count, data), key=itemgetter(0))
        return partial(_known, best)

    def _other(self, language: str) -> mmap | bytes:
        if language not in self._others:
            name = f"{self._path.stem}-{language}{self._path.suffix}"
            self._others[language] = opened(self._path.with_name(name))
        return self._others[language]


def _known(data: mmap | bytes, word: str) -> Known | None:
    line = line_of(data, word)
    return _read(line) if line else None


def _read(line: str) -> Known:
    rank, *near = line.split(" ")
    pairs = (part.rpartition(":") for part in near)
    return Known(int(rank), tuple((word, int(percent) / 100) for word, _, percent in pairs))
