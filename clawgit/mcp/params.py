"""The parameters of a tool: the schema that a model is shown, and the check of what it sends."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from clawgit.config.nearest import near
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
    """The parameters of a call, checked; UsageError says what the tool takes.

    null counts as not given, and so does a blank text or list for a required parameter.
    """
    known = {param.name: param for param in params}
    for name in given:
        if name not in known:
            raise _unknown(tool, params, name)
    checked = {
        name: _checked(known[name], value) for name, value in given.items() if value is not None
    }
    for param in params:
        if param.required and _is_blank(checked.get(param.name, "")):
            raise UsageError(f"{tool} needs {param.name}: {param.about}", hint=_takes(tool, params))
    return checked


def _member(param: Param) -> dict[str, Any]:
    member = schema_of(param.kind) | {"description": param.about}
    bounds = {"enum": list(param.choices) or None, "minimum": param.least, "maximum": param.most}
    return member | {name: bound for name, bound in bounds.items() if bound is not None}


def _unknown(tool: str, params: Sequence[Param], name: str) -> UsageError:
    hint = f"{near(name, (param.name for param in params))} {_takes(tool, params)}".lstrip()
    return UsageError(f"{tool} has no parameter {name[:80]!r}.", hint=hint)


def _takes(tool: str, params: Sequence[Param]) -> str:
    listed = ", ".join(
        f"{param.name} ({schema_of(param.kind)['type']}{', required' if param.required else ''})"
        for param in params
    )
    return f"{tool} takes {listed}."


def _checked(param: Param, value: Any) -> Any:
    if param.kind == WHOLE and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not _fits(param, value):
        raise UsageError(f"{param.name} must be {_wanted(param)}.", hint=_instead(param, value))
    longest = _length(param, value)
    if longest > param.longest:
        raise UsageError(
            f"{param.name} has {longest:,} characters; at most {param.longest:,} are allowed.",
            hint="Send less, or in parts.",
        )
    return tuple(value) if param.kind == TEXTS else value


def _instead(param: Param, value: Any) -> str:
    """What to send in place of a wrong value, besides what fits; "" if nothing else does."""
    if param.choices and (meant := near(str(value), param.choices)):
        return meant
    return "" if param.required else f"Leave {param.name} out if you do not need it."


def _is_blank(value: Any) -> bool:
    """Whether a value says nothing: a blank text, or a list without a text."""
    texts = value if isinstance(value, tuple) else (str(value),)
    return not any(text.strip() for text in texts)


def _length(param: Param, value: Any) -> int:
    """The characters of a text, or of the longest of several."""
    if param.kind == TEXT:
        return len(value)
    if param.kind == TEXTS:
        return max(map(len, value), default=0)
    return 0


def _fits(param: Param, value: Any) -> bool:
    if param.kind == TEXT:
        return isinstance(value, str) and (not param.choices or value in param.choices)
    if param.kind == SWITCH:
        return isinstance(value, bool)
    if param.kind == TEXTS:
        return _are_texts(value)
    return _is_number(param, value) and _in_bounds(param, value)


def _are_texts(value: Any) -> bool:
    if not isinstance(value, list) or len(value) > _MOST_TEXTS:
        return False
    return all(isinstance(text, str) for text in value)


def _is_number(param: Param, value: Any) -> bool:
    if isinstance(value, bool):  # which Python counts as an integer
        return False
    return isinstance(value, int if param.kind == WHOLE else (int, float))


def _in_bounds(param: Param, value: float) -> bool:
    least = -inf if param.least is None else param.least
    most = inf if param.most is None else param.most
    return least <= value <= most


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
