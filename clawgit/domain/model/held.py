"""What a language model answers, held to what it was shown: a text that says mostly something else
is left out.

A quotation proves that something was said, and not that what stands beside it follows. This is the
last word on each text of an answer, whatever the agent that asked makes of its quotations.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar, get_origin, get_type_hints

from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words

T = TypeVar("T")

_SHARE = 0.5
"""So much of what a sentence says must have been shown: the rest are the words that a whole
sentence needs."""


class Held(NamedTuple):
    """An answer without what was not shown, and these texts. `value` is None where nothing of it
    can be taken.
    """

    value: Any
    strays: tuple[str, ...] = ()


def held(answer: object, shown: Iterable[str]) -> Held:
    """The answer without the items of its lists that say what was not shown. Words of a closed
    choice are no text.
    """
    strays: list[str] = []
    known = content_words("\n".join(shown))
    kept = _kept(answer, known, strays)
    return Held(None if kept is _GONE else kept, tuple(strays))


def strays_from(text: str, known: frozenset[str]) -> bool:
    """Whether a sentence of a text says mostly what is not known."""
    for part in [span.text for span in sentences(text)] or [text]:
        words = content_words(part)
        if len(words - known) > len(words) * _SHARE:
            return True
    return False


def _kept(value: Any, known: frozenset[str], strays: list[str]) -> Any:
    if isinstance(value, str):
        if not strays_from(value, known):
            return value
        strays.append(value)
        return _GONE
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _record(value, known, strays)
    if isinstance(value, list | tuple):
        items = [_kept(one, known, strays) for one in value]
        return type(value)(one for one in items if one is not _GONE)
    if isinstance(value, Mapping):
        found = {name: _kept(one, known, strays) for name, one in value.items()}
        return {name: one for name, one in found.items() if one is not _GONE}
    return value


def _record(value: Any, known: frozenset[str], strays: list[str]) -> Any:
    """A record with one text that strays is none: its fields belong together."""
    hints = get_type_hints(type(value))
    chosen = {name for name, hint in hints.items() if get_origin(hint) is Literal}
    fields = {}
    for name, one in value._asdict().items():
        fields[name] = one if name in chosen else _kept(one, known, strays)
        if fields[name] is _GONE:
            return _GONE
    return type(value)(**fields)


_GONE = object()
