"""Splits text into word pieces of a BERT vocabulary, faster than the usual library."""

import re
import unicodedata
from collections.abc import Sequence

_WORD = re.compile(r"[a-z0-9]+|[^\sa-z0-9\x00-\x1f\x7f]")
_LONGEST_WORD = 100
_MOST_REMEMBERED = 200_000
_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class WordPieces:
    """Lower-cased, without accents, split greedily, as BERT's own tokenizer does it."""

    def __init__(self, vocabulary: Sequence[str], unknown: tuple[int, ...] = ()) -> None:
        """`unknown` is what stands for a word that no pieces make up; nothing, if not told."""
        self.vocabulary = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
        self._words = _Words(self.vocabulary, unknown)
        self._letters = _Letters()

    def ids(self, text: str) -> list[int]:
        words = (
            _WORD.findall(text.lower()) if text.isascii() else text.translate(self._letters).split()
        )
        remembered = self._words
        return [piece for word in words for piece in remembered[word]]


class _Words(dict[str, tuple[int, ...]]):
    """Words already split: a few thousand make up nearly all of a text."""

    def __init__(self, pieces: dict[str, int], unknown: tuple[int, ...]) -> None:
        super().__init__()
        self._pieces, self._unknown = pieces, unknown

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        pieces = self[word] = self._split(word) if len(word) <= _LONGEST_WORD else self._unknown
        return pieces

    def _split(self, word: str) -> tuple[int, ...]:
        pieces, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                piece = self._pieces.get(prefix + word[start:end])
                if piece is not None:
                    break
            else:
                return self._unknown
            pieces.append(piece)
            start = end
        return tuple(pieces)


_INVISIBLE = ("Cc", "Cf", "Co")
_ACCENT = "Mn"
"""Categories of Unicode."""


class _Letters(dict[int, str]):
    """What becomes of each character, for `str.translate`; filled as characters occur."""

    def __missing__(self, code: int) -> str:
        plain = self[code] = _plain(chr(code))
        return plain


def _plain(letter: str) -> str:
    """A letter in lower case without accents; blanks around what is a word by itself."""
    if letter.isspace():
        return " "
    if letter == "\ufffd" or unicodedata.category(letter) in _INVISIBLE:
        return ""
    plain = "".join(
        f" {part} " if _is_mark(part) else part for part in _without_accents(letter).lower()
    )
    return f" {plain} " if _is_ideograph(letter) else plain


def _without_accents(letter: str) -> str:
    parts = unicodedata.normalize("NFD", letter)
    return "".join(part for part in parts if unicodedata.category(part) != _ACCENT)


def _is_ideograph(letter: str) -> bool:
    return any(low <= ord(letter) <= high for low, high in _IDEOGRAPHS)


def _is_mark(letter: str) -> bool:
    if letter.isascii():
        return not letter.isalnum()
    return unicodedata.category(letter).startswith("P")
