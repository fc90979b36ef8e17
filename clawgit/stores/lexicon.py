"""The word list that ships with us: how common a word is in English, and its nearest words.

`bench/make_near_words.py` makes it of the static model.
"""

from functools import partial
from mmap import mmap
from pathlib import Path

from clawgit.domain.search.lexicon import Known, Words
from clawgit.domain.search.terms import is_unspaced, queried
from clawgit.domain.search.tongue import ENGLISH, LATIN, Rank, han_of, latin_of
from clawgit.language.tokens import is_cjk
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

    def for_text(self, text: str) -> Words:
        """Looks up words in the language of a text."""
        asked = [word for word in queried(text) if not is_unspaced(word[0])]
        language = latin_of(asked, self._ranks)
        latin = partial(_known, self._other(language) if language else self._data)
        if text.isascii() or not is_cjk(text):
            return Words(latin, language)
        han = partial(_known, self._other(han_of(text)))
        return Words(lambda word: (han if is_unspaced(word[0]) else latin)(word), language)

    def _ranks(self) -> dict[str, Rank]:
        lists = {ENGLISH: self._data} | {code: self._other(code) for code in LATIN}
        return {code: partial(_rank, data) for code, data in lists.items()}

    def _other(self, language: str) -> mmap | bytes:
        if language not in self._others:
            name = f"{self._path.stem}-{language}{self._path.suffix}"
            self._others[language] = opened(self._path.with_name(name))
        return self._others[language]


def _known(data: mmap | bytes, word: str) -> Known | None:
    line = line_of(data, word)
    return _read(line) if line else None


def _rank(data: mmap | bytes, word: str) -> int | None:
    line = line_of(data, word)
    return max(0, int(line.partition(" ")[0])) if line else None


def _read(line: str) -> Known:
    rank, *near = line.split(" ")
    pairs = (part.rpartition(":") for part in near)
    return Known(int(rank), tuple((word, int(percent) / 100) for word, _, percent in pairs))
