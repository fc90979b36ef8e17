"""Masks: what replaces a secret, or withheld text, wherever text leaves clawgit: in one text, or in
every text of a result. They must never be written back.
"""

import re
from collections.abc import Callable, Mapping
from itertools import repeat
from typing import Any

from clawgit.language.lazily import lazily
from clawgit.safety.rules.secrets import MASK, Secret, findings, masked, places

WITHHELD = (
    "[withheld: planted-looking text; the operator reads it with clawgit trust, the name of a file "
    "with git ls-files]"
)
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


def _cut(text: str, at: int) -> Secret | None:
    """The secret that a cut would go through. Only text near the cut is read: it may be huge."""
    first = max(0, at - _NEAR)
    near = places(text[first : at + _NEAR])
    for secret in near:
        if secret.start < at - first < secret.end:
            return secret._replace(start=first + secret.start, end=first + secret.end)
    return None


# Every text of a result, before it is rendered, cut or encoded.


def covered(value: Any, mask: Mask) -> Any:
    """A result with each of its texts masked; the same object if nothing had to be masked.

    Tuples, lists and mappings keep their types. A path counts as a text, too.
    """
    return _covered(value, mask, lambda _: mask)


def covered_by_field(value: Any, mask_of: Callable[[str], Mask]) -> Any:
    """The same with a mask for each field, by its name."""
    return _covered(value, mask_of("text"), mask_of)


def _covered(value: Any, mask: Mask, mask_of: Callable[[str], Mask]) -> Any:
    if type(value) is str:
        return mask(value)
    if isinstance(value, Mapping):
        made = {
            _covered(key, mask_of(""), mask_of): _covered(item, mask_of(str(key)), mask_of)
            for key, item in value.items()
        }
        return value if made == value else made
    if isinstance(value, (list, tuple, set, frozenset)):
        return _covered_items(value, mask, mask_of)
    if hasattr(value, "__fspath__"):
        text = str(value)
        hidden = mask_of("path")(text)
        return value if hidden == text else type(value)(hidden)
    return value


def _covered_items(value: Any, mask: Mask, mask_of: Callable[[str], Mask]) -> Any:
    names = getattr(value, "_fields", None)
    masks = map(mask_of, names) if names else repeat(mask)
    made = [
        _covered(item, item_mask, mask_of) for item, item_mask in zip(value, masks, strict=False)
    ]
    if all(new is old for new, old in zip(made, value, strict=True)):
        return value
    return type(value)._make(made) if names else type(value)(made)
