"""Leaves out of a language model's answer each text that says what the model was not shown.

A quotation proves that something was said, not that the text beside it follows from it. This is the
last check on each text of an answer, whatever the calling agent does with its quotations.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar, get_origin, get_type_hints

from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words
from clawgit.values import NamedTuple

T = TypeVar("T")

_SHARE = 0.5
"""At most this share of a sentence's words may be new: a whole sentence needs some words that the
shown text does not have."""

_GONE = object()
"""Stands for a value that was left out; None would be a value."""


class HeldAnswer(NamedTuple):
    """An answer and the texts left out of it. `value` is None if nothing can be kept."""

    value: Any
    strays: tuple[str, ...] = ()


def held(answer: object, shown: Iterable[str]) -> HeldAnswer:
    """The answer without the items that say what was not shown. A Literal is not checked."""
    known = content_words("\n".join(shown))
    strays: list[str] = []
    kept = _kept(answer, known, strays)
    return HeldAnswer(None if kept is _GONE else kept, tuple(strays))


def strays_from(text: str, known: frozenset[str]) -> bool:
    """Whether a sentence of the text consists mostly of words that are not known."""
    parts = [span.text for span in sentences(text)] or [text]
    return any(_is_stray(part, known) for part in parts)


def _is_stray(sentence: str, known: frozenset[str]) -> bool:
    words = content_words(sentence)
    return len(words - known) > len(words) * _SHARE


def _kept(value: Any, known: frozenset[str], strays: list[str]) -> Any:
    """The value without what strays, or `_GONE`. Texts that were left out are added to `strays`."""
    if isinstance(value, str):
        return _kept_text(value, known, strays)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _kept_record(value, known, strays)
    if isinstance(value, list | tuple):
        return type(value)(_kept_items(value, known, strays))
    if isinstance(value, Mapping):
        return _kept_members(value, known, strays)
    return value


def _kept_text(text: str, known: frozenset[str], strays: list[str]) -> Any:
    if strays_from(text, known):
        strays.append(text)
        return _GONE
    return text


def _kept_items(values: Iterable[Any], known: frozenset[str], strays: list[str]) -> list[Any]:
    items = [_kept(value, known, strays) for value in values]
    return [item for item in items if item is not _GONE]


def _kept_members(value: Mapping[str, Any], known: frozenset[str], strays: list[str]) -> Any:
    members = {name: _kept(item, known, strays) for name, item in value.items()}
    return {name: item for name, item in members.items() if item is not _GONE}


def _kept_record(record: Any, known: frozenset[str], strays: list[str]) -> Any:
    """A record goes as a whole if one of its texts strays: its fields belong together."""
    hints = get_type_hints(type(record))
    fields = {}
    for name, value in record._asdict().items():
        is_choice = get_origin(hints.get(name)) is Literal
        fields[name] = value if is_choice else _kept(value, known, strays)
        if fields[name] is _GONE:
            return _GONE
    return type(record)(**fields)
