"""What a language model answered: the JSON is found in its text and made into a Python value."""

import json
import math
import types
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Literal, TypeVar, get_args, get_origin

from clawgit.domain.model.json_schema import (
    DATE_FORMATS,
    is_a,
    is_record,
    is_union,
    item_type,
    object_schema,
    record_fields,
    schema_of,
)

T = TypeVar("T")

_WRAPPED = "answer"
"""The one field of an answer that is not a record: models answer with objects only."""

_MOST_STARTS = 50
"""JSON is looked for at this many places of a text at most; each can cost reading the whole
text.
"""

_SHOWN = 60
"""A message quotes at most this many characters of a wrong value."""


class MisfitError(ValueError):
    """A value of the wrong shape. The message tells the model what to correct."""


def schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of an answer of that type. It is always an object."""
    if is_record(kind):
        return schema_of(kind)
    return object_schema({_WRAPPED: schema_of(kind)}, [_WRAPPED])


def fitted(kind: type[T], value: object) -> T:
    """The answer as a value of that type; MisfitError if it does not match `schema`."""
    if not is_record(kind) and isinstance(value, Mapping) and _WRAPPED in value:
        value = value[_WRAPPED]
    made: T = _fit(kind, value, "")
    return made


def json_in(text: str) -> object:
    """The longest JSON value in a text; MisfitError if there is none."""
    decoder = json.JSONDecoder()
    values: list[tuple[int, object]] = []
    at = 0
    for _ in range(_MOST_STARTS):
        at = _next_start(text, at)
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            values.append((end - at, value))
            at = end
    if not values:
        raise MisfitError("there is no JSON in it")
    _, longest = max(values, key=lambda pair: pair[0])
    return longest


def _next_start(text: str, at: int) -> int:
    places = [place for sign in "{[" if (place := text.find(sign, at)) >= 0]
    return min(places, default=-1)


def _fit(kind: Any, value: Any, where: str) -> Any:
    if kind in _SIMPLE:
        return _SIMPLE[kind](value, where)
    if is_record(kind):
        return _record(kind, value, where)
    origin = get_origin(kind)
    arguments = get_args(kind)
    if origin is Literal:
        return _choice(arguments, value, where)
    if is_union(origin):
        return _first_that_fits(arguments, value, where)
    if is_a(origin, Mapping):
        return _mapping(arguments[1], value, where)
    items = _list(item_type(arguments), value, where)
    return tuple(items) if origin is tuple else items


def _record(kind: Any, value: Any, where: str) -> Any:
    """Unknown keys are ignored. A missing field gets its default, or None if that is allowed."""
    if not isinstance(value, Mapping):
        raise _misfit(where, "an object", value)
    given = {}
    for name, (hint, has_default) in record_fields(kind).items():
        place = f"{where}.{name}"
        may_be_null = types.NoneType in get_args(hint)
        # Models write null for “nothing to say”, even if a field has a default.
        means_default = has_default and not may_be_null and value.get(name) is None
        if name in value and not means_default:
            given[name] = _fit(hint, value[name], place)
        elif has_default:
            continue
        elif may_be_null:
            given[name] = None
        else:
            raise MisfitError(f"{place.lstrip('.')} is missing")
    return kind(**given)


def _choice(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    if value not in choices:
        raise _misfit(where, f"one of {', '.join(map(repr, choices))}", value)
    return value


def _first_that_fits(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and types.NoneType in kinds:
        return None
    problems = []
    for kind in kinds:
        if kind is types.NoneType:
            continue
        try:
            return _fit(kind, value, where)
        except MisfitError as error:
            problems.append(str(error))
    raise MisfitError("; or ".join(problems))


def _mapping(kind: Any, value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _misfit(where, "an object", value)
    return {str(key): _fit(kind, item, f"{where}.{key}") for key, item in value.items()}


def _list(kind: Any, value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _misfit(where, "a list", value)
    return [_fit(kind, item, f"{where}[{at}]") for at, item in enumerate(value)]


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _misfit(where, "a text", value)
    return value


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise _misfit(where, "true or false", value)
    return value


def _number(value: Any, where: str) -> float:
    # Some models write numbers as text. True is an int for Python, but not for a model.
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _misfit(where, "a number", value)
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise _misfit(where, "a number", value) from None
    if not math.isfinite(number):
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
            raise _misfit(where, f"a {DATE_FORMATS[kind]} as ISO 8601 has it", value) from None

    return made


_SIMPLE: Mapping[Any, Callable[[Any, str], Any]] = {
    str: _text,
    bool: _truth,
    float: _number,
    int: _whole,
    date: _dated(date),
    datetime: _dated(datetime),
}


def _misfit(where: str, wanted: str, value: Any) -> MisfitError:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    place = where.lstrip(".") or "the answer"
    return MisfitError(f"{place} must be {wanted}, not {shown[:_SHOWN]}")
