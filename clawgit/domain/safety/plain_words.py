"""A text as a reader takes it: words that are joined, broken or misspelt on purpose, made plain.

The judge has learned from plain text. An agent reads `Ignore_all_previous_instructions` just as
well.
"""

import re
import unicodedata
from functools import lru_cache

from clawgit.domain.safety.hidden_text import as_browsed, in_latin
from clawgit.doors import html
from clawgit.language.lazily import lazily

_ENTITY = lazily(r"&(?:#([0-9]{1,8}|[xX][0-9a-fA-F]{1,8})|nbsp|Tab|shy|ZeroWidthSpace|zwn?j);")
_MARK = lazily(
    r"~~|</?(?:a|abbr|b|bdi|bdo|big|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|tt|u"
    r"|wbr)(?:\s[^<>\n]{0,80})?/?>",
    re.IGNORECASE,
)
"""Marks within a line that a rendered page does not show."""

_NOTHING = "[`\ufffd\ud800-\udfff\u00ad\u200b-\u200d\u2060\ufeff]"
_BROKEN = lazily(f"{_NOTHING}(?<=\\w.){_NOTHING}{{0,7}}(?=\\w)")
"""What stands between the letters of a word and says nothing: bytes that are no text, for one."""

_DRAWN = lazily("[\u0262-\u029f\u1d00-\u1d22\ua730\ua731\u249c-\u24b5\U0001f110-\U0001f1ff]")
"""Latin letters that are drawn small, in boxes or in brackets; their names end with the letter."""

_A_LINK = r"\[[^\[\]\n]{1,24}\]\([^()\s]{0,200}\)"
_WRAPPED = lazily(
    rf"{_A_LINK}(?:[ \t|,;]{{0,3}}{_A_LINK}){{3,}}"
    r"|_(?<!\w_)[^\W_]{1,24}_(?:[ \t|,;]{0,3}_[^\W_]{1,24}_){3,}"
)
"""At least four words with markup around each."""

_AROUND = lazily(r"\]\([^()\s]*\)|[\[_]")

_JOINED = lazily(r"(?<![^\W\d_])[^\W\d_]{1,24}+(?:[_.~+|=,:;/\\-]{1,3}+[^\W\d_]{1,24}+){3,}")
"""At least four words with a sign in place of each blank. A path is one too, and is harmless."""

_JOINT = lazily(r"[_.~+|=,:;/\\-]+")

_HUMPED = lazily(r"(?<![A-Za-z])[A-Za-z][a-z]{0,24}+(?:[A-Z][a-z]{0,24}+){3,}")
"""At least four words, each known by its capital letter."""

_HUMP = lazily(r"(?<=[a-z])(?=[A-Z])")

_WORD = lazily(r"[\w@$!]+")
_DIGITS = str.maketrans("013457@$!", "oieastasi")
_BESIDE = lazily(r"[013457@$][A-Za-z]|[A-Za-z][013457@$!]")

_FEWEST = 3
"""Words with digits in place of letters that make a text suspicious: one or two are names."""


def plain(text: str) -> str:
    """The text in plain words; the same text where nothing is disguised."""
    text = apart(text)
    if len(_BESIDE.findall(text)) < _FEWEST:
        return text
    words = _WORD.findall(text)
    misspelt = {word for word in {*words} if _is_misspelt(word)}
    if sum(map(misspelt.__contains__, words)) < _FEWEST:
        return text
    return _WORD.sub(
        lambda found: found[0].translate(_DIGITS) if found[0] in misspelt else found[0], text
    )


@lru_cache(maxsize=2)  # the checks of one text ask one after another
def apart(text: str) -> str:
    """The text with words put together that are broken, and words apart that are joined, without
    what only makes them hard to find, and with plain letters.
    """
    text = _BROKEN.sub("", _MARK.sub("", _ENTITY.sub(_entity, as_browsed(text))))
    if not text.isascii():
        text = in_latin(_DRAWN.sub(_letter, text))
    text = _WRAPPED.sub(lambda run: _AROUND.sub("", run[0]), text)
    text = _JOINED.sub(lambda run: _JOINT.sub(" ", run[0]), text)
    return _HUMPED.sub(lambda run: _HUMP.sub(" ", run[0]), text)


def _entity(found: re.Match[str]) -> str:
    sign = html.unescape(found[0])
    # An entity never ends a line.
    return sign if sign.isprintable() else " " * sign.isspace()


def _letter(sign: re.Match[str]) -> str:
    name = unicodedata.name(sign[0], "").rpartition(" ")[2]
    return name.lower() if len(name) == 1 else sign[0]


def _is_misspelt(word: str) -> bool:
    """Whether digits pass for letters within a word, as in `1gn0r3`. The end of a word may have a
    number or a mark of its own: `python3`, `yes!`.
    """
    letters = sum(sign.isalpha() for sign in word)
    others = len(word) - letters
    has_both = any(sign in "013457@$" for sign in word.rstrip("0123456789!"))
    return letters > 1 and has_both and others <= letters + 1
