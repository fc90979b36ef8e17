"""Words, numbers and, where a script has no spaces, single characters."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from clawgit.core import NamedTuple
from clawgit.language.files import data_of
from clawgit.language.lazily import lazily

CJK = (
    "\u3005-\u3007\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Han and Kana: scripts without spaces between words."""
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_FULL = "\uff01-\uff5e\u3000-\u3000"
_HALF = {full: full - 0xFEE0 for full in range(0xFF01, 0xFF5F)} | {0x3000: " "}
_WORD = 8
_SHORT = 2_000
_LONG = 200_000
_MARKS = "\u0300-\u036f"


def _token(besides: str = "") -> str:
    """A number or a word, in which the characters `besides` do not count as letters."""
    letter, rest = rf"[^\W\d_{besides}]", rf"[^\W_{besides}]"
    return rf"\d+(?:[.,:]\d+)*|{letter}(?:{rest}|[{_MARKS}])*(?:['’]{rest}+)*"


_TOKEN = lazily(rf"[{CJK}]|[{HANGUL}]+|{_token(CJK + HANGUL)}")
_SPACED_TOKEN = lazily(_token())
"""The same for a text in scripts with spaces alone: the others take 4 ms to compile."""
_ASCII_TOKEN = lazily(r"\d+(?:[.,:]\d+)*|[A-Za-z][A-Za-z0-9]*(?:'[A-Za-z0-9]+)*", re.ASCII)
"""The same for a text of ASCII alone."""


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
    # `lower` is all that `fold` does with ASCII, and much faster.
    pattern, form = (_ASCII_TOKEN, str.lower) if text.isascii() else (_SPACED_TOKEN, fold)
    if has_signs(text, CJK + HANGUL):
        pattern = _TOKEN
    return tuple(
        [
            Token(match.start(), match.end(), match[0], form(match[0]))
            for match in pattern.finditer(text)
        ]
    )


_remembered = lru_cache(maxsize=256)(_parted)

# A long text is read by several readers in a row, and then never again: a message, the turn before
# it and an entry in turns.
_last = lru_cache(maxsize=3)(_parted)


def fold(word: str) -> str:
    """One form for a word in capitals, full-width letters or with a typographic apostrophe.

    Accents stay.
    """
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word).casefold().replace("’", "'")


def half_width(text: str) -> str:
    """The text with the full-width forms of ASCII as ASCII: `CI` for `ＣＩ`."""
    return text.translate(_HALF) if has_signs(text, _FULL) else text


def is_cjk(text: str) -> bool:
    """Whether a character of a script without spaces is in it."""
    return has_signs(text, CJK)


def has_kana(text: str) -> bool:
    """Whether a text is Japanese by its letters. Han characters alone may be Chinese."""
    return has_signs(text, "\u3041-\u30ff")


def is_hangul(text: str) -> bool:
    return has_signs(text, HANGUL)


def has_signs(text: str, ranges: str) -> bool:
    """Whether a character of some ranges beyond ASCII, `a-z` one after the other, is in a text.

    A pattern of large ranges takes 2 ms to compile.
    """
    if text.isascii():
        return False
    return _has_signs(text, ranges) if len(text) > _WORD else _word_has_signs(text, ranges)


def _has_signs(text: str, ranges: str) -> bool:
    least = min(ranges[::3])
    signs = [sign for sign in {*text} if sign >= least]
    return any(
        first <= sign <= last
        for sign in signs
        for first, last in zip(ranges[::3], ranges[2::3], strict=True)
    )


# Each character of a text without spaces is a token, and is asked about several times.
_word_has_signs = lru_cache(maxsize=4096)(_has_signs)


def pairs(run: str) -> Iterator[str]:
    """Every two characters that stand together in a run without spaces; a single one is itself."""
    return (run[at : at + 2] for at in range(max(len(run) - 1, 1)))


def simplified(text: str) -> str:
    return text.translate(_simple_forms()) if is_cjk(text) else text


@cache
def _simple_forms() -> dict[int, int]:
    """The simplified character of each traditional one."""
    return str.maketrans(*data_of("traditional.txt").split())
