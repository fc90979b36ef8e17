"""Whether the files that start every conversation fit into the budgets of their slots, for
`status`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clawgit.domain.change.authority import IDENTITY, SOUL
from clawgit.domain.context.correction_slot import corrections_slot
from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.ops.context.files import Files, Moment
from clawgit.ops.context.memory import MemoryFiles
from clawgit.ops.workspace.status_rows import FITS, SlotSize, SlotsState
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance


class _Standing(NamedTuple):
    """A slot whose files start every conversation."""

    name: str
    budget: int
    paths: tuple[str, ...]


def slots_state(workspace: Workspace) -> SlotsState:
    """The sizes, estimated, without the slots that depend on a message."""
    # Cutting files into passages costs 20 ms, so it is skipped if the size of the files shows that
    # they fit.
    suspects = [slot for slot in _standing(workspace) if _may_overflow(workspace, slot)]
    if not suspects:
        return SlotsState()
    over = [size for size in _sizes(workspace, suspects) if size.tokens > size.budget]
    words = [f"{size.name} takes {size.tokens:,} of {size.budget:,} tokens" for size in over]
    return SlotsState("; ".join(words) or FITS, tuple(over))


def _standing(workspace: Workspace) -> tuple[_Standing, ...]:
    settings = workspace.config.settings
    return (
        _Standing("identity", settings.identity_tokens, (SOUL, IDENTITY)),
        _Standing("user_profile", settings.user_profile_tokens, ("USER.md",)),
        _Standing("corrections", settings.corrections_tokens, (CORRECTIONS,)),
        _Standing("longterm_memory", settings.longterm_memory_tokens, NOTEBOOKS),
    )


def _may_overflow(workspace: Workspace, slot: _Standing) -> bool:
    """Judged by the whole files, comments included: if these fit, the part that a slot shows fits
    too.
    """
    text = "\n".join(glance(workspace.root, path) for path in slot.paths)
    return slot.budget > 0 and estimate_tokens(text) > slot.budget


def _sizes(workspace: Workspace, slots: Iterable[_Standing]) -> Iterator[SlotSize]:
    # Not from the slots themselves: they sort their pieces, which loads all languages, and a sum
    # needs no order. A test checks that both are equal.
    memory = MemoryFiles(Files(workspace), Moment(workspace.local_now))
    for slot in slots:
        texts = _texts(memory, slot)
        yield SlotSize(slot.name, slot.budget, sum(map(estimate_tokens, texts)))


def _texts(memory: MemoryFiles, slot: _Standing) -> Iterator[str]:
    """What a slot would show, had it room for everything."""
    paths = slot.paths
    if CORRECTIONS in paths:
        made = corrections_slot(memory.corrections(CORRECTIONS), memory.archived, slot.budget)
        yield from (piece.text for piece in made.pieces)
        return
    if paths == NOTEBOOKS:
        paths = (memory.notebook,)
    for path in paths:
        yield from (passage.text for passage in memory.of(path) if not passage.stale)
