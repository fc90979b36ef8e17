"""How a line hides what it says: invisible characters, letters that pass for others, encoded
text.
"""

import binascii
import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from clawgit.doors import html
from clawgit.language.lazily import lazily

_ZWJ = "\u200d"

_ZWNJ = "\u200c"

_ZWSP = "\u200b"

_STYLES = "\ufe0e\ufe0f"

_KEYS = tuple("#*0123456789")

_DIRECTIONS = "\u200e\u200f\u061c\u2066\u2067\u2068\u2069\u202a\u202b\u202c"

_PASTED = "\u200e\u200f\u061c\u00ad\ufeff\x7f"

_UNSEEN_SIGNS = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_UNSEEN = lazily(_UNSEEN_SIGNS)

_UNSEEN_RUN = lazily(_UNSEEN_SIGNS + "+")

_TAGS = 0xE0000
"""Added to an ASCII code, it is the same letter as a tag, which nothing shows."""

_BLANK, _DELETE = 0x20, 0x7F

_VARIANT = lazily("[\ufe00-\ufe0d\U000e0100-\U000e01ef]")

_IDEOGRAPH = lazily("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")

_EMOJI = lazily(
    "[\u00a9\u00ae\u203c\u2049\u20e3\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff]"
)

_FLAG = lazily("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{3,6}\U000e007f")

_FLAG_LENGTH = 8

_JOINING = lazily(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]"
)
"""Letters of the scripts in which joiners change how a word is written."""

_NEAR = 80

