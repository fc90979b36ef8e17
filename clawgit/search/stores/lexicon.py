"""The table of words that comes with clawgit: how common a word is, and its nearest words.

It is sorted lines of a word and what is known of it, searched by halving, so that opening it costs
nothing. `words/ORIGIN.md` says what it was made of.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

from clawgit.core import NamedTuple

LEXICON = Path(__file__).parent / "words" / "near_words.txt"

_OTHER = "~"
"""Begins what a line says of a word of other languages; what it says of English comes before."""


class Known(NamedTuple):
    """A word's place by how common it is, from 0, and its nearest words, each with its cosine in
    hundredths.
    """

    rank: int
    near: Mapping[str, int]


@lru_cache(4096)  # a question asks for each word several times
def known(word: str, language: str) -> Known | None:
    """None for a word that is not in the table: a name, a slip, another language."""
    english, _, other = _line_of(_opened(), word).partition(_OTHER)
    said = (english if language == "en" else other).split()
    if not said:
        return None
    nearest = (near.rpartition(":") for near in said[1:])
    return Known(int(said[0]), {near: int(cosine) for near, _, cosine in nearest})


@cache
def _opened() -> mmap:
    """The lines of the table."""
    with LEXICON.open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def _line_of(data: mmap, word: str) -> str:
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
