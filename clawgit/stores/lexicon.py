"""The word list that ships with us: how common a word is in English, and its nearest words.

`bench/make_near_words.py` makes it of the static model. It is searched by halving, so that opening
it costs nothing.
"""

from mmap import ACCESS_READ, mmap
from pathlib import Path

from clawgit.domain.search.lexicon import Known

LEXICON = Path(__file__).parent / "embed" / "model" / "near_words.txt"


class Lexicon:
    """Answers for single words.

    A word that is not in the list is unknown; without a list all are.
    """

    def __init__(self, path: Path = LEXICON) -> None:
        self._data = _mapped(path)

    def known(self, word: str) -> Known | None:
        line = self._line(word)
        return _read(line) if line else None

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
