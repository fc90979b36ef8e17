"""A whole result with each of its texts masked, before anybody renders, cuts or encodes it."""

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

from clawgit.domain.safety.masks import Mask


def covered(value: Any, mask: Mask) -> Any:
    """A result with each of its texts masked: frozen values, tuples, lists and mappings keep their
    kind, so whoever renders or cuts them never sees a secret. What has none is given back as it is.
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
