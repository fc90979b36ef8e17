"""A slot while it is filled: what it has taken, what it has left, and what more would cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

from clawgit.domain.context.slot import (
    NO_ROOM,
    ContextChoice,
    ContextPiece,
    Count,
    Slot,
    chains,
    cut_by_file,
    frame,
    slot_text,
)
from clawgit.domain.context.slot_budget import Claim, Need
from clawgit.domain.context.steps import Gap, more_gaps, with_gap
from clawgit.domain.markdown import frames

JOINT = 1
"""Tokens that the blank lines between two texts take."""

_MARK_SHARE = 20
"""The line that says what was cut is shown if it takes no more than this fraction of the budget."""


@dataclass(slots=True)
class Shown:
    """What stands in a text already, and need not be counted with another piece."""

    heads: set[tuple[str, ...]] = field(default_factory=set)
    steps: dict[str, set[int]] = field(default_factory=dict)
    """The places of the steps of each numbered list."""

    def add(self, piece: ContextPiece) -> None:
        self.heads.update(chains(piece.heads))
        if piece.step:
            self.steps.setdefault(piece.step.list, set()).add(piece.step.at)


@dataclass(slots=True)
class SlotBin:
    """A slot while it is filled. `is_marked`: a line below its text says what found no room."""

    slot: Slot
    count: Count
    taken: list[tuple[ContextPiece, int]] = field(default_factory=list)
    left: list[tuple[ContextPiece, int, str]] = field(default_factory=list)
    spent: int = 0
    is_marked: bool = False
    _shown: Shown = field(default_factory=Shown)

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
        shown = Shown()
        for piece in self.slot.pieces:
            tokens = self._cost(piece, shown) + (0 if every else self._opening())
            shown.add(piece)
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
        self._shown.add(piece)

    def drop_last(self) -> None:
        piece, tokens = self.taken.pop()
        self.spent -= tokens
        self._shown = Shown()
        for kept, _ in self.taken:
            self._shown.add(kept)
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

    def _cost(self, piece: ContextPiece, shown: Shown) -> int:
        new = (heads[-1] for heads in chains(piece.heads) if heads not in shown.heads)
        tokens = self.count(piece.text) + JOINT + sum(self.count(head) + JOINT for head in new)
        step = piece.step
        if step is None:
            return tokens
        line = self.count(with_gap("", Gap(step.of))) + JOINT
        return tokens + line * more_gaps(step, shown.steps.get(step.list, ()))

    def _opening(self) -> int:
        return self.count(frame(self.slot, "")) + JOINT

    def _firm(self) -> int:
        """What the firm pieces take, by their prices or as they stand together."""
        firm = [*takewhile(lambda piece: piece.firm, self.slot.pieces)]
        if not firm:
            return 0
        prices = self._opening()
        shown = Shown()
        for piece in firm:
            prices += self._cost(piece, shown)
            shown.add(piece)
        return max(prices, self.count(slot_text(self.slot, firm)) + JOINT)

    def _is_too_large(self, piece: ContextPiece) -> bool:
        # Hardly a token is less than a character, so most pieces need not be counted for this.
        return len(piece.text) > self.slot.budget and self.count(piece.text) > self.slot.budget

    def _cut_line(self) -> str:
        if not self.slot.says_cut:
            return ""
        cut = cut_by_file(piece.source for piece, _, why in self.left if why == NO_ROOM)
        return frames.CUT.format(parts=cut) if cut else ""
