"""A slot of a context: the pieces that it is made of, its text, the room that it may have, and what
it holds while it is filled.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain, pairwise, takewhile
from operator import attrgetter
from typing import NamedTuple

from clawgit.domain.markdown import frames

Count = Callable[[str], int]
"""How many tokens a text takes."""

NO_ROOM = "no room"

OFF = "its budget is 0"

_NUMBER = re.compile(r" {0,3}([0-9]{1,9})[.)] ")

_ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)]) ")

_TICKS = re.compile("`{2,}")
"""A fence must be longer than any fence inside it."""


class Claim(Enum):
    """When a slot's turn comes.

    `FIRST`: before all others, and nothing takes its room away. `LAST`: its own budget in its turn,
    but more only if no other slot wants it; it takes nothing from others. `ASKED`: it answers the
    message, and what it wants comes before what is idle in any slot; a larger total never gives it
    less.
    """

    FIRST = 0
    IN_TURN = 1
    LAST = 2
    ASKED = 3


class ContextPiece(NamedTuple):
    """What is shown whole or not at all, below its headings `heads`; `place` orders what is shown.

    Two pieces with a name in common are the same. An `idle` one may use the room of its own slot
    only. `firm` ones stand first in their slot, and stay where they take more than its budget.
    `spare` ones are shown only where no other piece of any slot wants the room. `last` is the
    number of the last item of its numbered list.
    """

    text: str
    source: str
    heads: tuple[str, ...] = ()
    place: tuple[int, ...] = ()
    why: str = ""
    names: tuple[str, ...] = ()
    idle: bool = False
    firm: bool = False
    spare: bool = False
    last: int = 0


class Slot(NamedTuple):
    """Pieces, the most important first. In a slot that is filled first, pieces larger than the
    budget come last, none is `idle`, and one that does not fit keeps out all after it.

    `quoted`: the text came from elsewhere and stands in a fence, below `intro`. `left`: pieces that
    were not even candidates. `spare` pieces count neither as left nor as cut. `says_cut`: a line
    below the text says what found no room.
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
    spare: Sequence[ContextPiece] = ()


class ContextChoice(NamedTuple):
    """A piece that was taken or left, and why."""

    source: str
    tokens: int
    why: str


def cut_by_file(sources: Iterable[str]) -> str:
    """How many pieces of which files, in words: `24 of SOUL.md, 2 of IDENTITY.md`."""
    files = Counter(source.partition("#")[0] for source in sources)
    return ", ".join(f"{count:,} of {path}" for path, count in files.items())


def slot_text(slot: Slot, pieces: Sequence[ContextPiece]) -> str:
    if not pieces:
        return ""
    tight = _is_line if slot.quoted else _is_item
    return frame(slot, _body(sorted(pieces, key=attrgetter("place")), tight))


def _body(pieces: Sequence[ContextPiece], tight: Callable[[str], bool]) -> str:
    """Pieces below each other, each heading once; no blank line between two that are `tight`.

    A line says where items of a numbered list are missing.
    """
    parts: list[str] = []
    above: tuple[str, ...] = ()
    before = ""
    for piece, following in pairwise((*pieces, None)):
        assert piece is not None  # noqa: S101 - only the last one is
        heads = _new_heads(piece.heads, above)
        close = not heads and tight(before) and tight(piece.text)
        parts += ["\n" if close else "\n\n", *(f"{head}\n\n" for head in heads)]
        parts.append(piece.text)
        if missing := _missing(piece, following):
            parts.append(f"\n{frames.ITEMS_LEFT_OUT.format(count=missing)}")
        above = piece.heads
        before = piece.text
    return "".join(parts[1:])


def number_of(item: str) -> int:
    """The number of an item of a numbered list, 0 without one."""
    match = _NUMBER.match(item)
    return int(match[1]) if match else 0


def _missing(piece: ContextPiece, following: ContextPiece | None) -> int:
    """How many items of its list are not shown after a piece."""
    number = number_of(piece.text)
    after = 0
    if following and following.heads == piece.heads:
        after = number_of(following.text)
    if after > number > 0:
        return after - number - 1
    return max(piece.last - number, 0) if number else 0


def _new_heads(heads: tuple[str, ...], above: tuple[str, ...]) -> tuple[str, ...]:
    """The headings of a piece from the first that is not above it already."""
    for at, head in enumerate(heads):
        if at >= len(above) or head != above[at]:
            return heads[at:]
    return ()


def frame(slot: Slot, body: str) -> str:
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


