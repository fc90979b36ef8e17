"""Masks: what stands in the place of a secret wherever text leaves clawgit, and what must never
come back as text.
"""

import re
from collections.abc import Callable

from clawgit.domain.safety.secrets import SecretSpan, findings, masked, places

MASK = re.compile(r"\[secret:[0-9a-f]{12}\\?\]")
"""Also as Markdown writes it that shows each sign as it is."""

_STRUCK = "[secret]"

Mask = Callable[[str], str]
"""Puts a mask in the place of each secret of a text."""


_NEAR = 8000
"""Characters before and behind a cut: the longest token has fewer, and lines of a private key are
known one by one."""


def new_masks(before: str, after: str) -> tuple[str, ...]:
    """The masks that a change brings in. Whoever writes one has read a masked output, and would put
    it over the real text.
    """
    if "[secret:" not in after:
        return ()
    known = frozenset(MASK.findall(before))
    return tuple(dict.fromkeys(mask for mask in MASK.findall(after) if mask not in known))


def struck(text: str) -> str:
    """The text for a file that clawgit writes itself: `[secret]` in the place of each secret, and
    of each mask, which no file may take in.
    """
    return MASK.sub(_STRUCK, masked(text))


def is_sensitive(text: str, allowed: frozenset[str] = frozenset()) -> bool:
    """Whether a text tells a secret, or told one before it was masked: nothing that is worth
    remembering.
    """
    return MASK.search(text) is not None or bool(findings("", text, allowed))


def head(text: str, longest: int) -> str:
    """The first characters of a text. A secret that would be cut is left out: half of one is not
    recognised any more, so no mask would cover it.
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


def _cut(text: str, at: int) -> SecretSpan | None:
    """The secret that a cut would go through. Of a text of many megabytes only what is near the cut
    is read.
    """
    first = max(0, at - _NEAR)
    near = places(text[first : at + _NEAR])
    found = next((place for place in near if place.start < at - first < place.end), None)
    return found and found._replace(start=first + found.start, end=first + found.end)
