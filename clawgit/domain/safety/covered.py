"""Masks every text of a result, before it is rendered, cut or encoded."""

import copy
from collections.abc import Callable, Mapping
from itertools import repeat
from typing import Any

from clawgit.domain.safety.masks import Mask
from clawgit.doors import dataclasses


def covered(value: Any, mask: Mask) -> Any:
    """A result with each of its texts masked; the same object if nothing had to be masked.

    Dataclasses, tuples, lists and mappings keep their types. A path counts as a text, too.
    """
    return _covered(value, mask, lambda _: mask)


def covered_by_field(value: Any, mask_of: Callable[[str], Mask], whole: str = "text") -> Any:
    """The same with a mask for each field, by its name; `whole` is the name of what has none."""
    return _covered(value, mask_of(whole), mask_of)


def named_paths(value: Any) -> set[str]:
    """The files that a result names as the source of its texts."""
    if isinstance(value, Mapping):
        fields = dict(value)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    elif isinstance(value, (list, tuple, set, frozenset)):
        fields = dict(zip(getattr(value, "_fields", range(len(value))), value, strict=True))
    else:
        return set()
    return _sources(fields).union(*map(named_paths, fields.values()))


def _sources(fields: Mapping[Any, Any]) -> set[str]:
    """The files of one object: its path, and its sources, which may name lines."""
    sources = fields.get("sources", ())
    named = [fields.get("path"), *(sources if isinstance(sources, (list, tuple)) else ())]
    return {name.partition("#L")[0] for name in named if name and isinstance(name, str)}


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
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        return _covered_fields(value, mask_of)
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


def _covered_fields(value: Any, mask_of: Callable[[str], Mask]) -> Any:
    changed = {}
    for field in dataclasses.fields(value):
        before = getattr(value, field.name)
        after = _covered(before, mask_of(field.name), mask_of)
        if after is not before:
            changed[field.name] = after
    if not changed:
        return value
    # Not `dataclasses.replace`, which refuses fields that only the class itself sets (init=False).
    made = copy.copy(value)
    for name, after in changed.items():
        object.__setattr__(made, name, after)
    return made