_RIGHT_TO_LEFT = lazily("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

_ACCENT = lazily("[\u0300-\u036f]")

_WORD = lazily(r"[^\W_]+")

_LATIN_LETTER = lazily("[a-z]")

_OTHER_WORD = lazily("[\u0370-\u052f_]{3,}")

_MIXED = lazily(r"[a-zA-Z][\u0251-\u052f]|[\u0251-\u052f][a-zA-Z]")
"""No word is of two alphabets where this is not found, and it is found much faster."""

_SHORTEST = 4

_LATIN = str.maketrans(
    "аɑαеоοрρсϲуγхχіιјѕԁһкκмтпвνωԛԝɡΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХІЈЅ",
    "aaaeooppccyyxxiijsdhkkmtnbvwqwgABEZHIKMNOPTYXABEKMHOPCTXIJS",
)

_SPELT_OUT = lazily(
    r"(?<![^\W_])(?:[^\W_]([^\w\n]|_)(?:[^\W_]\1)+|(?:[^\W_][ .\-_]){2,})[^\W_](?![^\W_])"
)
"""Letters with one and the same sign after each, or with blanks, dots and strokes."""

_LONE = lazily(r"([^\w\n]|_)[^\W_](?:\1|[ .\-_])")
"""A letter alone: looked for first, since most texts have none, and it is found much faster."""

_GAP = lazily(r"[\W_]")

_BLOB = lazily(
    r"(?:(?:\\x|\\u00|\\u\{|%)[0-9a-fA-F]{2}\}?){8,}|(?:&#x?[0-9a-fA-F]{1,8};){6,}|[A-Za-z0-9+/_-]{16,}={0,2}"
)

_ADDRESS = lazily(r"https?://[^\s<>]+")

_CODES = lazily("(?:%20|%[89a-fA-F][0-9a-fA-F])+")
"""Of blanks and letters beyond ASCII."""

_ASCII_LETTER = lazily("%(?:3[0-9]|[46][1-9a-fA-F]|[57][0-9aA])")
"""A letter or digit that no browser writes in percent codes."""

_SHORTEST_BLOB = 16

_ONE_WORD = lazily("[A-Z]?[a-z]{1,20}|[A-Z]{1,20}")

_ESCAPE = lazily(r"\\x|\\u00|\\u\{|\}|%")

_HEX = lazily("(?:[0-9a-fA-F]{2}){8,}")

_FROM_URL = str.maketrans("-_", "+/")

_WORDY = 0.6


class Unseen(NamedTuple):
    """`harmless`: all are of a kind that also slips in by copy and paste."""

    signs: str
    harmless: bool


def unseen(line: str) -> Unseen:
    """The invisible characters of a line, each once, without those that emoji and some scripts
    need.
    """
    if line.isascii() and line.isprintable():
        return Unseen("", harmless=True)
    signs = dict.fromkeys(
        found[0] for found in _UNSEEN.finditer(line) if not _has_a_job(line, found.start())
    )
    return Unseen("".join(signs), all(sign in _PASTED for sign in signs))


def revealed(line: str) -> str:
    """A line with its invisible characters shown: letters of the tag alphabet as what they spell,
    others by their number.
    """
    return redrawn(line, lambda hidden: f"⟦{''.join(map(_visible, hidden))}⟧")


def redrawn(line: str, draw: Callable[[str], str]) -> str:
    """A line with each run of invisible characters replaced, without those that emoji and some
    scripts need.
    """
    if not _UNSEEN_RUN.search(line):
        return line
    shown, at = list[str](), 0
    for run in _UNSEEN_RUN.finditer(line):
        signs = enumerate(run[0], run.start())
        hidden = "".join(sign for place, sign in signs if not _has_a_job(line, place))
        shown += (line[at : run.start()], draw(hidden) if hidden else run[0])
        at = run.end()
    return "".join([*shown, line[at:]])


def _visible(sign: str) -> str:
    letter = ord(sign) - _TAGS
    return chr(letter) if _BLANK <= letter < _DELETE else f"U+{ord(sign):04X} "


def lookalike(line: str) -> str:
    """The first word of Latin letters in which one of another alphabet passes for a Latin one, ""
    without any.

    Where a line has words that are written in the other alphabet, it is a slip of the keyboard.
    """
    words = _WORD.findall(line) if _MIXED.search(line) else ()
    mixed = (word for word in words if len(word) >= _SHORTEST and _is_mixed(word.lower()))
    return "" if any(map(_is_foreign, words)) else next(mixed, "")


def in_latin(text: str) -> str:
    """A text with Latin letters for those that pass for them."""
    if not _MIXED.search(text):
        return text
    return _WORD.sub(
        lambda word: word[0].translate(_LATIN) if _is_mixed(word[0].lower()) else word[0], text
    )


def encoded(line: str) -> str:
    """The first text that stands in a line as base64, hexadecimal or escapes, "" without any. One
    word alone is the name of something, and no order.
    """
    # Most lines have no word that is long enough, and to look for one is much faster.
    words = "\n".join(word for word in line.split() if len(word) >= _SHORTEST_BLOB)
    texts = [text for found in _BLOB.finditer(words) if (text := _decoded(found[0]))]
    return "" if len(texts) == 1 and _ONE_WORD.fullmatch(texts[0]) else next(iter(texts), "")


def as_browsed(text: str) -> str:
    """A text with its addresses as a browser shows them: 東京, not its percent codes.

    A browser itself writes those codes, so they hide nothing.
    """
    return _ADDRESS.sub(_browsed, text) if "%" in text else text


def _browsed(address: re.Match[str]) -> str:
    return address[0] if _ASCII_LETTER.search(address[0]) else _CODES.sub(_read, address[0])


def _read(codes: re.Match[str]) -> str:
    return bytes.fromhex(codes[0].replace("%", "")).decode(errors="ignore")


def together(text: str) -> str:
    """A text without its stars, and with words that are spelt out (`i g n o r e`) in one piece."""
    text = text.replace("*", "")
    if not _LONE.search(text):
        return text
    return _SPELT_OUT.sub(lambda run: _GAP.sub("", run[0]), text)


def folded(text: str) -> str:
    """A text as its words are compared: lower case, no accents, no lookalike letters."""
    if not text.isascii():
        text = _ACCENT.sub("", unicodedata.normalize("NFKD", _UNSEEN.sub("", text)))
        text = in_latin(unicodedata.normalize("NFC", text))
    return text.casefold()


def _has_a_job(line: str, at: int) -> bool:
    """Whether an invisible character is needed there: in an emoji, a flag or another script."""
    sign = line[at]
    left = line[at - 1 : at] if at else ""
    right = line[at + 1 : at + 2]
    if sign in (_ZWJ, _ZWNJ):
        return _joins(sign, left, right)
    if sign in _STYLES:
        is_after_emoji = _EMOJI.match(left) is not None or left in _KEYS
        return is_after_emoji and left not in _STYLES
    if sign == _ZWSP:
        # Chat programs put one before a fence that is shown inside a fence.
        return right == "`" and not left.strip()
    if sign in _DIRECTIONS:
        return _RIGHT_TO_LEFT.search(line, max(0, at - _NEAR), at + _NEAR) is not None
    if _VARIANT.match(sign):
        return _IDEOGRAPH.match(left) is not None
    flags = _FLAG.finditer(line, max(0, at - _FLAG_LENGTH), at + _FLAG_LENGTH)
    return any(flag.start() < at < flag.end() for flag in flags)


def _joins(sign: str, left: str, right: str) -> bool:
    """A joiner puts two emoji together, or shapes letters as in Arabic or Hindi."""
    if sign == _ZWJ and _EMOJI.match(left) and _EMOJI.match(right):
        return True
    if not _JOINING.match(left):
        return False
    # At the end of a word, only the joiner that shows a letter's inner form makes sense.
    return sign == _ZWJ or _JOINING.match(right) is not None


def _is_mixed(word: str) -> bool:
    latin = len(_LATIN_LETTER.findall(word))
    alike = sum(ord(sign) in _LATIN for sign in word)
    return bool(latin and alike) and latin + alike == len(word)


def _is_foreign(word: str) -> bool:
    """Whether a word is Greek or Cyrillic, and a letter of it looks like no Latin one."""
    is_other = _OTHER_WORD.fullmatch(word) is not None
    return is_other and any(ord(sign) not in _LATIN for sign in word.lower() if sign != "_")


def _decoded(blob: str) -> str:
    """The text that an encoded blob holds; "" if it is no readable text."""
    text = " ".join(_bytes_of(blob).replace(b"\0", b"").decode("utf-8", "replace").split())
    if not text.isprintable() or "\ufffd" in text:
        return ""
    letters = sum(sign.isalpha() or sign == " " for sign in text)
    return text if letters >= _WORDY * len(text) and _is_of_one_script(text) else ""


def _is_of_one_script(text: str) -> bool:
    """Whether its letters beyond ASCII are of one script: those of chance are of several."""
    scripts = {_script_of(sign) for sign in text if sign.isalpha() and not sign.isascii()}
    return len(scripts) <= 1


def _script_of(letter: str) -> str:
    name = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA") else name


def _bytes_of(blob: str) -> bytes:
    if blob.startswith("&#"):
        return html.unescape(blob).encode("ascii", "ignore")
    digits = _ESCAPE.sub("", blob)
    if _HEX.fullmatch(digits):
        return bytes.fromhex(digits)
    blob = blob.translate(_FROM_URL).rstrip("=")
    blob = blob[: len(blob) - (len(blob) % 4 == 1)]
    try:
        return binascii.a2b_base64(blob + "=" * (-len(blob) % 4), strict_mode=True)
    except binascii.Error:
        return b""
