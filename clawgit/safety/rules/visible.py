"""What of a text nobody sees, and foreign text made safe for a terminal: no control character acts,
nothing is hidden, and a name cannot end its line.

A file name, a commit message or a note may hold escapes that clear the screen, marks that turn the
direction of writing round, newlines with anything after them, and characters that nobody sees but a
model reads.
"""

import re
from collections.abc import Callable, Iterable

from clawgit.language.lazily import lazily
from clawgit.safety.rules.masks import Mask

_ZWJ = "\u200d"

_ZWNJ = "\u200c"

_ZWSP = "\u200b"

_STYLES = "\ufe0e\ufe0f"

_KEYS = tuple("#*0123456789")

_DIRECTIONS = "\u200e\u200f\u061c\u2066\u2067\u2068\u2069\u202a\u202b\u202c"

_ESCAPE = "\x1b"

_PASTED = f"\u200e\u200f\u061c\u00ad\ufeff\x7f{''.join(map(chr, range(32)))}".replace(_ESCAPE, "")
"""Whoever prints a control character makes it visible; but an escape can hide what follows it."""

_UNSEEN = lazily(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)

_VARIANT = lazily(
    "(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\ufe00-\ufe0d\U000e0100-\U000e01ef]"
)

_EMOJI = lazily(
    "[\u00a9\u00ae\u203c\u2049\u20e3\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff]"
)

_FLAG = lazily("\U0001f3f4[\U000e0030-\U000e007a]{3,6}\U000e007f")

_FLAG_LENGTH = 8

_JOINING = lazily(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]"
)
"""Letters of the scripts in which joiners change how a word is written."""

_NEAR = 80

_RIGHT_TO_LEFT = lazily("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

_TAGS = 0xE0000
"""Added to an ASCII code, it is the same letter as a tag, which nothing shows."""

_BLANK, _DELETE = 0x20, 0x7F

MANY_LINES = frozenset(
    {
        "answer",
        "body",
        "content",
        "diff",
        "help",
        "patch",
        "preview",
        "prompt",
        "reason",
        "rejected",
        "reply",
        "said",
        "system_prompt",
        "text",
        "texts",
        "value",
        "words",
    }
)
"""The fields of an answer that may have several lines. What any other one holds, such as a path or
a summary, is a single line of the screen."""

_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_ODD = (0x7F, *range(0x80, 0xA0), *_TURNS)
_BREAKS = (0x061C, 0x200E, 0x200F, 0x2028, 0x2029)
"""What ends a line for some programs, or turns the direction of the text beside it."""

_PICTURES = {
    **{code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"},
    **dict.fromkeys(_ODD, 0xFFFD),
    0x7F: 0x2421,
}
"""Control characters → their visible symbols; those without one, and marks that turn text round,
are replaced.
"""

_INLINE = {
    **_PICTURES,
    **{ord(sign): 0x2400 + ord(sign) for sign in "\t\n"},
    **dict.fromkeys(_BREAKS, 0xFFFD),
}
_IN_JSON = {code: f"\\u{code:04x}" for code in _ODD}


def _any_of(codes: Iterable[int]) -> re.Pattern[str]:
    return lazily(f"[{re.escape(''.join(map(chr, codes)))}\ud800-\udfff]")


_ACTS, _BREAKS_OUT = _any_of(_PICTURES), _any_of(_INLINE)


def hides(line: str) -> bool:
    """Whether a line has invisible characters of a kind that does not slip in by copy and paste,
    without those that emoji and some scripts need.
    """
    if line.isascii() and line.isprintable():
        return False
    return any(
        sign not in _PASTED and not _has_a_job(line, at)
        for run in _UNSEEN.finditer(line)
        for at, sign in enumerate(run[0], run.start())
    )


def revealed(line: str) -> str:
    """A line with its invisible characters shown: letters of the tag alphabet as what they spell,
    others by their number.
    """
    return redrawn(line, lambda hidden: f"⟦{''.join(map(_visible, hidden))}⟧")


def redrawn(line: str, draw: Callable[[str], str]) -> str:
    """A line with each run of invisible characters replaced, without those that emoji and some
    scripts need.
    """
    if line.isascii() and line.replace("\n", "").isprintable():
        return line
    shown, at = list[str](), 0
    for run in _UNSEEN.finditer(line):
        signs = enumerate(run[0], run.start())
        hidden = "".join(sign for place, sign in signs if not _has_a_job(line, place))
        shown += (line[at : run.start()], draw(hidden) if hidden else run[0])
        at = run.end()
    return "".join([*shown, line[at:]])


def _visible(sign: str) -> str:
    letter = ord(sign) - _TAGS
    return chr(letter) if _BLANK <= letter < _DELETE else f"U+{ord(sign):04X} "


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
    if _VARIANT.match(line, at):
        return True
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


def shown(text: str) -> str:
    """Text from files and commits: no control character acts, no byte is unprintable, and nothing
    is invisible.
    """
    return _in_sight(_drawn(text, _PICTURES) if _is_there(_ACTS, text.replace("\n", "")) else text)


def inline(text: str) -> str:
    """A text that must stay on its line, such as a path."""
    return _in_sight(_drawn(text, _INLINE) if _is_there(_BREAKS_OUT, text) else text)


def _is_there(signs: re.Pattern[str], text: str) -> bool:
    # What is printable acts on nothing, as most lines: then the patterns are not even compiled.
    return not text.isprintable() and signs.search(text) is not None


def _in_sight(text: str) -> str:
    if text.isascii():
        return text
    seen = "\n".join(map(revealed, text.split("\n")))
    return text if seen == text else seen


def _drawn(text: str, pictures: dict[int, int]) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").translate(pictures)


def in_json(text: str) -> str:
    """A text of JSON with each character that acts on a terminal or is invisible written as an
    escape.

    JSON itself escapes only control characters below U+0020.
    """
    tame = text.translate(_IN_JSON) if _is_there(_ACTS, text.replace("\n", "")) else text
    if tame.isascii():
        return tame
    return "\n".join(redrawn(line, escaped) for line in tame.split("\n"))


def escaped(signs: str) -> str:
    """Each sign as JSON escapes one that is not ASCII."""
    units = signs.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def shown_by_field(cover: Mask) -> Callable[[str], Mask]:
    """How the texts of a field of an answer are shown, by its name."""

    def whole(text: str) -> str:
        return shown(cover(text))

    def single(text: str) -> str:
        return inline(cover(text))

    return lambda field: whole if field in MANY_LINES else single
