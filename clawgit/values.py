"""`NamedTuple`, whose classes take a command 20 µs to make, where those of `typing` take 120.

A command loads some two hundred of them, and uses few. Python compiles a constructor for each; here
all classes with as many fields share its code.

`Record` is the same for values of which there are kinds with more fields. A dataclass takes .5 ms,
and the first 5 more.
"""

from __future__ import annotations

import sys
from _collections import _tuplegetter  # type: ignore[import-not-found]

if sys.version_info >= (3, 14):
    from annotationlib import Format, get_annotations

TYPE_CHECKING = False
"""What a type checker takes for true; `typing` itself takes 7 ms to load."""

__all__ = ["NamedTuple", "Record"]

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FunctionType
    from typing import Any, ClassVar, Self, dataclass_transform


class _Value(tuple):  # type: ignore[type-arg]
    """What every named tuple can do; the same as Python's own."""

    __slots__ = ()
    # Without an annotation, which would make it a field to whoever asks for the types.
    _fields = ()  # type: tuple[str, ...]

    @classmethod
    def _make(cls, parts: Iterable[Any]) -> _Value:
        made = tuple.__new__(cls, parts)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, /, **changed: Any) -> _Value:
        made = self._make(map(changed.pop, self._fields, self))
        if changed:
            raise ValueError(f"Got unexpected field names: {[*changed]!r}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        parts = (f"{name}={part!r}" for name, part in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({', '.join(parts)})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


class _Plain:
    """What a named tuple with this many fields is made of: its constructor and its accessors."""

    def __init__(self, count: int) -> None:
        names = "".join(f"part{number}, " for number in range(count))
        # As in `collections`, which takes 2 ms to load.
        self.constructor: FunctionType = eval(  # noqa: S307 - there is nothing of others in it
            f"lambda _cls, {names}: _new(_cls, ({names}))", {"_new": tuple.__new__}
        )
        self.accessors = [_tuplegetter(number, "") for number in range(count)]


_made: dict[int, _Plain] = {}


def _plain(count: int) -> _Plain:
    if count not in _made:
        _made[count] = _Plain(count)
    return _made[count]


def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[Any, ...]) -> FunctionType:
    """The shared code, with the names of these fields."""
    plain = _plain(len(fields)).constructor
    code = plain.__code__.replace(co_varnames=("_cls", *fields))
    made = type(plain)(code, plain.__globals__, "__new__", defaults)
    made.__qualname__ = f"{name}.__new__"
    return made


class _Maker(type):
    """Makes a class with named fields out of a class statement."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        fields = (*body.get("__annotations__", ()),)
        defaults = {field: body[field] for field in fields if field in body}
        if (*defaults,) != fields[len(fields) - len(defaults) :]:
            raise TypeError(f"{name}: a field with a default comes before one without")
        body |= {
            "__slots__": (),
            "__match_args__": fields,
            "__new__": _constructor(name, fields, (*defaults.values(),)),
            "_fields": fields,
            "_field_defaults": defaults,
            **dict(zip(fields, _plain(len(fields)).accessors, strict=True)),
        }
        return type(name, (_Value, *(base for base in bases if base is not _BASE)), body)


_BASE = type.__new__(_Maker, "NamedTuple", (), {})


class _Statement:
    """What a class statement names as its base."""

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return (_BASE,)


if TYPE_CHECKING or sys.version_info >= (3, 14):
    # Python 3.14 keeps the names of the fields elsewhere.
    from typing import NamedTuple
else:
    NamedTuple = _Statement()


def _annotated(kind: type) -> Iterable[str]:
    """The fields that a class itself has."""
    if sys.version_info >= (3, 14):
        return get_annotations(kind, format=Format.FORWARDREF)
    own: dict[str, object] = vars(kind).get("__annotations__", {})
    return own


class _Record(_Value):
    """A named tuple that is made by the names of its fields; a class below has more of them."""

    _field_defaults = {}  # type: dict[str, Any]  # noqa: RUF012 - each class has its own

    def __init_subclass__(cls) -> None:
        own = [*_annotated(cls)]
        defaults = {name: vars(cls)[name] for name in own if name in vars(cls)}
        cls._field_defaults = cls._field_defaults | defaults
        cls._fields = (*cls._fields, *own)
        for name, accessor in zip(cls._fields, _plain(len(cls._fields)).accessors, strict=True):
            setattr(cls, name, accessor)

    def __new__(cls, **parts: Any) -> _Record:  # noqa: PYI034 - `Self` is not loaded
        parts = cls._field_defaults | parts
        if parts.keys() != {*cls._fields}:
            wrong = ", ".join(sorted(parts.keys() ^ {*cls._fields}))
            raise TypeError(f"{cls.__name__}: missing or not one of its fields: {wrong}")
        return tuple.__new__(cls, map(parts.__getitem__, cls._fields))

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), self._asdict()


if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True, kw_only_default=True)
    class Record:
        """What a type checker takes it for."""

        _fields: ClassVar[tuple[str, ...]]

        def _replace(self, **changed: Any) -> Self: ...
        def _asdict(self) -> dict[str, Any]: ...
else:
    Record = _Record
