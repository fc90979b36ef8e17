"""The JSON Schema of a Python type: for what a language model must answer and a tool takes.

A type is str, int, float, bool, a date, a Literal, `X | None`, a tuple, list or mapping of these,
or a record (a NamedTuple or dataclass) with fields of these types.
"""

import dataclasses
import types
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

DATE_FORMATS: Mapping[Any, str] = {date: "date", datetime: "date-time"}

_SIMPLE: Mapping[Any, Mapping[str, str]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    **{kind: {"type": "string", "format": name} for kind, name in DATE_FORMATS.items()},
}


def schema_of(kind: Any) -> dict[str, Any]:
    """The schema of any of these types; TypeError for another type."""
    if kind in _SIMPLE:
        return dict(_SIMPLE[kind])
    if is_record(kind):
        return _record_schema(kind)
    origin = get_origin(kind)
    arguments = get_args(kind)
    if origin is Literal:
        return {"type": "string", "enum": [*arguments]}
    if is_union(origin):
        return {"anyOf": [_alternative(argument) for argument in arguments]}
    if is_a(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    if is_a(origin, Sequence):
        return {"type": "array", "items": schema_of(item_type(arguments))}
    raise TypeError(f"{kind} has no JSON schema")


def object_schema(members: Mapping[str, Any], required: Iterable[str]) -> dict[str, Any]:
    """The schema of an object with these members, each with its schema, and no others."""
    return {
        "type": "object",
        "properties": dict(members),
        "required": list(required),
        "additionalProperties": False,
    }


def is_record(kind: Any) -> bool:
    """Whether it is a NamedTuple or a dataclass."""
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))


def is_union(origin: Any) -> bool:
    return origin in (Union, types.UnionType)


def is_a(origin: Any, base: type) -> bool:
    return isinstance(origin, type) and issubclass(origin, base)


def record_fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """Each field's type, and whether the field has a default."""
    hints = get_type_hints(kind)
    if dataclasses.is_dataclass(kind):
        return {
            field.name: (hints[field.name], _has_default(field))
            for field in dataclasses.fields(kind)
        }
    return {name: (hints[name], name in kind._field_defaults) for name in kind._fields}


def item_type(arguments: tuple[Any, ...]) -> Any:
    """The type of a list's items."""
    if arguments[1:] not in ((), (Ellipsis,)):
        raise TypeError("a tuple must have any number of items of one type: tuple[X, ...]")
    return arguments[0]


def _has_default(field: dataclasses.Field[Any]) -> bool:
    return (
        field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
    )


def _alternative(kind: Any) -> dict[str, Any]:
    return {"type": "null"} if kind is types.NoneType else schema_of(kind)


def _record_schema(kind: Any) -> dict[str, Any]:
    fields = record_fields(kind)
    schema = object_schema(
        {name: schema_of(hint) for name, (hint, _) in fields.items()},
        [name for name, (_, has_default) in fields.items() if not has_default],
    )
    description = " ".join((kind.__doc__ or "").split())
    # A dataclass without a docstring gets its signature as one.
    if description and not description.startswith(f"{kind.__name__}("):
        schema["description"] = description
    return schema
