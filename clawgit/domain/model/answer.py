"""What a language model answered: the JSON is found in its text and made into a dataclass."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from clawgit.doors import pydantic
from clawgit.errors import NoAnswerError

T = TypeVar("T")

_MOST_STARTS = 50
"""JSON is looked for at this many places of a text at most; each can cost reading the whole
text.
"""


class MisfitError(ValueError):
    """A value of the wrong shape. The message tells the model what to correct."""


def schema(kind: type[Any]) -> dict[str, Any]:
    """The JSON Schema of an answer. NoAnswerError without pydantic."""
    try:
        shape = pydantic.TypeAdapter(kind).json_schema()
    except ImportError as error:
        message = "A model's answer is read by pydantic: pip install 'clawgit[llm]'."
        raise NoAnswerError(message) from error
    made: dict[str, Any] = _in_full(shape, shape.pop("$defs", {}))
    return made


def _in_full(shape: Any, named: Mapping[str, Any]) -> Any:
    """A schema with each part in its place, where pydantic refers to it by name; without titles."""
    if isinstance(shape, list):
        return [_in_full(part, named) for part in shape]
    if not isinstance(shape, Mapping):
        return shape
    whole = named.get(shape.get("$ref", "").rpartition("/")[2], shape)
    return {
        key: _in_full(part, named)
        for key, part in whole.items()
        # Each part has one, which only repeats its name.
        if key != "title"
    }


def fitted(kind: type[T], value: object) -> T:
    """The answer as a value of that type; MisfitError if it does not match `schema`."""
    try:
        # As JSON, where `strict` takes a mapping for a dataclass. Without it `true` is a number.
        told = json.dumps(_without_nulls(value))
        made: T = pydantic.TypeAdapter(kind).validate_json(told, strict=True)
    except RecursionError as error:
        raise MisfitError("it is nested too deeply") from error
    except pydantic.ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(map(str, wrong["loc"])) or "the answer"
        raise MisfitError(f"{where}: {wrong['msg']}") from error
    return made


def _without_nulls(value: object) -> object:
    """Models write null for “nothing to say”, even if a field has a default."""
    if isinstance(value, Mapping):
        told = {key: item for key, item in value.items() if item is not None}
        return {key: _without_nulls(item) for key, item in told.items()}
    return [*map(_without_nulls, value)] if isinstance(value, list) else value


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
