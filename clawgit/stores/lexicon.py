"""The word list in the package: how common a word is in English, its nearest words, and a short
vector of its meaning. `bench/make_near_words.py` makes it from the static model. It is searched by
bisection, so opening it costs nothing.
"""

from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

from clawgit.domain.search.lexicon import Known, Vector

LEXICON = Path(__file__).parent / "embed" / "model" / "near_words.txt"
WORD_VECTORS = "word_vectors.bin"
"""The file next to the list: `WORD_WIDTH` bytes of signs for each word, by its rank."""

WORD_WIDTH = 64

_KEPT = 4096
"""How many vectors a process that stays open caches: most words of a memory occur again."""


class Lexicon:
    """Answers for single words.

    A word that is not in the list is unknown; without a list all are.
    """

    def __init__(self, path: Path = LEXICON) -> None:
        self._data = _mapped(path)
        self._vectors = memoryview(_mapped(path.with_name(WORD_VECTORS))).cast("b")
        self.vector = lru_cache(_KEPT)(self._vector)
        """None for a word that is not in the list."""

    def known(self, word: str) -> Known | None:
        line = self._line(word)
        return _read(line) if line else None

    def _vector(self, word: str) -> Vector | None:
        line = self._line(word)
        if not line:
            return None
        first = int(line.partition(" ")[0]) * WORD_WIDTH
        return self._vectors[first : first + WORD_WIDTH].tolist() or None

    def _line(self, word: str) -> str:
        """The line of a word; "" if the list does not have the word."""
        if not word.isascii() or not word.isalpha():
            return ""
        low, high, wanted = 0, len(self._data), word.encode()
        while low < high:
            begin = self._data.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._data.find(b"\n", begin, high)
            name, _, rest = self._data[begin:end].partition(b" ")
            if name == wanted:
                return rest.decode()
            if name < wanted:
                low = end + 1
            else:
                high = begin
        return ""


def _mapped(path: Path) -> mmap | bytes:
    if not path.is_file() or not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def _read(line: str) -> Known:
    rank, *near = line.split(" ")
    pairs = (part.rpartition(":") for part in near)
    return Known(int(rank), tuple((word, int(percent) / 100) for word, _, percent in pairs))
