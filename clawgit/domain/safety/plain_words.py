"""A text as a reader takes it: words that are joined, broken or misspelt on purpose, made plain.

The judge has learned from plain text. An agent reads `Ignore_all_previous_instructions` just as
well.
"""

import re
from functools import lru_cache
from itertools import islice

from clawgit.domain.safety.hidden_text import in_latin
from clawgit.language.lazily import lazily

_BROKEN = lazily("(?<=\\w)[\ufffd\ud800-\udfff\u00ad\u200b-\u200d\u2060\ufeff]{1,4}(?=\\w)")
"""What stands between the letters of a word and says nothing: bytes that are no text, for one."""

_JOINED = lazily(r"(?<![^\W\d_])[^\W\d_]{1,24}+(?:[_.~+|=,:;/\\-]{1,3}+[^\W\d_]{1,24}+){3,}")
"""At least four words with a sign in place of each blank. A path is one too, and is harmless."""

_JOINT = lazily(r"[_.~+|=,:;/\\-]+")

_HUMPED = lazily(r"(?<![A-Za-z])[A-Za-z][a-z]{0,24}+(?:[A-Z][a-z]{0,24}+){3,}")
"""At least four words, each known by its capital letter."""

_A_JOINT = lazily(r"[_.~+|=,:;/\\-]{1,3}+[^\W\d_]")
_A_HUMP = lazily(r"[A-Z](?<=[A-Za-z].)")
_FEWEST = 3
"""What `_JOINED` or `_HUMPED` finds has at least this many of these. The two patterns above begin
with the character itself, so they skip a text without it ten times as fast.
"""

_HUMP = lazily(r"(?<=[a-z])(?=[A-Z])")

_WORD = lazily(r"[\w@$!]+")

_DIGITS = str.maketrans("013457@$!", "oieastasi")

_BESIDE = lazily(r"[013457@$][A-Za-z]|[A-Za-z][013457@$!]")

_MISSPELT = 3
"""Words with digits in place of letters that make a text suspicious: one or two are names."""


def plain(text: str) -> str:
    """The text in plain words; the same text where nothing is disguised."""
    text = apart(text)
    if len(_BESIDE.findall(text)) < _MISSPELT:
        return text
    words = _WORD.findall(text)
    misspelt = {word for word in {*words} if _is_misspelt(word)}
    if sum(map(misspelt.__contains__, words)) < _MISSPELT:
        return text
    return _WORD.sub(
        lambda found: found[0].translate(_DIGITS) if found[0] in misspelt else found[0], text
    )


def is_plain(text: str) -> bool:
    """Whether certainly nothing is disguised, in the text or in any line of it alone."""
    few = [*islice(_BESIDE.finditer(text), _MISSPELT)]
    return len(few) < _MISSPELT and apart(text) == text


@lru_cache(maxsize=2)  # the checks of one text ask one after another
def apart(text: str) -> str:
    """The text with words put together that are broken, and words apart that are joined."""
    if not text.isascii():
        text = in_latin(_BROKEN.sub("", text))
    if len(_A_JOINT.findall(text)) >= _FEWEST:
        text = _JOINED.sub(lambda run: _JOINT.sub(" ", run[0]), text)
    if len(_A_HUMP.findall(text)) >= _FEWEST:
        text = _HUMPED.sub(lambda run: _HUMP.sub(" ", run[0]), text)
    return text


def _is_misspelt(word: str) -> bool:
    """Whether digits pass for letters within a word, as in `1gn0r3`."""
    letters = sum(sign.isalpha() for sign in word)
    others = len(word) - letters
    return letters > 1 and others > 0 and _is_of_both(word) and others <= letters + 1


def _is_of_both(word: str) -> bool:
    # The end of a word may have a number or a mark of its own: `python3`, `yes!`.
    return any(sign in "013457@$" for sign in re.sub(r"[\d!]+$", "", word))
