"""Masks every text of a result, before it is rendered, cut or encoded."""

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

from clawgit.domain.safety.masks import Mask


def covered(value: Any, mask: Mask) -> Any:
    """A result with each of its texts masked; the same object if nothing had to be masked.

    Dataclasses, tuples, lists and mappings keep their types.
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
    changed = {}
    for field in dataclasses.fields(value):
        before = getattr(value, field.name)
        after = covered(before, mask)
        if after is not before:
            changed[field.name] = after
    if not changed:
        return value
    # Not `dataclasses.replace`, which refuses fields that only the class itself sets (init=False).
    made = copy.copy(value)
    for name, after in changed.items():
        object.__setattr__(made, name, after)
    return made
