"""Foreign text made safe for a terminal: no control character acts, nothing is hidden, and a name
cannot end its line.

A file name, a commit message or a note may hold escapes that clear the screen, marks that turn the
direction of writing round, newlines with anything after them, and characters that nobody sees but a
model reads.
"""

import re
from collections.abc import Callable, Iterable

from clawgit.domain.safety.hidden_text import redrawn, revealed
from clawgit.domain.safety.masks import Mask
from clawgit.language.lazily import lazily

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

_DIRECTIONS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_ODD = (0x7F, *range(0x80, 0xA0), *_DIRECTIONS)
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
    return lazily(f"[{''.join(map(re.escape, map(chr, codes)))}\ud800-\udfff]")


_ACTS, _BREAKS_OUT = _any_of(_PICTURES), _any_of(_INLINE)


def shown(text: str) -> str:
    """Text from files and commits: no control character acts, no byte is unprintable, and nothing
    is invisible.
    """
    return _in_sight(_drawn(text, _PICTURES) if _is_there(_ACTS, text) else text)


def inline(text: str) -> str:
    """A text that must stay on its line, such as a path."""
    return _in_sight(_drawn(text, _INLINE) if _is_there(_BREAKS_OUT, text) else text)


def _is_there(signs: re.Pattern[str], text: str) -> bool:
    # What is printable acts on nothing, as most texts: then the patterns are not even compiled.
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
    tame = text.translate(_IN_JSON) if _is_there(_ACTS, text) else text
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
