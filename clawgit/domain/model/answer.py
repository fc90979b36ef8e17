"""Answers of a language model: the shape that is asked for as JSON Schema, and a value of it made
from what came.

A shape is a NamedTuple or dataclass of str, int, float, bool, dates, literals, `X | None`, tuples,
lists and mappings.
"""

import dataclasses
import json
import types
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_DATES: Mapping[Any, str] = {date: "date", datetime: "date-time"}
_WORDS: Mapping[Any, Mapping[str, str]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    **{kind: {"type": "string", "format": shape} for kind, shape in _DATES.items()},
}
_WRAPPED = "answer"
_MOST_STARTS = 50
"""Places in a text at which JSON is looked for; each can cost a look at the whole."""


class MisfitError(ValueError):
    """A value that is not of the shape that was asked for; its words tell a model what to put
    right.
    """


def schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of an answer, always an object: what is no record goes into its one field."""
    return _schema(kind) if _is_record(kind) else _object({_WRAPPED: _schema(kind)}, [_WRAPPED])


def fitted(kind: type[T], value: object) -> T:
    """The value as `schema` asks for it, made into its type. MisfitError where it is not that."""
    if not _is_record(kind) and isinstance(value, Mapping) and _WRAPPED in value:
        value = value[_WRAPPED]
    made: T = _fit(kind, value, "")
    return made


def json_in(text: str) -> object:
    """The JSON in a text, whatever stands around it; of several values the longest. MisfitError
    where none is.
    """
    decoder, found, at = json.JSONDecoder(), list[tuple[int, object]](), 0
    for _ in range(_MOST_STARTS):
        at = _next_start(text, at)
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            found.append((end - at, value))
            at = end
    if not found:
        raise MisfitError("there is no JSON in it")
    return max(found, key=lambda one: one[0])[1]


def _next_start(text: str, at: int) -> int:
    places = [place for sign in "{[" if (place := text.find(sign, at)) >= 0]
    return min(places, default=-1)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))


def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """Each field's type, and whether it may be left out."""
    hints = get_type_hints(kind)
    if dataclasses.is_dataclass(kind):
        free = {
            one.name
            for one in dataclasses.fields(kind)
            if one.default is not dataclasses.MISSING
            or one.default_factory is not dataclasses.MISSING
        }
        return {one.name: (hints[one.name], one.name in free) for one in dataclasses.fields(kind)}
    return {name: (hints[name], name in kind._field_defaults) for name in kind._fields}


def _schema(kind: Any) -> dict[str, Any]:
    if kind in _WORDS:
        return dict(_WORDS[kind])
    if _is_record(kind):
        return _record_schema(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"type": "string", "enum": [*arguments]}
    if origin in (Union, types.UnionType):
        return {
            "anyOf": [
                {"type": "null"} if one is types.NoneType else _schema(one) for one in arguments
            ]
        }
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(arguments[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _schema(_item(arguments))}
    raise TypeError(f"{kind} is no shape of an answer")


def _record_schema(kind: Any) -> dict[str, Any]:
    fields = _fields(kind)
    made = _object(
        {name: _schema(hint) for name, (hint, _) in fields.items()},
        [n for n, (_, o) in fields.items() if not o],
    )
    words = " ".join((kind.__doc__ or "").split())
    return (
        made
        if not words or words.startswith(f"{kind.__name__}(")
        else {**made, "description": words}
    )


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _item(arguments: tuple[Any, ...]) -> Any:
    if arguments[1:] not in ((), (Ellipsis,)):
        raise TypeError("a tuple in an answer has any number of items of one type: tuple[X, ...]")
    return arguments[0]


def _fit(kind: Any, value: Any, where: str) -> Any:
    if kind in _SIMPLE:
        return _SIMPLE[kind](value, where)
    if _is_record(kind):
        return _record(kind, value, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        if value not in arguments:
            raise _misfit(where, f"one of {', '.join(map(repr, arguments))}", value)
        return value
    if origin in (Union, types.UnionType):
        return _one_of(arguments, value, where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            raise _misfit(where, "an object", value)
        return {str(key): _fit(arguments[1], one, f"{where}.{key}") for key, one in value.items()}
    if not isinstance(value, list):
        raise _misfit(where, "a list", value)
    made = [_fit(_item(arguments), one, f"{where}[{at}]") for at, one in enumerate(value)]
    return tuple(made) if origin is tuple else made


def _record(kind: Any, value: Any, where: str) -> Any:
    """Unknown keys are let by; one that is missing gets its default, or null where that may be."""
    if not isinstance(value, Mapping):
        raise _misfit(where, "an object", value)
    given = {}
    for name, (hint, free) in _fields(kind).items():
        if name in value and not (
            value[name] is None and free and types.NoneType not in get_args(hint)
        ):
            given[name] = _fit(hint, value[name], f"{where}.{name}")
        elif not free:
            if types.NoneType not in get_args(hint):
                raise MisfitError(f"{f'{where}.{name}'.lstrip('.')} is missing")
            given[name] = None
    return kind(**given)


def _one_of(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and types.NoneType in kinds:
        return None
    problems = []
    for kind in kinds:
        if kind is not types.NoneType:
            try:
                return _fit(kind, value, where)
            except MisfitError as error:
                problems.append(str(error))
    raise MisfitError("; or ".join(problems))


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _misfit(where, "a text", value)
    return value


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise _misfit(where, "true or false", value)
    return value


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _misfit(where, "a number", value)
    try:
        number = float(value)
    except ValueError:
        raise _misfit(where, "a number", value) from None
    if number != number or number in (float("inf"), float("-inf")):  # noqa: PLR0124 - it is not a number
        raise _misfit(where, "a number", value)
    return number


def _whole(value: Any, where: str) -> int:
    number = _number(value, where)
    if number != int(number):
        raise _misfit(where, "a whole number", value)
    return int(number)


def _dated(kind: Any) -> Callable[[Any, str], Any]:
    def made(value: Any, where: str) -> Any:
        try:
            return kind.fromisoformat(_text(value, where).strip())
        except ValueError:
            raise _misfit(where, f"a {_DATES[kind]} as ISO 8601 has it", value) from None

    return made


_SIMPLE: Mapping[Any, Callable[[Any, str], Any]] = {
    str: _text, bool: _truth, float: _number, int: _whole, date: _dated(date),
        datetime: _dated(datetime),
}  # fmt: skip


def _misfit(where: str, wanted: str, value: Any) -> MisfitError:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return MisfitError(f"{where.lstrip('.') or 'the answer'} must be {wanted}, not {shown[:60]}")
