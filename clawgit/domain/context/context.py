"""Assembles what a conversation starts with: slots that share one budget of tokens.

Slots are filled with whole pieces, and no line is shown twice.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, takewhile
from operator import attrgetter
from typing import NamedTuple

from clawgit.domain.context.line_dedup import anew, sayings
from clawgit.domain.context.slot_budget import Claim, Need, Room, rooms
from clawgit.domain.markdown import frames

Count = Callable[[str], int]
"""How many tokens a text takes."""

_TICKS = re.compile("`{2,}")
"""A fence must be longer than any fence inside it."""

_JOINT = 1
"""Tokens for the blank lines between two texts."""

_MISFITS = 40
"""After this many pieces in a row that did not fit, no more are tried."""

_AMPLE = 2
"""Pieces beyond so many times the room are not even looked at where each text is counted."""

_MARK_SHARE = 20
"""The line that says what was cut is shown where it takes one such part of the budget at most."""

NO_ROOM = "no room"

OFF = "its budget is 0"


class ContextPiece(NamedTuple):
    """What is shown whole or not at all, below its headings `heads`; `place` orders what is shown.

    Two pieces with a name in common are the same. An `idle` one may use the room of its own slot
    only. `firm` ones stand first in their slot, and stay where they take more than its budget.
    """

    text: str
    source: str
    heads: tuple[str, ...] = ()
    place: tuple[int, ...] = ()
    why: str = ""
    names: tuple[str, ...] = ()
    idle: bool = False
    firm: bool = False


class Slot(NamedTuple):
    """Pieces, the most important first. Where the slot comes first, a piece that does not fit keeps
    out all after it, those that are larger than the budget come last, and none is `idle`.

    `quoted`: the text came from elsewhere and stands in a fence, below `intro`. `left`: pieces that
    were not even candidates. `says_cut`: a line below the text says what found no room.
    """

    name: str
    title: str
    budget: int
    pieces: Sequence[ContextPiece] = ()
    intro: str = ""
    quoted: bool = False
    left: Sequence[ContextPiece] = ()
    claim: Claim = Claim.IN_TURN
    says_cut: bool = False


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
    for bin_, room in zip(bins, shares, strict=True):
        bin_.mark_cut(budget, room.total)
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
    """A slot while it is filled. `is_marked`: a line below its text says what found no room."""

    slot: Slot
    count: Count
    taken: list[tuple[ContextPiece, int]] = field(default_factory=list)
    left: list[tuple[ContextPiece, int, str]] = field(default_factory=list)
    spent: int = 0
    is_marked: bool = False
    _heads: set[tuple[str, ...]] = field(default_factory=set)

    @property
    def pieces(self) -> Sequence[ContextPiece]:
        """In the order in which they are wanted."""
        if self.slot.claim is not Claim.FIRST:
            return self.slot.pieces
        # One piece that is larger than the slot must not keep out all others.
        return sorted(self.slot.pieces, key=self._is_too_large)

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
        if 0 < every <= most:
            # Prices of parts may lie below that of the whole, and none must be left out for that.
            more = self.count(_slot_text(self.slot, self.slot.pieces)) + _JOINT - every
            every += max(more, 0)
            eager += max(more, 0) if eager else 0
        every = min(every, most)
        return Need(
            self.slot.budget, every, min(eager, most), min(self._firm(), every), self.slot.claim
        )

    def price(self, piece: ContextPiece) -> int:
        return self._cost(piece, self._heads) + (0 if self.taken else self._opening())

    def take(self, piece: ContextPiece, tokens: int) -> None:
        self.taken.append((piece, tokens))
        self.spent += tokens
        self._heads.update(_chains(piece.heads))

    def drop_last(self) -> None:
        piece, tokens = self.taken.pop()
        self.spent -= tokens
        self._heads = {heads for kept, _ in self.taken for heads in _chains(kept.heads)}
        self.left.append((piece, tokens, NO_ROOM))

    def fitting(self, pieces: Sequence[ContextPiece], room: int) -> int:
        """How many of the pieces, from the first, have room together."""
        least, most = 0, len(pieces)
        while least < most:
            tried = (least + most + 1) // 2
            if self.count(_slot_text(self.slot, pieces[:tried])) <= room:
                least = tried
            else:
                most = tried - 1
        return least

    def weigh(self) -> None:
        """Counts the text as it is, since the prices of its pieces only come near it."""
        self.spent = self.count(self.text) + _JOINT if self.taken else 0

    def mark_cut(self, budget: int, room: int) -> None:
        """Says below the text what found no room, if that is worth its tokens.

        The line takes room of its own slot, but never that of a slot that comes first.
        """
        line = self._cut_line()
        if not line or self.count(line) * _MARK_SHARE > budget:
            return
        most = max(self.spent, room)
        self.is_marked = True
        self.weigh()
        while self.spent > most and self.slot.claim is not Claim.FIRST and not self.is_firm:
            self.drop_last()
            self.weigh()

    @property
    def wants_more(self) -> bool:
        """Whether pieces found no room that are worth the room of others."""
        return any(why == NO_ROOM and not piece.idle for piece, _, why in self.left)

    def take_back(self) -> list[ContextPiece]:
        """These pieces, to be tried once more."""
        left, self.left = self.left, []
        again: list[ContextPiece] = []
        for piece, tokens, why in left:
            if why == NO_ROOM and not piece.idle:
                again.append(piece)
            else:
                self.left.append((piece, tokens, why))
        return again

    @property
    def is_firm(self) -> bool:
        """Whether all that it shows must stay."""
        return bool(self.taken) and self.taken[-1][0].firm

    @property
    def text(self) -> str:
        shown = _slot_text(self.slot, [piece for piece, _ in self.taken])
        line = self._cut_line() if self.is_marked and shown else ""
        return f"{shown}\n\n{line}" if line else shown

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

    def _firm(self) -> int:
        """What the firm pieces take, by their prices or as they stand together."""
        firm = [*takewhile(lambda piece: piece.firm, self.slot.pieces)]
        if not firm:
            return 0
        prices = self._opening()
        heads: set[tuple[str, ...]] = set()
        for piece in firm:
            prices += self._cost(piece, heads)
            heads.update(_chains(piece.heads))
        return max(prices, self.count(_slot_text(self.slot, firm)) + _JOINT)

    def _is_too_large(self, piece: ContextPiece) -> bool:
        # Hardly a token is less than a character, so most pieces need not be counted for this.
        return len(piece.text) > self.slot.budget and self.count(piece.text) > self.slot.budget

    def _cut_line(self) -> str:
        if not self.slot.says_cut:
            return ""
        cut = cut_by_file(piece.source for piece, _, why in self.left if why == NO_ROOM)
        return frames.CUT.format(parts=cut) if cut else ""


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
        pairs = [*zip(self._bins, self._rooms, strict=True)]
        pairs.sort(key=lambda pair: pair[0].slot.claim is not Claim.FIRST)
        for bin_, room in pairs:
            if not bin_.slot.budget:
                bin_.left += [(piece, 0, OFF) for piece in bin_.slot.pieces]
            elif bin_.slot.claim is Claim.FIRST:
                self._fill_exactly(bin_, room.total)
            else:
                more = room.total + over
                if bin_.slot.claim is Claim.LAST:
                    more = max(room.total, min(more, bin_.slot.budget))
                self._fill(bin_, bin_.pieces, more, room.own)
            over += room.total - bin_.spent if bin_.slot.budget else 0
        # What comes first has had its turn: if it got leftovers too, it could lose some of them
        # again where the total is larger, and other pieces happen to fit.
        in_turn = [bin_ for bin_ in self._bins if bin_.slot.claim is Claim.IN_TURN]
        for bin_ in in_turn:
            self._fill_again(bin_)
        if not any(bin_.wants_more for bin_ in self._bins if bin_.slot.claim is not Claim.LAST):
            for bin_ in self._bins:
                if bin_.slot.claim is Claim.LAST:
                    self._fill_again(bin_)

    def _fill_again(self, bin_: _Bin) -> None:
        """Tries the pieces that did not fit once more, with the room that nobody used."""
        free = self._budget - sum(bin_.spent for bin_ in self._bins)
        if free > 0 and bin_.wants_more:
            again = bin_.take_back()
            self._fill(bin_, again, bin_.spent + free, 0)

    def drop_last(self) -> bool:
        """Removes what is missed least; False if nothing is left.

        That is what a slot got only because no other wanted it, then the last piece of the last
        slot, then the lines that say what was cut. What must stay goes after these, and what comes
        first at the very end.
        """
        bin_ = self._least_missed()
        if bin_:
            bin_.drop_last()
            bin_.weigh()
            return True
        for marked in self._bins:
            if marked.is_marked:
                marked.is_marked = False
                return True
        filled = [bin_ for bin_ in self._bins if bin_.taken]
        if not filled:
            return False
        # `max` takes the first of equals, and the slots of the end are to go before the others.
        max(reversed(filled), key=lambda bin_: bin_.slot.claim.value).drop_last()
        return True

    def _least_missed(self) -> _Bin | None:
        loose = [
            (bin_, room)
            for bin_, room in zip(self._bins, self._rooms, strict=True)
            if bin_.taken and not bin_.is_firm and bin_.slot.claim is not Claim.FIRST
        ]
        for bin_, room in loose:
            if bin_.slot.claim is Claim.LAST and bin_.spent > room.own:
                return bin_
        return loose[-1][0] if loose else None

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
                misfits += 1
                bin_.left.append((piece, tokens, NO_ROOM))
                continue
            bin_.take(fresh, tokens)
            misfits = 0
            self._say(bin_, fresh)
        bin_.weigh()
        while bin_.taken and bin_.spent > room:
            bin_.drop_last()
            bin_.weigh()
            self._say_again()

    def _fill_exactly(self, bin_: _Bin, room: int) -> None:
        """Takes as many pieces, from the first, as fit by the count of their text: no estimate of
        the joints between them keeps one out.
        """
        pieces: list[ContextPiece] = []
        beyond: list[ContextPiece] = []
        tokens = 0
        for piece in bin_.pieces:
            if tokens > _AMPLE * room:
                beyond.append(piece)
                continue
            fresh, where = self._fresh(piece)
            if fresh is None:
                bin_.left.append((piece, 0, f"said in {where}"))
                continue
            pieces.append(fresh)
            tokens += bin_.count(fresh.text)
            self._say(bin_, fresh)
        fit = bin_.fitting(pieces, room)
        for piece in pieces[:fit]:
            bin_.take(piece, bin_.price(piece))
        bin_.left += [(piece, 0, NO_ROOM) for piece in (*pieces[fit:], *beyond)]
        bin_.weigh()
        self._say_again()

    def _say(self, bin_: _Bin, piece: ContextPiece) -> None:
        self._said |= dict.fromkeys((*piece.names, *sayings(piece.text)), bin_.slot.name)

    def _say_again(self) -> None:
        """After a piece was dropped: what it said may be said elsewhere."""
        self._said = {}
        for bin_ in self._bins:
            for piece, _ in bin_.taken:
                self._say(bin_, piece)

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


def cut_by_file(sources: Iterable[str]) -> str:
    """How many pieces of which files, in words: `24 of SOUL.md, 2 of IDENTITY.md`."""
    files = Counter(source.partition("#")[0] for source in sources)
    return ", ".join(f"{count:,} of {path}" for path, count in files.items())


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
