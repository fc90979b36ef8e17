"""Words, numbers and, where a script has no spaces, single characters."""

import re
import unicodedata
from functools import lru_cache

from clawgit.language.lazily import lazily
from clawgit.values import NamedTuple

CJK = (
    "\u3005-\u3007\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Han and Kana: scripts without spaces between words."""
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_LETTER = rf"[^\W\d_{CJK}{HANGUL}]"
_REST = rf"[^\W_{CJK}{HANGUL}]"
_SHORT = 2_000
_LONG = 200_000
_MARKS = "\u0300-\u036f"

_TOKEN = lazily(
    rf"[{CJK}]"
    rf"|[{HANGUL}]+"
    rf"|\d+(?:[.,:]\d+)*"
    rf"|{_LETTER}(?:{_REST}|[{_MARKS}])*(?:['’](?:{_REST})+)*"
)
_ASCII_TOKEN = lazily(r"\d+(?:[.,:]\d+)*|[A-Za-z][A-Za-z0-9]*(?:'[A-Za-z0-9]+)*", re.ASCII)
"""The same for a text of ASCII alone: the classes of all scripts take 4 ms to compile."""

_IS_CJK = lazily(f"[{CJK}]")
_IS_HANGUL = lazily(f"[{HANGUL}]")


class Token(NamedTuple):
    """A word as it stands, and in the form in which words are compared."""

    start: int
    end: int
    text: str
    folded: str


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens from left to right. Short texts are cached, because many readers read the same
    one.
    """
    if len(text) <= _SHORT:
        return _remembered(text)
    return _last(text) if len(text) <= _LONG else _parted(text)


def _parted(text: str) -> tuple[Token, ...]:
    if text.isascii():
        # `lower` is all that `fold` does with ASCII, and much faster.
        return tuple(
            [
                Token(match.start(), match.end(), match[0], match[0].lower())
                for match in _ASCII_TOKEN.finditer(text)
            ]
        )
    return tuple(
        [
            Token(match.start(), match.end(), match[0], fold(match[0]))
            for match in _TOKEN.finditer(text)
        ]
    )


@lru_cache(maxsize=256)
def _remembered(text: str) -> tuple[Token, ...]:
    return _parted(text)


# A long text is read by several readers in a row, and then never again.
@lru_cache(maxsize=1)
def _last(text: str) -> tuple[Token, ...]:
    return _parted(text)


def fold(word: str) -> str:
    """One form for a word in capitals, full-width letters or with a typographic apostrophe.

    Accents stay.
    """
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word).casefold().replace("’", "'")


def is_cjk(text: str) -> bool:
    """Whether a character of a script without spaces is in it."""
    return not text.isascii() and _IS_CJK.search(text) is not None


def is_hangul(text: str) -> bool:
    return not text.isascii() and _IS_HANGUL.search(text) is not None
