"""How the files that enter every conversation stand to the budgets of their slots, for `status`."""

from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance

FITS = "all fit"


@dataclass(frozen=True, slots=True)
class SlotSize:
    """`tokens` is what all of its files would take."""

    name: str
    budget: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SlotsState:
    """`over` are the slots that overflow their budget: they are lent what others leave, and then
    they are cut.
    """

    state: str = FITS
    over: tuple[SlotSize, ...] = ()


def slots_state(workspace: Workspace) -> SlotsState:
    """By the estimate, and without what only a message brings in."""
    suspects = {
        name
        for name, budget, text in _texts(workspace)
        if budget and estimate_tokens(text) > budget
    }
    over = (
        tuple(one for one in _sizes(workspace) if one.name in suspects and one.tokens > one.budget)
        if suspects
        else ()
    )
    told = "; ".join(f"{one.name} takes {one.tokens:,} of {one.budget:,} tokens" for one in over)
    return SlotsState(told or FITS, over)


def _texts(workspace: Workspace) -> Iterator[tuple[str, int, str]]:
    """The files as they are, with comments that no slot shows: what fits so, fits."""
    settings = workspace.config.settings
    for name, budget, paths in (
        ("identity", settings.identity_tokens, ("SOUL.md", "IDENTITY.md")),
        ("user_profile", settings.user_profile_tokens, ("USER.md",)),
        ("corrections", settings.corrections_tokens, ("CORRECTIONS.md",)),
        ("longterm_memory", settings.longterm_memory_tokens, NOTEBOOKS),
    ):
        yield name, budget, "\n".join(glance(workspace.root, path) for path in paths)


def _sizes(workspace: Workspace) -> Iterator[SlotSize]:
    from clawgit.ops.context.context import standing_slots  # noqa: PLC0415 - 20 ms, where a slot may overflow

    for slot in standing_slots(workspace):
        yield SlotSize(
            slot.name, slot.budget, sum(estimate_tokens(piece.text) for piece in slot.pieces)
        )
