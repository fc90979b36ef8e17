"""What a frozen value is made of: `typing.NamedTuple`, whose classes are made in a tenth of the
time. `typing` compiles source for each of them, 60 to 100 µs, and a command makes a hundred, most
of which are never filled: 10 ms of `memory add` and of `memory search`.
"""

import sys
from operator import itemgetter

__all__ = ["NamedTuple"]

TYPE_CHECKING = False
# From 3.14 on, the body of a class has functions in place of its annotations.
if TYPE_CHECKING or sys.version_info >= (3, 14):
    from typing import Any, NamedTuple
else:

    class _Fields(type):
        """Makes the annotations of a class its fields."""

        def __new__(cls, name: str, bases: "tuple[type, ...]", body: "dict[str, Any]") -> type:
            if "__annotations__" in body and NamedTuple in bases:
                fields = tuple(body["__annotations__"])
                body["_field_defaults"] = {one: body[one] for one in fields if one in body}
                body.update((one, property(itemgetter(at))) for at, one in enumerate(fields))
                body["_fields"] = body["__match_args__"] = fields
                body["__slots__"] = ()
            return super().__new__(cls, name, bases, body)

    class NamedTuple(tuple, metaclass=_Fields):
        __slots__ = ()

        def __new__(cls, *values: "Any", **named: "Any") -> "Any":
            fields, defaults = cls._fields, cls._field_defaults
            missing = fields[len(values) :]
            if missing:
                given = defaults | named
                values += tuple([given[one] for one in missing if one in given])
            if len(values) != len(fields) or not named.keys() <= set(missing):
                raise TypeError(f"{cls.__name__} has {fields}, not {values} and {named}")
            return tuple.__new__(cls, values)

        @classmethod
        def _make(cls, values: "Any") -> "Any":
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {cls._fields}, not {tuple(made)}")
            return made

        def _asdict(self) -> "dict[str, Any]":
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **named: "Any") -> "Any":
            return type(self)(**(self._asdict() | named))

        def __getnewargs__(self) -> "tuple[Any, ...]":
            return tuple(self)

        def __repr__(self) -> str:
            told = ", ".join([f"{field}={value!r}" for field, value in self._asdict().items()])
            return f"{type(self).__name__}({told})"
