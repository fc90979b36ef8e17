"""The table of words that comes with clawgit: how common a word is, and its nearest words.

It is sorted lines of a word and what is known of it, searched by halving, so that opening it costs
nothing. `words/ORIGIN.md` says what it was made of.
"""

from functools import lru_cache, partial
from mmap import ACCESS_READ, mmap
from pathlib import Path

from clawgit.domain.search.kindred import stemmed
from clawgit.domain.search.lexicon import EMPTY, Known, Words
from clawgit.domain.search.terms import is_unspaced, phrase
from clawgit.domain.search.terms import words as split
from clawgit.domain.search.tongue import NO_HOME, Home, han_of, latin_of
from clawgit.language.files import SEARCH, listed
from clawgit.language.simplified import simplified
from clawgit.language.tokens import is_cjk

LEXICON = Path(__file__).parent / "words" / "near_words.txt"

_OTHER = "~"
"""Begins what a line says of a word of other languages; what it says of English comes before."""

_KEPT = 4096
"""Words that are kept: a question asks for each several times, and for its parts, too."""


class Lexicon:
    """Answers for single words.

    A word that is not in the table is unknown; without a table all are.
    """

    def __init__(self, path: Path = LEXICON) -> None:
        self._data = _opened(path)
        self._of = lru_cache(maxsize=_KEPT)(self._in_language)

    def known(self, word: str) -> Known | None:
        """What is known of an English word."""
        english = line_of(self._data, word).partition(_OTHER)[0]
        return _read(english) if english else None

    def for_text(self, text: str, home: Home = NO_HOME) -> Words:
        """Looks up words in the language of a text; where that does not tell, in the memory's."""
        language = latin_of(text, home)
        latin = partial(self._of, language) if language else self.known
        if text.isascii() or not is_cjk(text):
            return Words(latin, language)
        of_han = han_of(text, home)
        han = partial(self._of, of_han)
        return Words(lambda word: (han if is_unspaced(word[0]) else latin)(word), language, of_han)

    def _in_language(self, language: str, word: str) -> Known | None:
        """What is known of a word of another language."""
        word = simplified(word)
        if word in _grammar(language):
            return Known(EMPTY)
        other = line_of(self._data, word).partition(_OTHER)[2]
        if not other:
            return None
        known = _read(other)
        near = ((phrase(stemmed(other, language)), cosine) for other, cosine in known.near)
        return known._replace(near=tuple(near))


@lru_cache(maxsize=8)
def _grammar(language: str) -> frozenset[str]:
    """The words of a language that are little but grammar, as the index has them."""
    words = (
        *listed(language, "function_words"),
        *listed(language, "first_person"),
        *listed(SEARCH, f"asking_{language}"),
    )
    return frozenset(simplified(word) if is_cjk(word) else " ".join(split(word)) for word in words)


@lru_cache(maxsize=16)
def _opened(path: Path) -> mmap | bytes:
    """The lines of a table; none if there is no such file."""
    if not path.is_file() or not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


@lru_cache(maxsize=_KEPT)
def line_of(data: mmap | bytes, word: str) -> str:
    """What a table says of a word; "" if it does not have the word."""
    if not word.isalnum():
        return ""
    low, high, wanted = 0, len(data), word.encode("utf-8", "replace")
    while low < high:
        begin = data.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = data.find(b"\n", begin, high)
        name, _, rest = data[begin:end].partition(b" ")
        if name == wanted:
            return rest.decode()
        if name < wanted:
            low = end + 1
        else:
            high = begin
    return ""


def _read(line: str) -> Known:
    rank, *near = line.split()
    pairs = (part.rpartition(":") for part in near)
    return Known(int(rank), tuple((word, int(percent) / 100) for word, _, percent in pairs))
