"""Making an answer fit into the tokens that its reader has room for, and saying what was left out
for it.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from clawgit.domain.model.tokens import estimate_tokens

_CHARS_A_TOKEN = 12
"""No text that is worth reading has more; what is longer than all the room is cut before it is
counted."""

_TOKENS_AN_ITEM = 4
_MARK = "…"
_ROOM_TO_SAY = 40
"""Tokens for one word about what was left out."""


class Fitted(NamedTuple):
    """`dropped` says in words what is no longer in `value`."""

    value: dict[str, Any]
    dropped: tuple[str, ...] = ()


class _Place(NamedTuple):
    """Where something stands that may give way: a list or a text in its container."""

    path: str
    holder: Any
    key: Any

    @property
    def found(self) -> Any:
        return self.holder[self.key]


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fitted(value: dict[str, Any], gives: Sequence[str], budget: int) -> Fitted:
    """The value within a budget. `gives` name the lists and texts that give way, in this order,
    each from its end (`files.patch` is that of every file); where they do not suffice, anything
    does. The value is changed in place.
    """
    cut: dict[str, tuple[_Place, int]] = {}
    for place in _everything(value):
        _clip(place, budget, cut)
    if _tokens(value) > budget:
        room = budget - _ROOM_TO_SAY
        named = [
            place for give in gives for place in reversed([*_places(value, give.split("."), "")])
        ]
        for place in (*named, *sorted(_everything(value), key=_size, reverse=True)):
            while (over := _tokens(value) - room) > 0 and _cut(place, over, cut):
                pass
    return Fitted(value, tuple(_told(place, length) for place, length in cut.values()))


def _tokens(value: Any) -> int:
    return estimate_tokens(compact(value))


def _places(value: Any, names: list[str], path: str) -> Iterator[_Place]:
    """The lists and texts that a dotted name means; a list on the way stands for each of its
    items.
    """
    if isinstance(value, list):
        for at, one in enumerate(value):
            yield from _places(one, names, f"{path}[{at}]")
    elif isinstance(value, dict) and names[0] in value:
        found, where = value[names[0]], f"{path}.{names[0]}" if path else names[0]
        if len(names) > 1:
            yield from _places(found, names[1:], where)
        elif isinstance(found, (list, str)):
            yield _Place(where, value, names[0])


def _everything(value: Any, path: str = "") -> Iterator[_Place]:
    """Every list and text, the outer ones first."""
    members = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, one in members:
        where = (
            f"{path}[{key}]" if isinstance(value, list) else f"{path}.{key}" if path else str(key)
        )
        if isinstance(one, (list, str)):
            yield _Place(where, value, key)
        yield from _everything(one, where)


def _size(place: _Place) -> int:
    return len(compact(place.found))


def _clip(place: _Place, budget: int, cut: dict[str, tuple[_Place, int]]) -> None:
    """Cuts what cannot fit whatever else gives way: counting it would take longer than all the
    rest.
    """
    most = budget * _CHARS_A_TOKEN if isinstance(place.found, str) else budget // _TOKENS_AN_ITEM
    _shorten(place, most, cut)


def _cut(place: _Place, over: int, cut: dict[str, tuple[_Place, int]]) -> bool:
    """Takes about so many tokens from the end, or all there is; False where nothing was left to
    take.
    """
    found = place.found
    pieces = found.splitlines(keepends=True) if isinstance(found, str) else found
    costs = [*accumulate(_tokens(piece) for piece in reversed(pieces))]
    gone = next((count for count, cost in enumerate(costs, 1) if cost >= over), len(pieces))
    if not isinstance(found, str):
        return _shorten(place, len(found) - gone, cut)
    kept = sum(map(len, pieces[: len(pieces) - gone]))
    if kept == 0 and costs:  # one long line: its share of characters
        kept = max(0, int(len(found) * (1 - (over + 1) / costs[-1])) - len(_MARK))
    return _shorten(place, kept, cut)


def _shorten(place: _Place, kept: int, cut: dict[str, tuple[_Place, int]]) -> bool:
    found, mark = place.found, _MARK if isinstance(place.found, str) else []
    whole = found.removesuffix(_MARK) if mark and place.path in cut else found
    if kept >= len(whole):
        return False
    cut.setdefault(place.path, (place, len(found)))
    place.holder[place.key] = whole[:kept] + mark
    return True


def _told(place: _Place, length: int) -> str:
    is_text = isinstance(place.found, str)
    left = length - len(place.found) + (len(_MARK) if is_text else 0)
    return f"{place.path}: {left:,} of {length:,} {'characters' if is_text else 'entries'}"
