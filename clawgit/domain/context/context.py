"""What a conversation starts with: slots that share one budget, filled with whole pieces, and no
line said twice.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from clawgit.domain.context.line_dedup import anew, sayings
from clawgit.domain.context.slot_budget import Need, Room, rooms

Count = Callable[[str], int]
"""How many tokens a text takes."""


_TICKS = re.compile("`{2,}")
"""A fence must be longer than any in what it holds."""

_JOINT = 1
"""Tokens for what stands between two texts, which is no more than blank lines."""

_MISFITS = 40
"""After so many that found no room, none is tried any more."""

NO_ROOM = "no room"

OFF = "its budget is 0"


class Piece(NamedTuple):
    """What is shown whole or not at all, below its `heads`; `place` orders what is shown. `names`
    are those by which it is known to be the same as another. An `idle` one is worth the room of its
    own slot, and none besides.
    """

    text: str
    source: str
    heads: tuple[str, ...] = ()
    place: tuple[int, ...] = ()
    why: str = ""
    names: tuple[str, ...] = ()
    idle: bool = False


class Slot(NamedTuple):
    """Its pieces in the order in which they are wanted. `strict`: what finds no room keeps out all
    that come after it. What is `quoted` came from elsewhere: it stands in a fence, below `intro`.
    `left` are those that were not let in.
    """

    name: str
    title: str
    budget: int
    pieces: Sequence[Piece] = ()
    intro: str = ""
    quoted: bool = False
    strict: bool = False
    left: Sequence[Piece] = ()


class Choice(NamedTuple):
    """A piece that was taken or left, and why."""

    source: str
    tokens: int
    why: str


class Filled(NamedTuple):
    """A slot as it came out, and the room that it had."""

    slot: Slot
    room: Room
    tokens: int
    text: str
    taken: tuple[Choice, ...]
    left: tuple[Choice, ...]


class Assembled(NamedTuple):
    budget: int
    used: int
    text: str
    slots: tuple[Filled, ...]


def assemble(slots: Sequence[Slot], budget: int, count: Count) -> Assembled:
    """Fills the slots, the first one first. What comes out never counts more than the budget,
    however it is counted.
    """
    counted = cache(count)
    bins = [_Bin(slot, counted) for slot in slots]
    found = rooms([one.need(budget) for one in bins], budget)
    filling = _Filling(bins, found, budget)
    filling.share()
    texts = [one.text for one in bins]
    while (used := counted(_joined(texts))) > budget and filling.drop_last():
        texts = [one.text for one in bins]
    filled = tuple(
        Filled(one.slot, room, counted(text), text, tuple(one.chosen()), tuple(one.passed_over()))
        for one, room, text in zip(bins, found, texts, strict=True)
    )
    return Assembled(budget, used, _joined(texts), filled)


@dataclass(slots=True)
class _Bin:
    """A slot while it is filled."""

    slot: Slot
    count: Count
    taken: list[tuple[Piece, int]] = field(default_factory=list)
    left: list[tuple[Piece, int, str]] = field(default_factory=list)
    spent: int = 0
    _heads: set[tuple[str, ...]] = field(default_factory=set)

    def need(self, most: int) -> Need:
        """What it would take; beyond `most` nobody asks."""
        if not self.slot.budget:
            return Need(0, 0, 0)
        every = eager = 0
        heads: set[tuple[str, ...]] = set()
        for piece in self.slot.pieces:
            tokens = self._cost(piece, heads) + (0 if every else self._opening())
            heads.update(_chains(piece.heads))
            every += tokens
            eager += 0 if piece.idle else tokens
            if eager > most:
                break
        return Need(self.slot.budget, min(every, most), min(eager, most))

    def price(self, piece: Piece) -> int:
        return self._cost(piece, self._heads) + (0 if self.taken else self._opening())

    def take(self, piece: Piece, tokens: int) -> None:
        self.taken.append((piece, tokens))
        self.spent += tokens
        self._heads.update(_chains(piece.heads))

    def drop_last(self) -> None:
        piece, tokens = self.taken.pop()
        self.spent -= tokens
        self.left.append((piece, tokens, NO_ROOM))

    @property
    def text(self) -> str:
        return _slot_text(self.slot, [piece for piece, _ in self.taken])

    def chosen(self) -> Iterator[Choice]:
        return (Choice(piece.source, tokens, piece.why) for piece, tokens in self.taken)

    def passed_over(self) -> Iterator[Choice]:
        kept_out = (Choice(piece.source, 0, piece.why) for piece in self.slot.left)
        return chain(
            (Choice(piece.source, tokens, why) for piece, tokens, why in self.left), kept_out
        )

    def _cost(self, piece: Piece, above: set[tuple[str, ...]]) -> int:
        new = (heads[-1] for heads in _chains(piece.heads) if heads not in above)
        return self.count(piece.text) + _JOINT + sum(self.count(head) + _JOINT for head in new)

    def _opening(self) -> int:
        return self.count(_frame(self.slot, "")) + _JOINT


class _Filling:
    """All slots while they are filled: what was said already, and how much room is left."""

    def __init__(self, bins: Sequence[_Bin], found: Sequence[Room], budget: int) -> None:
        self._bins, self._rooms, self._budget = bins, found, budget
        self._said: dict[str, str] = {}

    def share(self) -> None:
        """What a slot does not use of its room goes on to the next, and in the end to whoever was
        cut first.
        """
        over = 0
        for one, room in zip(self._bins, self._rooms, strict=True):
            if one.slot.budget:
                self._fill(one, one.slot.pieces, room.total + over, room.own)
                over += room.total - one.spent
            else:
                one.left += [(piece, 0, OFF) for piece in one.slot.pieces]
        for one in self._bins:
            again = [piece for piece, _, why in one.left if why == NO_ROOM and not piece.idle]
            if again and (free := self._free()) > 0:
                one.left = [left for left in one.left if left[2] != NO_ROOM or left[0].idle]
                self._fill(one, again, one.spent + free, 0)

    def drop_last(self) -> bool:
        """Takes the last piece of the last slot away; False where there is none."""
        one = next((one for one in reversed(self._bins) if one.taken), None)
        if one is not None:
            one.drop_last()
        return one is not None

    def _free(self) -> int:
        return self._budget - sum(one.spent for one in self._bins)

    def _fill(self, one: _Bin, pieces: Iterable[Piece], room: int, own: int) -> None:
        misfits = 0
        for piece in pieces:
            if misfits >= _MISFITS:
                one.left.append((piece, 0, NO_ROOM))
                continue
            fresh, where = self._fresh(piece)
            if fresh is None:
                one.left.append((piece, 0, f"said in {where}"))
                continue
            tokens = one.price(fresh)
            if one.spent + tokens > (min(own, room) if piece.idle else room):
                misfits += _MISFITS if one.slot.strict and tokens <= room else 1
                one.left.append((piece, tokens, NO_ROOM))
                continue
            one.take(fresh, tokens)
            misfits = 0
            self._said |= dict.fromkeys((*fresh.names, *sayings(fresh.text)), one.slot.name)

    def _fresh(self, piece: Piece) -> tuple[Piece | None, str]:
        """A piece without what was said before; None where that is all of it, and the slot that
        says it.
        """
        known = next((self._said[name] for name in piece.names if name in self._said), "")
        text = "" if known else anew(piece.text, self._said)
        if text:
            return (piece if text == piece.text else piece._replace(text=text)), ""
        return None, known or next(
            (self._said[one] for one in sayings(piece.text) if one in self._said), ""
        )


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, texts))


def _slot_text(slot: Slot, pieces: Sequence[Piece]) -> str:
    if not pieces:
        return ""
    return _frame(
        slot,
        _body(sorted(pieces, key=attrgetter("place")), tight=_is_line if slot.quoted else _is_item),
    )


def _body(pieces: Sequence[Piece], tight: Callable[[str], bool]) -> str:
    """Pieces below each other, those that are `tight` without a blank line between two; a heading
    stands once above all that it is about.
    """
    parts: list[str] = []
    above: tuple[str, ...] = ()
    before = ""
    for piece in pieces:
        shared = next(
            (at for at in range(len(piece.heads)) if piece.heads[: at + 1] != above[: at + 1]), None
        )
        heads = () if shared is None else piece.heads[shared:]
        close = not heads and tight(before) and tight(piece.text)
        parts += ["\n" if close else "\n\n", "".join(f"{head}\n\n" for head in heads), piece.text]
        above, before = piece.heads, piece.text
    return "".join(parts[1:])


def _frame(slot: Slot, body: str) -> str:
    inside = body
    if slot.quoted:
        runs = (
            run
            for piece in slot.pieces
            for text in (piece.text, *piece.heads)
            for run in _TICKS.findall(text)
        )
        fence = "`" * (1 + max(map(len, runs), default=2))
        inside = f"{fence}text\n{body}\n{fence}"
    return "\n\n".join(filter(None, (f"# {slot.title}", slot.intro, inside)))


def _chains(heads: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return (heads[:end] for end in range(1, len(heads) + 1))


def _is_line(text: str) -> bool:
    return text != "" and "\n" not in text


def _is_item(text: str) -> bool:
    return text.startswith(("- ", "* ", "+ "))
