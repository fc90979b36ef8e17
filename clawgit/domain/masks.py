"""Masks: what stands in the place of a secret wherever text leaves clawgit, and what must never come back as text."""

import copy
import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

from clawgit.domain.secrets import Place, findings, masked, places

MASK = re.compile(r"\[secret:[0-9a-f]{12}\\?\]")
"""Also as Markdown writes it that shows each sign as it is."""

_STRUCK = "[secret]"

Mask = Callable[[str], str]
"""Puts a mask in the place of each secret of a text."""


def covered(value: Any, mask: Mask) -> Any:
    """A result with each of its texts masked: frozen values, tuples, lists and mappings keep their kind, so whoever
    renders or cuts them never sees a secret. What has none is given back as it is.
    """
    if type(value) is str:
        return mask(value)
    if isinstance(value, Mapping):
        made = {covered(key, mask): covered(item, mask) for key, item in value.items()}
        return value if made == value else made
    if isinstance(value, (list, tuple, set, frozenset)):
        return _covered_items(value, mask)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _covered_fields(value, mask)
    return value


def _covered_items(value: Any, mask: Mask) -> Any:
    made = [covered(item, mask) for item in value]
    if all(new is old for new, old in zip(made, value, strict=True)):
        return value
    return type(value)._make(made) if hasattr(value, "_make") else type(value)(made)


def _covered_fields(value: Any, mask: Mask) -> Any:
    """`replace` would ask for fields that only the class itself sets."""
    changed = {}
    for one in dataclasses.fields(value):
        before = getattr(value, one.name)
        after = covered(before, mask)
        if after is not before:
            changed[one.name] = after
    if not changed:
        return value
    made = copy.copy(value)
    for name, after in changed.items():
        object.__setattr__(made, name, after)
    return made


def new_masks(before: str, after: str) -> tuple[str, ...]:
    """The masks that a change brings in. Whoever writes one has read a masked output, and would put it over the real
    text.
    """
    if "[secret:" not in after:
        return ()
    known = frozenset(MASK.findall(before))
    return tuple(dict.fromkeys(mask for mask in MASK.findall(after) if mask not in known))


def struck(text: str) -> str:
    """The text for a file that clawgit writes itself: `[secret]` in the place of each secret, and of each mask, which
    no file may take in.
    """
    return MASK.sub(_STRUCK, masked(text))


def is_sensitive(text: str, allowed: frozenset[str] = frozenset()) -> bool:
    """Whether a text tells a secret, or told one before it was masked: nothing that is worth remembering."""
    return MASK.search(text) is not None or bool(findings("", text, allowed))


def head(text: str, longest: int) -> str:
    """The first characters of a text. A secret that would be cut is left out: half of one is not recognised any more,
    so no mask would cover it.
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


def _cut(text: str, at: int) -> Place | None:
    """The secret that a cut would go through."""
    return next((place for place in places(text) if place.start < at < place.end), None)
