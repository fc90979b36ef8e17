"""What a context says about slots that show less than their files, or more than their budget."""

from collections.abc import Iterator

from clawgit.domain.context.context import FilledSlot
from clawgit.domain.context.slot import NO_ROOM, cut_by_file


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
