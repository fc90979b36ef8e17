"""Words without what hides a key in them: escapes, entities, markup, invisible characters, wide
letters.

Only long words are read, since a key is one. A word is what stands between two blanks, or letters
that are spaced out.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.language.lazily import lazily

_WORD = lazily(r"(?<!\S)\S{12,8000}+|(?<!\S)(?:\S ){11,400}\S(?!\S)")

_NOISE = lazily(
    r"\\(?P<escaped>[^a-zA-Z0-9\s])|&#(?P<number>[0-9]{1,7}|[xX][0-9a-fA-F]{1,6});|&(?P<name>[a-z]{2,8});"
    "|%(?P<octet>[2-7][0-9a-fA-F])|(?P<wide>[\uff01-\uff5e])|[*`\x00-\x08\x0b-\x1f\x7f\u00ad\u034f"
    "\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufffd\ud800-\udfff]|~~"
)

_SIGNS = frozenset(" \\&%*`~")
"""The visible signs of ASCII with which noise begins, and the blank between spaced letters."""

_NAMED = {"lowbar": "_", "hyphen": "-", "dash": "-", "period": ".", "equals": "=", "plus": "+"}

LAST_CODE = 0x10FFFF
"""The last character that there is."""

_WIDE = 0xFEE0
"""How far the wide letters are from the usual ones."""


class BareWord(NamedTuple):
    """Where a word stands, and what it is without its disguise."""

    start: int
    end: int
    text: str


def bare_words(text: str) -> Iterator[BareWord]:
    """The long words of a text that are disguised."""
    for found in _WORD.finditer(text):
        if not _is_noisy(found[0]):
            continue
        word = found[0].replace(" ", "")
        bare = _NOISE.sub(_said, word)
        if bare != found[0]:
            yield BareWord(*found.span(), bare)


def _is_noisy(word: str) -> bool:
    """Whether a word may be disguised. Most are not, and cost no pattern then."""
    return not (word.isascii() and word.isprintable() and _SIGNS.isdisjoint(word))


def _said(noise: re.Match[str]) -> str:
    """The character that a piece of noise stands for; "" for markup and invisible characters."""
    if escaped := noise["escaped"]:
        return escaped
    if number := noise["number"]:
        code = int(number[1:], 16) if number[0] in "xX" else int(number)
        return chr(code) if code <= LAST_CODE else ""
    if name := noise["name"]:
        return _NAMED.get(name, noise[0])
    if octet := noise["octet"]:
        return chr(int(octet, 16))
    return chr(ord(noise["wide"]) - _WIDE) if noise["wide"] else ""
