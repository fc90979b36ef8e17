"""Splits text of any language into the word pieces of a unigram vocabulary, in Python alone."""

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from unicodedata import normalize

from clawgit.language.simplified import simple_forms, simplified
from clawgit.language.tokens import has_kana, is_cjk

SHIPPED = Path(__file__).parent / "reader"
"""The models that read many languages, and the pieces that they share."""

PIECES = "pieces.txt"
"""One piece and its score per line; the number of the line is that of the piece."""

SCALE = 1000
"""A score is multiplied by this, and rounded."""

START, NOTHING, END, UNKNOWN = range(4)
"""The numbers of the pieces that frame a text, fill it up, and stand for a letter that has no
piece.
"""

_MOST_UNKNOWN = 0.1
"""The share of unknown pieces up to which a text is known. Vietnamese has more, Cyrillic and Thai
have nearly nothing else.
"""

_ENOUGH = 5
"""Of so many pieces, one may be unknown in Chinese and Japanese: a rare character of a name."""

_WORD_BEGINS = "▁"
_MOST_REMEMBERED = 100_000
_LONGEST_WORD = 2_000
"""Characters: of a longer run without blanks, only the beginning is read."""


class Unigrams:
    """The likeliest way to split each word, by the scores of its pieces, as SentencePiece does."""

    def __init__(self, lines: Sequence[str]) -> None:
        parts = "\t".join(lines).split("\t")  # a loop over 48,000 lines takes three times as long
        self._scores = [*map(int, parts[1::2])]
        self._numbers = dict(zip(parts[::2], range(len(self._scores)), strict=True))
        self._longest = max(map(len, self._numbers))
        # A letter that is no piece costs more than any piece.
        self._strange = min(self._scores) - 10 * SCALE
        self._words = _Words(self)

    def ids(self, text: str) -> list[int]:
        text, remembered = self._readable(normalize("NFKC", text)), self._words
        return [piece for word in text.split() for piece in remembered[word]]

    def _readable(self, text: str) -> str:
        """Chinese in simplified characters where it has no pieces; of Japanese, these alone."""
        if not is_cjk(text) or self._lacking.keys().isdisjoint(map(ord, text)):
            return text
        return text.translate(self._lacking) if has_kana(text) else simplified(text)

    @cached_property
    def _lacking(self) -> dict[int, str]:
        """The traditional characters that are in no piece, while their simplified forms are in one.
        It takes 12 ms, so the first text in Chinese or Japanese asks for it.
        """
        letters = {*"".join(self._numbers)}
        forms = simple_forms().items()
        return {ord(one): other for one, other in forms if one not in letters and other in letters}

    def split(self, word: str) -> tuple[int, ...]:
        """The pieces of one word."""
        text = _WORD_BEGINS + word[:_LONGEST_WORD]
        # For each place: the best score up to it, where its last piece begins, and which it is.
        best: list[tuple[int, int, int]] = [(0, 0, UNKNOWN)]
        for end in range(1, len(text) + 1):
            score, begin, number = best[end - 1][0] + self._strange, end - 1, UNKNOWN
            for start in range(max(0, end - self._longest), end):
                found = self._numbers.get(text[start:end])
                if found is not None and best[start][0] + self._scores[found] > score:
                    score, begin, number = best[start][0] + self._scores[found], start, found
            best.append((score, begin, number))
        pieces, end = list[int](), len(text)
        while end:
            _, begin, number = best[end]
            pieces.append(number)
            end = begin
        return tuple(reversed(pieces))


class _Words(dict[str, tuple[int, ...]]):
    """A cache of split words: a few thousand make up nearly all of a text."""

    def __init__(self, pieces: Unigrams) -> None:
        super().__init__()
        self._pieces = pieces

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        found = self[word] = self._pieces.split(word)
        return found


@cache
def read_pieces(folder: Path) -> Unigrams:
    return Unigrams((folder / PIECES).read_text("utf-8").split("\n"))


def are_known(text: str, pieces: Sequence[int], unknown: int = UNKNOWN) -> bool:
    """Whether there are pieces for nearly all letters of a text."""
    rare = 1 if is_cjk(text) and len(pieces) >= _ENOUGH else 0
    return pieces.count(unknown) <= max(rare, len(pieces) * _MOST_UNKNOWN)
