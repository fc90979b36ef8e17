"""Cuts an answer to the tokens that its reader has room for, and says what was left out."""

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from clawgit.domain.model.tokens import estimate_tokens, fits

_CHARS_A_TOKEN = 12
"""More than any text worth reading has. A text longer than the whole budget is cut by this first,
because counting its tokens would take too long."""

_TOKENS_AN_ITEM = 4
"""Fewer than any list entry has; a longer list is cut by this before it is counted."""

_MARK = "…"
_ROOM_TO_SAY = 40
"""Tokens reserved for the sentence about what was left out."""


class Fitted(NamedTuple):
    """`dropped` says in words what is no longer in `value`."""

    value: dict[str, Any]
    dropped: tuple[str, ...] = ()


class _Place(NamedTuple):
    """Where a list or a text is that may be cut: its path, and its key in its container."""

    path: str
    holder: Any
    key: Any

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    @property
    def is_text(self) -> bool:
        return isinstance(self.value, str)


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fitted(value: dict[str, Any], gives: Sequence[str], budget: int) -> Fitted:
    """The value within a budget, changed in place.

    `gives` names the lists and texts to cut first, in this order, each from its end (`files.patch`
    is the patch of every file). If that is not enough, anything is cut, the largest first.
    """
    if fits(compact(value), budget):
        return Fitted(value)
    cut: dict[str, tuple[_Place, int]] = {}
    for place in _everything(value):
        _clip(place, budget, cut)
    if _tokens(value) > budget:
        room = budget - _ROOM_TO_SAY
        for place in [*_in_order(value, gives)]:
            # A cut is an estimate, so it is repeated until the value fits or nothing is left.
            while (over := _tokens(value) - room) > 0 and _cut(place, over, cut):
                pass
    return Fitted(value, tuple(_cut_text(place, length) for place, length in cut.values()))


def _in_order(value: Any, gives: Sequence[str]) -> Iterator[_Place]:
    """The places to cut: those that are named, the last item first, then all by size."""
    for give in gives:
        yield from reversed([*_places(value, give.split("."), "")])
    yield from sorted(_everything(value), key=lambda place: len(compact(place.value)), reverse=True)


def _tokens(value: Any) -> int:
    return estimate_tokens(compact(value))


def _places(value: Any, names: list[str], path: str) -> Iterator[_Place]:
    """The lists and texts that a dotted name means.

    If a part of the name is a list, each of its items.
    """
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, names, f"{path}[{index}]")
        return
    if not isinstance(value, dict) or names[0] not in value:
        return
    name, *rest = names
    member = value[name]
    where = f"{path}.{name}" if path else name
    if rest:
        yield from _places(member, rest, where)
    elif isinstance(member, (list, str)):
        yield _Place(where, value, name)


def _everything(value: Any, path: str = "") -> Iterator[_Place]:
    """Every list and text, the outer ones first."""
    for where, key, member in _members(value, path):
        if isinstance(member, (list, str)):
            yield _Place(where, value, key)
        yield from _everything(member, where)


def _members(value: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """The path, the key and the value of each member of an object or a list."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield f"{path}[{index}]", index, item
    elif isinstance(value, dict):
        for name, member in value.items():
            yield (f"{path}.{name}" if path else str(name)), name, member


def _clip(place: _Place, budget: int, cut: dict[str, tuple[_Place, int]]) -> None:
    """Cuts what is too long even by itself, since counting its tokens would be slow."""
    most = budget * _CHARS_A_TOKEN if place.is_text else budget // _TOKENS_AN_ITEM
    _shorten(place, most, cut)


def _cut(place: _Place, over: int, cut: dict[str, tuple[_Place, int]]) -> bool:
    """Cuts about this many tokens from the end, or everything. False if nothing was left to cut."""
    value = place.value
    pieces = value.splitlines(keepends=True) if place.is_text else value
    costs = [*accumulate(_tokens(piece) for piece in reversed(pieces))]
    gone = next((count for count, cost in enumerate(costs, 1) if cost >= over), len(pieces))
    if not place.is_text:
        return _shorten(place, len(value) - gone, cut)
    kept = sum(map(len, pieces[: len(pieces) - gone]))
    if kept == 0 and costs:
        # If whole lines would leave nothing, as with one long line, a share of the characters
        # stays.
        share = 1 - (over + 1) / costs[-1]
        kept = max(0, int(len(value) * share) - len(_MARK))
    return _shorten(place, kept, cut)


def _shorten(place: _Place, kept: int, cut: dict[str, tuple[_Place, int]]) -> bool:
    """Shortens to this many characters or entries; `cut` records how many there were at first."""
    value = place.value
    if not place.is_text:
        if kept >= len(value):
            return False
        cut.setdefault(place.path, (place, len(value)))
        place.holder[place.key] = value[:kept]
        return True
    # The mark of an earlier cut does not count as text.
    text = value.removesuffix(_MARK) if place.path in cut else value
    if kept >= len(text):
        return False
    cut.setdefault(place.path, (place, len(value)))
    place.holder[place.key] = text[:kept] + _MARK
    return True


def _cut_text(place: _Place, length: int) -> str:
    if place.is_text:
        left_out = length - len(place.value) + len(_MARK)
        return f"{place.path}: {left_out:,} of {length:,} characters"
    return f"{place.path}: {length - len(place.value):,} of {length:,} entries"
