"""Assembles what a conversation starts with: slots that share one budget of tokens.

Slots are filled with whole pieces, and no line is shown twice.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from clawgit.domain.context.filling import Filling
from clawgit.domain.context.slot import ContextChoice, Count, Slot
from clawgit.domain.context.slot_bin import SlotBin
from clawgit.domain.context.slot_budget import Room, rooms
from clawgit.values import NamedTuple


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
    shares = rooms([bin_.need(budget) for bin_ in bins], budget)
    filling = Filling(bins, shares, budget)
    filling.share()
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
