"""Assembles what a conversation starts with: slots that share one budget of tokens.

Slots are filled with whole pieces, and no line is shown twice.
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
"""A fence must be longer than any fence inside it."""

_JOINT = 1
"""Tokens for the blank lines between two texts."""

_MISFITS = 40
"""After this many pieces in a row that did not fit, no more are tried."""

NO_ROOM = "no room"

OFF = "its budget is 0"


class ContextPiece(NamedTuple):
    """What is shown whole or not at all, below its headings `heads`; `place` orders what is shown.

    Two pieces with a name in common are the same. An `idle` one may use the room of its own slot
    only.
    """

    text: str
    source: str
    heads: tuple[str, ...] = ()
    place: tuple[int, ...] = ()
    why: str = ""
    names: tuple[str, ...] = ()
    idle: bool = False


class Slot(NamedTuple):
    """Pieces, the most important first. `strict`: a piece that does not fit keeps out all after it.

    `quoted`: the text came from elsewhere and stands in a fence, below `intro`. `left`: pieces that
    were not even candidates.
    """

    name: str
    title: str
    budget: int
    pieces: Sequence[ContextPiece] = ()
    intro: str = ""
    quoted: bool = False
    strict: bool = False
    left: Sequence[ContextPiece] = ()


class ContextChoice(NamedTuple):
    """A piece that was taken or left, and why."""

    source: str
    tokens: int
    why: str


class FilledSlot(NamedTuple):
    """A slot with its text, and the room that it had."""

    slot: Slot
    room: Room
    tokens: int
    text: str
    taken: tuple[ContextChoice, ...]
    left: tuple[ContextChoice, ...]


class Assembled(NamedTuple):
    budget: int
    used: int
    text: str
    slots: tuple[FilledSlot, ...]


def assemble(slots: Sequence[Slot], budget: int, count: Count) -> Assembled:
    """Fills the slots, the first one first. The result never counts more than the budget."""
    counted = cache(count)
    bins = [_Bin(slot, counted) for slot in slots]
    shares = rooms([bin_.need(budget) for bin_ in bins], budget)
    filling = _Filling(bins, shares, budget)
    filling.share()
    texts = [bin_.text for bin_ in bins]
    # Tokens of parts do not add up exactly to those of the whole, so the whole is counted at last.
    while (used := counted(_joined(texts))) > budget and filling.drop_last():
        texts = [bin_.text for bin_ in bins]
    filled = tuple(
        FilledSlot(
            bin_.slot, room, counted(text), text, tuple(bin_.chosen()), tuple(bin_.passed_over())
        )
        for bin_, room, text in zip(bins, shares, texts, strict=True)
    )
    return Assembled(budget, used, _joined(texts), filled)


@dataclass(slots=True)
class _Bin:
    """A slot while it is filled."""

    slot: Slot
    count: Count
    taken: list[tuple[ContextPiece, int]] = field(default_factory=list)
    left: list[tuple[ContextPiece, int, str]] = field(default_factory=list)
    spent: int = 0
    _heads: set[tuple[str, ...]] = field(default_factory=set)

    def need(self, most: int) -> Need:
        """The tokens that it could use, up to `most`."""
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

    def price(self, piece: ContextPiece) -> int:
        return self._cost(piece, self._heads) + (0 if self.taken else self._opening())

    def take(self, piece: ContextPiece, tokens: int) -> None:
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

    def chosen(self) -> Iterator[ContextChoice]:
        return (ContextChoice(piece.source, tokens, piece.why) for piece, tokens in self.taken)

    def passed_over(self) -> Iterator[ContextChoice]:
        kept_out = (ContextChoice(piece.source, 0, piece.why) for piece in self.slot.left)
        return chain(
            (ContextChoice(piece.source, tokens, why) for piece, tokens, why in self.left), kept_out
        )

    def _cost(self, piece: ContextPiece, above: set[tuple[str, ...]]) -> int:
        new = (heads[-1] for heads in _chains(piece.heads) if heads not in above)
        return self.count(piece.text) + _JOINT + sum(self.count(head) + _JOINT for head in new)

    def _opening(self) -> int:
        return self.count(_frame(self.slot, "")) + _JOINT


class _Filling:
    """All slots while they are filled: what was shown already, and how much room is left."""

    def __init__(self, bins: Sequence[_Bin], shares: Sequence[Room], budget: int) -> None:
        self._bins = bins
        self._rooms = shares
        self._budget = budget
        self._said: dict[str, str] = {}
        """Lines and names that were shown → the slot that shows them."""

    def share(self) -> None:
        """Fills each slot; room that one does not use goes to the next, and at last to cut ones."""
        over = 0
        for bin_, room in zip(self._bins, self._rooms, strict=True):
            if bin_.slot.budget:
                self._fill(bin_, bin_.slot.pieces, room.total + over, room.own)
                over += room.total - bin_.spent
            else:
                bin_.left += [(piece, 0, OFF) for piece in bin_.slot.pieces]
        for bin_ in self._bins:
            self._fill_again(bin_)

    def _fill_again(self, bin_: _Bin) -> None:
        """Tries the pieces that did not fit once more, with the room that nobody used."""
        again: list[ContextPiece] = []
        others: list[tuple[ContextPiece, int, str]] = []
        for left in bin_.left:
            piece, _, why = left
            if why == NO_ROOM and not piece.idle:
                again.append(piece)
            else:
                others.append(left)
        free = self._free()
        if again and free > 0:
            bin_.left = others
            self._fill(bin_, again, bin_.spent + free, 0)

    def drop_last(self) -> bool:
        """Removes the last piece of the last slot that has one; False if there is none."""
        for bin_ in reversed(self._bins):
            if bin_.taken:
                bin_.drop_last()
                return True
        return False

    def _free(self) -> int:
        return self._budget - sum(bin_.spent for bin_ in self._bins)

    def _fill(self, bin_: _Bin, pieces: Iterable[ContextPiece], room: int, own: int) -> None:
        misfits = 0
        for piece in pieces:
            if misfits >= _MISFITS:
                bin_.left.append((piece, 0, NO_ROOM))
                continue
            fresh, where = self._fresh(piece)
            if fresh is None:
                bin_.left.append((piece, 0, f"said in {where}"))
                continue
            tokens = bin_.price(fresh)
            limit = min(own, room) if piece.idle else room
            if bin_.spent + tokens > limit:
                # A piece larger than the whole slot must not end a strict one: nothing would fit.
                misfits += _MISFITS if bin_.slot.strict and tokens <= room else 1
                bin_.left.append((piece, tokens, NO_ROOM))
                continue
            bin_.take(fresh, tokens)
            misfits = 0
            self._said |= dict.fromkeys((*fresh.names, *sayings(fresh.text)), bin_.slot.name)

    def _fresh(self, piece: ContextPiece) -> tuple[ContextPiece | None, str]:
        """A piece without lines shown before; None and their slot if nothing is left."""
        shown_in = self._slot_of(piece.names)
        if shown_in:
            return None, shown_in
        text = anew(piece.text, self._said)
        if not text:
            return None, self._slot_of(sayings(piece.text))
        if text == piece.text:
            return piece, ""
        return piece._replace(text=text), ""

    def _slot_of(self, names: Iterable[str]) -> str:
        """The slot that shows the first known one of these names or lines."""
        return next((self._said[name] for name in names if name in self._said), "")


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, texts))


def _slot_text(slot: Slot, pieces: Sequence[ContextPiece]) -> str:
    if not pieces:
        return ""
    tight = _is_line if slot.quoted else _is_item
    return _frame(slot, _body(sorted(pieces, key=attrgetter("place")), tight))


def _body(pieces: Sequence[ContextPiece], tight: Callable[[str], bool]) -> str:
    """Pieces below each other, each heading once; no blank line between two that are `tight`."""
    parts: list[str] = []
    above: tuple[str, ...] = ()
    before = ""
    for piece in pieces:
        heads = _new_heads(piece.heads, above)
        close = not heads and tight(before) and tight(piece.text)
        parts += ["\n" if close else "\n\n", "".join(f"{head}\n\n" for head in heads), piece.text]
        above = piece.heads
        before = piece.text
    return "".join(parts[1:])


def _new_heads(heads: tuple[str, ...], above: tuple[str, ...]) -> tuple[str, ...]:
    """The headings of a piece from the first that is not above it already."""
    for at, head in enumerate(heads):
        if at >= len(above) or head != above[at]:
            return heads[at:]
    return ()


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
