"""Assembles what a conversation starts with: slots that share one budget of tokens.

Slots are filled with whole pieces, and no line is shown twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from clawgit.domain.context.line_dedup import anew, sayings
from clawgit.domain.context.slot import (
    NO_ROOM,
    OFF,
    Claim,
    ContextChoice,
    ContextPiece,
    Count,
    Need,
    Room,
    Slot,
    SlotBin,
    cut_by_file,
    rooms,
)

_MISFITS = 40
"""After this many pieces in a row that did not fit, no more are tried."""

_AMPLE = 2
"""When each text is counted, pieces beyond this many times the room are not even tried."""


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
    bins = [SlotBin(slot, counted) for slot in slots]
    needs = [bin_.need(budget) for bin_ in bins]
    shares = rooms(needs, budget)
    filling = Filling(bins, shares, budget)
    filling.share(needs)
    for bin_, room in zip(bins, shares, strict=True):
        bin_.mark_cut(budget, room.total)
    texts = [bin_.text for bin_ in bins]
    # Tokens of parts do not add up exactly to those of the whole, so the whole is counted in the
    # end.
    while (used := counted(_joined(texts))) > budget and filling.drop_last():
        texts = [bin_.text for bin_ in bins]
    filled = tuple(
        FilledSlot(
            bin_.slot, room, counted(text), text, tuple(bin_.chosen()), tuple(bin_.passed_over())
        )
        for bin_, room, text in zip(bins, shares, texts, strict=True)
    )
    return Assembled(budget, used, _joined(texts), filled)


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, texts))


def cut_notes(filled: FilledSlot) -> Iterator[str]:
    """Notes on a slot whose text says what was cut (`says_cut`), such as the identity."""
    slot = filled.slot
    if not slot.says_cut:
        return
    cut = [choice.source for choice in filled.left if choice.why == NO_ROOM]
    if cut:
        yield f"{slot.name} is cut, {cut_by_file(cut)} did not fit"
    firm = {piece.source for piece in slot.pieces if piece.firm}
    lost = firm.intersection(cut)
    if lost:
        yield (
            f"{slot.name} lacks {cut_by_file(sorted(lost))} that are protected or forbid something:"
            " the whole budget is too small"
        )
    kept = sum(choice.tokens for choice in filled.taken if choice.source in firm)
    if kept > slot.budget:
        yield (
            f"{slot.name} takes more than its {slot.budget:,} tokens: what is protected and what"
            f" forbids something takes {kept:,}, and stays"
        )


class Filling:
    """All slots while they are filled: what was shown already, and how much room is left."""

    def __init__(self, bins: Sequence[SlotBin], shares: Sequence[Room], budget: int) -> None:
        self._bins = bins
        self._rooms = shares
        self._budget = budget
        self._said: dict[str, str] = {}
        """Lines and names that were shown → the slot that shows them."""

    def share(self, needs: Sequence[Need]) -> None:
        """Fills each slot; room that one does not use goes to the next, and finally to those that
        were cut. What is idle comes after all that is not.
        """
        over = 0
        trios = [*zip(self._bins, self._rooms, needs, strict=True)]
        trios.sort(key=lambda trio: trio[0].slot.claim is not Claim.FIRST)
        for bin_, room, need in trios:
            if bin_.slot.budget:
                reserved = max(room.own - need.eager, 0)
                self._fill_in_turn(bin_, room.total - reserved, over)
                over += room.total - reserved - bin_.spent
            else:
                bin_.left += [(piece, 0, OFF) for piece in bin_.slot.pieces]
        for bin_, room, _ in trios:
            if idle := bin_.idle:
                free = self._budget - sum(other.spent for other in self._bins)
                self._fill(bin_, idle, bin_.spent + free, room.own)
        self._hand_out_rest()

    def _fill_in_turn(self, bin_: SlotBin, room: int, over: int) -> None:
        match bin_.slot.claim:
            case Claim.FIRST:
                self._fill_exactly(bin_, room)
            case Claim.ASKED:
                # What slots before it left over varies with how their pieces happen to fit: with
                # that, a larger total could give it less.
                self._fill(bin_, bin_.eager, room, room)
            case Claim.IN_TURN:
                self._fill(bin_, bin_.eager, room + over, room)
            case Claim.LAST:
                up_to_budget = min(room + over, bin_.slot.budget)
                self._fill(bin_, bin_.eager, max(room, up_to_budget), room)

    def _hand_out_rest(self) -> None:
        """Gives away the room that whole pieces left.

        A slot that comes first has had its turn: if it got leftovers too, it could lose them again
        where the total is larger, and other pieces happen to fit.
        """
        for bin_ in self._with(Claim.IN_TURN):
            self._fill_again(bin_)
        others = (bin_ for bin_ in self._bins if bin_.slot.claim is not Claim.LAST)
        if not any(bin_.wants_more for bin_ in others):
            for bin_ in self._with(Claim.LAST):
                self._fill_again(bin_)
        for bin_ in self._bins:
            self._fill_up(bin_)

    def _with(self, claim: Claim) -> list[SlotBin]:
        return [bin_ for bin_ in self._bins if bin_.slot.claim is claim]

    def _fill_again(self, bin_: SlotBin) -> None:
        """Tries the pieces that did not fit once more, with the room that nobody used."""
        free = self._budget - sum(bin_.spent for bin_ in self._bins)
        if free > 0 and bin_.wants_more:
            again = bin_.take_back()
            self._fill(bin_, again, bin_.spent + free, 0)

    def _fill_up(self, bin_: SlotBin) -> None:
        """Adds what is shown only because there is room; what finds none is not missed."""
        free = self._budget - sum(bin_.spent for bin_ in self._bins)
        if free > 0 and bin_.slot.spare and bin_.slot.budget:
            left = len(bin_.left)
            self._fill(bin_, bin_.slot.spare, bin_.spent + free, 0)
            del bin_.left[left:]

    def drop_last(self) -> bool:
        """Removes what is missed least; False if nothing is left.

        First goes what only fills up, and what a slot got because no other wanted it, then the last
        piece of the last slot, then the lines that say what was cut. What must stay goes after
        these, and what comes first at the very end.
        """
        bin_ = self._filled_up() or self._least_missed()
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

    def _filled_up(self) -> SlotBin | None:
        return next((bin_ for bin_ in self._bins if bin_.taken and bin_.taken[-1][0].spare), None)

    def _least_missed(self) -> SlotBin | None:
        """What must stay is not among these, nor what comes first."""
        loose = [
            (bin_, room)
            for bin_, room in zip(self._bins, self._rooms, strict=True)
            if bin_.is_loose
        ]
        for bin_, room in loose:
            if bin_.slot.claim is Claim.LAST and bin_.spent > room.own:
                return bin_
        return loose[-1][0] if loose else None

    def _fill(self, bin_: SlotBin, pieces: Iterable[ContextPiece], room: int, own: int) -> None:
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

    def _fill_exactly(self, bin_: SlotBin, room: int) -> None:
        """Takes as many pieces, from the first, as fit by the count of their text: no estimate of
        the joints between them keeps one out.
        """
        pieces: list[ContextPiece] = []
        beyond: list[ContextPiece] = []
        tokens = 0
        for piece in bin_.in_order:
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

    def _say(self, bin_: SlotBin, piece: ContextPiece) -> None:
        self._said |= dict.fromkeys((*piece.names, *sayings(piece.text)), bin_.slot.name)

    def _say_again(self) -> None:
        """Counts again what is shown, after a piece was dropped: another slot may show its lines
        now.
        """
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
