"""Masks: what replaces a secret, or withheld text, wherever text leaves clawgit.

They must never be written back.
"""

import re
from collections.abc import Callable

from clawgit.domain.safety.secrets import MASK, SecretSpan, findings, masked, places
from clawgit.language.lazily import lazily

WITHHELD = "[withheld: planted-looking text; the operator reads it with clawgit trust]"
"""What is shown in place of a block that looks planted and is not the operator's."""

PLANTED = "planted"
"""The mark of a hit whose text is withheld from programs."""

UNSEEN = "[withheld: a reader of the page does not see it]"
"""What is shown in place of the words of a hidden comment, and of invisible characters."""

_STANDING_IN = lazily(rf"{MASK.pattern}|{re.escape(WITHHELD)}|{re.escape(UNSEEN)}")

_STRUCK = "[secret]"

Mask = Callable[[str], str]
"""Replaces each secret of a text by a mask."""


_SHORTEST = 12
"""A text with fewer characters cannot give an order."""

_ONE_WORD = 45
"""A single word with fewer characters is an id, a hash or a path, and is not judged."""

_NEAR = 8000
"""Characters before and after a cut that are searched: more than the longest token has. Each line
of a private key is recognised by itself."""


def is_judged(text: str) -> bool:
    """Whether a text is long enough to be planted: most fields of an answer are not."""
    return len(text) >= _ONE_WORD or (
        len(text) >= _SHORTEST and not (text.isascii() and " " not in text)
    )


def new_masks(before: str, after: str) -> tuple[str, ...]:
    """The masks that a change adds.

    Their writer has read a masked output and would overwrite the real text with it.
    """
    if "[secret:" not in after and "[withheld:" not in after:
        return ()
    known = frozenset(_STANDING_IN.findall(before))
    return tuple(dict.fromkeys(mask for mask in _STANDING_IN.findall(after) if mask not in known))


def struck(text: str) -> str:
    """The text for a file that clawgit writes itself, with `[secret]` for each secret.

    Masks become `[secret]` too, since no file may contain one.
    """
    return MASK.sub(_STRUCK, masked(text))


def is_sensitive(text: str, allowed: frozenset[str] = frozenset()) -> bool:
    """Whether a text has a secret, or had one before it was masked. It is not to be remembered."""
    return MASK.search(text) is not None or bool(findings("", text, allowed))


def head(text: str, longest: int) -> str:
    """The first characters of a text. A secret that would be cut is left out.

    Half of a secret is no longer recognised, so no mask would cover it.
    """
    if len(text) <= longest:
        return text
    cut = _cut(text, longest)
    return text[: cut.start if cut else longest]


def tail(text: str, longest: int) -> str:
    """The last characters of a text, as `head` gives the first."""
    if len(text) <= longest:
        return text
    at = len(text) - longest
    cut = _cut(text, at)
    return text[cut.end if cut else at :]


def both_ends(text: str, first: int, last: int, between: str = "[… {count:,} characters …]") -> str:
    """A long text without its middle: its beginning and its end, with a line between them."""
    count = len(text) - first - last
    if count <= 0:
        return text
    return f"{head(text, first)}\n{between.format(count=count)}\n{tail(text, last)}"


def _cut(text: str, at: int) -> SecretSpan | None:
    """The secret that a cut would go through. Only text near the cut is read: it may be huge."""
    first = max(0, at - _NEAR)
    near = places(text[first : at + _NEAR])
    for secret in near:
        if secret.start < at - first < secret.end:
            return secret._replace(start=first + secret.start, end=first + secret.end)
    return None
