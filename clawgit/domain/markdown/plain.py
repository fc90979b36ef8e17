"""Text that others wrote, made harmless: nothing in it becomes Markdown of ours, and nothing stays
invisible.
"""

import unicodedata

from clawgit.doors import html
from clawgit.language.lazily import lazily


def plain(text: str) -> str:
    """Any text as one line that Markdown shows as it is, after a label: no link, code, HTML or
    marker begins in it.
    """
    line = " ".join(sound(text).split())
    return _EMPHASIS.sub(r"\\_", _ACTIVE.sub(r"\\\g<0>", html.escape(line, quote=False)))


def sound(text: str) -> str:
    """Text that any file can hold: without lone surrogates, and without characters that are
    invisible or turn the direction of a line round.
    """
    return "".join(
        char for char in _SURROGATE.sub("\ufffd", text) if char in _KEPT or not _is_hidden(char)
    )


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cn", "Co")


_ACTIVE = lazily(r"[\\`*\[\]~]")
_EMPHASIS = lazily(r"(?<![^\W_])_|_(?![^\W_])")
_SURROGATE = lazily("[\ud800-\udfff]")
_KEPT = "\n\t\r\u200d"