def chains(heads: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return (heads[:end] for end in range(1, len(heads) + 1))


def _is_line(text: str) -> bool:
    return text != "" and "\n" not in text


def _is_item(text: str) -> bool:
    return _ITEM.match(text) is not None


STEALERS = 3
"""The first slots, this many, may take room from the others, beginning with the last; nobody takes
from them.
"""


class Need(NamedTuple):
    """In tokens: a slot's budget, what `every` piece of it would take, and what the `eager` ones
    would, which may use more than the budget.

    `firm`: what is shown even if it takes more than the budget.
    """

    budget: int
    every: int
    eager: int
    firm: int = 0
    claim: Claim = Claim.IN_TURN


class Room(NamedTuple):
    """The room of a slot: its own, what it is lent, and what it took from others; `given` was taken
    from it.
    """

    own: int = 0
    lent: int = 0
    stolen: int = 0
    given: int = 0

    @property
    def total(self) -> int:
        return self.own + self.lent + self.stolen - self.given


def rooms(needs: Sequence[Need], total: int) -> list[Room]:
    """The rooms of all slots, in their order; together never more than the total.

    The room of a slot that comes first never shrinks when the total grows.
    """
    shares = [Room()] * len(needs)
    left = total
    for at in _by_claim(needs, lending=False):
        own = min(max(needs[at].budget, needs[at].firm), needs[at].eager, left)
        shares[at] = Room(own)
        left -= own
    asked = [at for at, need in enumerate(needs) if need.claim is Claim.ASKED]
    left = _lend(shares, needs, asked, left)
    for at in _by_claim(needs, lending=False):
        need, own = needs[at], shares[at].own
        idle = min(max(min(max(need.budget, need.firm), need.every) - own, 0), left)
        shares[at] = shares[at]._replace(own=own + idle)
        left -= idle
    _lend(shares, needs, _by_claim(needs, lending=True), left)
    for at in _by_claim(needs[:STEALERS], lending=True):
        if needs[at].claim is not Claim.LAST:
            _steal(shares, at, needs[at].eager - shares[at].total)
    return shares


def _lend(shares: list[Room], needs: Sequence[Need], to: Iterable[int], left: int) -> int:
    """Lends to these slots what they are short of; returns what is left."""
    for at in to:
        lent = min(max(needs[at].eager - shares[at].total, 0), left)
        shares[at] = shares[at]._replace(lent=shares[at].lent + lent)
        left -= lent
    return left


def _by_claim(needs: Sequence[Need], *, lending: bool) -> Iterator[int]:
    """The places of the slots, in the order in which they get their own budget or are lent more."""

    def turn(at: int) -> tuple[bool, bool, int]:
        claim = needs[at].claim
        return claim is not Claim.FIRST, lending and claim is Claim.LAST, at

    return iter(sorted(range(len(needs)), key=turn))


def _steal(shares: list[Room], thief: int, short: int) -> None:
    """Takes what a slot is short of from the last slots."""
    for other in range(len(shares) - 1, STEALERS - 1, -1):
        taken = min(max(short, 0), shares[other].total)
        shares[other] = shares[other]._replace(given=shares[other].given + taken)
        shares[thief] = shares[thief]._replace(stolen=shares[thief].stolen + taken)
        short -= taken


JOINT = 1
"""Tokens that the blank lines between two texts take."""

_MARK_SHARE = 20
"""The line that says what was cut is shown if it takes no more than this fraction of the budget."""


@dataclass(slots=True)
class SlotBin:
    """A slot while it is filled. `is_marked`: a line below its text says what found no room."""

    slot: Slot
    count: Count
    taken: list[tuple[ContextPiece, int]] = field(default_factory=list)
    left: list[tuple[ContextPiece, int, str]] = field(default_factory=list)
    spent: int = 0
    is_marked: bool = False
    _shown: set[tuple[str, ...]] = field(default_factory=set)
    """The headings that stand in its text already."""

    @property
    def in_order(self) -> Sequence[ContextPiece]:
        """The pieces with those last that are larger than the slot: one must not keep out all."""
        return sorted(self.slot.pieces, key=self._is_too_large)

    @property
    def eager(self) -> Sequence[ContextPiece]:
        return [piece for piece in self.slot.pieces if not piece.idle]

    @property
    def idle(self) -> Sequence[ContextPiece]:
        """The pieces that get the room of this slot and no more; none if it is off, or
        filled first.
        """
        if self.slot.claim is Claim.FIRST or not self.slot.budget:
            return []
        return [piece for piece in self.slot.pieces if piece.idle]

    def need(self, most: int) -> Need:
        """The tokens that it could use, up to `most`."""
        if not self.slot.budget:
            return Need(0, 0, 0)
        every = eager = 0
        shown: set[tuple[str, ...]] = set()
        for piece in self.slot.pieces:
            tokens = self._cost(piece, shown) + (0 if every else self._opening())
            shown.update(chains(piece.heads))
            every += tokens
            eager += 0 if piece.idle else tokens
            if eager > most:
                break
        exact = self._exact(self.eager, eager, most)
        # What is idle is added to the exact count of the others.
        every = min(self._exact(self.slot.pieces, every, most) + exact - eager, most)
        firm = min(self._firm(), every)
        return Need(self.slot.budget, every, min(exact, most), firm, self.slot.claim)

    def _exact(self, pieces: Sequence[ContextPiece], prices: int, most: int) -> int:
        """What pieces take together. Their prices may add up to less than the whole text takes.

        If all fit into their own slot, none may be lost by that. For borrowed room the exact count
        is not worth the time, but for a slot that gets no room that others leave.
        """
        if self.slot.claim is not Claim.ASKED:
            most = min(most, self.slot.budget)
        if not 0 < prices <= most:
            return prices
        return max(prices, self.count(slot_text(self.slot, pieces)) + JOINT)

    def price(self, piece: ContextPiece) -> int:
        return self._cost(piece, self._shown) + (0 if self.taken else self._opening())

    def take(self, piece: ContextPiece, tokens: int) -> None:
        self.taken.append((piece, tokens))
        self.spent += tokens
        self._shown.update(chains(piece.heads))

    def drop_last(self) -> None:
        piece, tokens = self.taken.pop()
        self.spent -= tokens
        self._shown = {heads for kept, _ in self.taken for heads in chains(kept.heads)}
        self.left.append((piece, tokens, NO_ROOM))

    def fitting(self, pieces: Sequence[ContextPiece], room: int) -> int:
        """How many of the pieces, from the first, have room together."""
        least, most = 0, len(pieces)
        while least < most:
            tried = (least + most + 1) // 2
            if self.count(slot_text(self.slot, pieces[:tried])) <= room:
                least = tried
            else:
                most = tried - 1
        return least

    def weigh(self) -> None:
        """Counts the text as it is, since the prices of its pieces only come near it."""
        self.spent = self.count(self.text) + JOINT if self.taken else 0

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
        while self.spent > most and self.is_loose:
            self.drop_last()
            self.weigh()

    @property
    def wants_more(self) -> bool:
        """Whether pieces found no room that are worth the room of others."""
        return any(why == NO_ROOM and not piece.idle for piece, _, why in self.left)

    def take_back(self) -> list[ContextPiece]:
        """Takes back the pieces that found no room, so that they are tried once more."""
        left, self.left = self.left, []
        again: list[ContextPiece] = []
        for piece, tokens, why in left:
            if why == NO_ROOM and not piece.idle:
                again.append(piece)
            else:
                self.left.append((piece, tokens, why))
        return again

    @property
    def is_loose(self) -> bool:
        """Whether the last piece that it shows may go."""
        if not self.taken or self.slot.claim is Claim.FIRST:
            return False
        return not self.taken[-1][0].firm

    @property
    def text(self) -> str:
        shown = slot_text(self.slot, [piece for piece, _ in self.taken])
        line = self._cut_line() if self.is_marked and shown else ""
        return f"{shown}\n\n{line}" if line else shown

    def chosen(self) -> Iterator[ContextChoice]:
        return (ContextChoice(piece.source, tokens, piece.why) for piece, tokens in self.taken)

    def passed_over(self) -> Iterator[ContextChoice]:
        kept_out = (ContextChoice(piece.source, 0, piece.why) for piece in self.slot.left)
        return chain(
            (ContextChoice(piece.source, tokens, why) for piece, tokens, why in self.left), kept_out
        )

    def _cost(self, piece: ContextPiece, shown: Container[tuple[str, ...]]) -> int:
        new = (heads[-1] for heads in chains(piece.heads) if heads not in shown)
        return self.count(piece.text) + JOINT + sum(self.count(head) + JOINT for head in new)

    def _opening(self) -> int:
        return self.count(frame(self.slot, "")) + JOINT

    def _firm(self) -> int:
        """What the firm pieces take, by their prices or as they stand together."""
        firm = [*takewhile(lambda piece: piece.firm, self.slot.pieces)]
        if not firm:
            return 0
        prices = self._opening()
        shown: set[tuple[str, ...]] = set()
        for piece in firm:
            prices += self._cost(piece, shown)
            shown.update(chains(piece.heads))
        return max(prices, self.count(slot_text(self.slot, firm)) + JOINT)

    def _is_too_large(self, piece: ContextPiece) -> bool:
        # Hardly a token is less than a character, so most pieces need not be counted for this.
        return len(piece.text) > self.slot.budget and self.count(piece.text) > self.slot.budget

    def _cut_line(self) -> str:
        if not self.slot.says_cut:
            return ""
        cut = cut_by_file(piece.source for piece, _, why in self.left if why == NO_ROOM)
        return frames.CUT.format(parts=cut) if cut else ""
