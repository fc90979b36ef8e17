"""What a tool takes: each parameter once, as the schema that a model is shown and as the check of
what it sends.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from clawgit.domain.model.json_schema import object_schema, schema_of
from clawgit.errors import UsageError

TEXT = str
WHOLE = int
NUMBER = float
SWITCH = bool
TEXTS = list[str]

_LONGEST = 20_000
_MOST_TEXTS = 50


class Param(NamedTuple):
    """One parameter. `least` and `most` bound a number, `longest` the characters of a text."""

    name: str
    kind: Any
    about: str
    required: bool = False
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    longest: int = _LONGEST


def schema(params: Sequence[Param]) -> dict[str, Any]:
    """The JSON schema of an object with these members and no other."""
    return object_schema(
        {param.name: _member(param) for param in params},
        [param.name for param in params if param.required],
    )


def taken(tool: str, params: Sequence[Param], given: Mapping[str, Any]) -> dict[str, Any]:
    """What a call brings, checked; null is as good as nothing, and so is a blank text where one is
    required. UsageError names what the tool would take.
    """
    known = {param.name: param for param in params}
    for name in given:
        if name not in known:
            raise _unknown(tool, params, name)
    found = {
        name: _checked(known[name], value) for name, value in given.items() if value is not None
    }
    for param in params:
        if param.required and not str(found.get(param.name, "")).strip():
            raise UsageError(f"{tool} needs {param.name}: {param.about}", hint=_takes(tool, params))
    return found


def _member(param: Param) -> dict[str, Any]:
    said = schema_of(param.kind) | {"description": param.about}
    bounds = {"enum": list(param.choices) or None, "minimum": param.least, "maximum": param.most}
    return said | {name: bound for name, bound in bounds.items() if bound is not None}


def _unknown(tool: str, params: Sequence[Param], name: str) -> UsageError:
    near = get_close_matches(name.lower(), [param.name.lower() for param in params], 1)
    meant = next(
        (f"Did you mean {one.name}? " for one in params if near and one.name.lower() == near[0]), ""
    )
    return UsageError(f"{tool} has no parameter {name[:80]!r}.", hint=meant + _takes(tool, params))


def _takes(tool: str, params: Sequence[Param]) -> str:
    listed = ", ".join(
        f"{one.name} ({schema_of(one.kind)['type']}{', required' if one.required else ''})"
        for one in params
    )
    return f"{tool} takes {listed}."


def _checked(param: Param, value: Any) -> Any:
    if param.kind == WHOLE and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not _fits(param, value):
        raise UsageError(f"{param.name} must be {_wanted(param)}.", hint=param.about)
    longest = (
        max(map(len, value), default=0)
        if param.kind == TEXTS
        else len(value)
        if param.kind == TEXT
        else 0
    )
    if longest > param.longest:
        raise UsageError(
            f"{param.name} has {longest:,} characters; {param.longest:,} are the most.",
            hint="Send less, or in parts.",
        )
    return tuple(value) if param.kind == TEXTS else value


def _fits(param: Param, value: Any) -> bool:
    if param.kind == TEXT:
        return isinstance(value, str) and (not param.choices or value in param.choices)
    if param.kind == SWITCH:
        return isinstance(value, bool)
    if param.kind == TEXTS:
        return (
            isinstance(value, list)
            and len(value) <= _MOST_TEXTS
            and all(isinstance(one, str) for one in value)
        )
    right = isinstance(value, int if param.kind == WHOLE else (int, float)) and not isinstance(
        value, bool
    )
    low, high = (-float("inf") if param.least is None else param.least), param.most
    return right and low <= value <= (float("inf") if high is None else high)


def _wanted(param: Param) -> str:
    if param.choices:
        return "one of " + ", ".join(param.choices)
    if param.least is None and param.most is None:
        return {
            TEXT: "a text",
            SWITCH: "true or false",
            TEXTS: f"a list of at most {_MOST_TEXTS} texts",
        }.get(param.kind, "a number")
    word = "a whole number" if param.kind == WHOLE else "a number"
    return f"{word} from {param.least:,}" + ("" if param.most is None else f" to {param.most:,}")
