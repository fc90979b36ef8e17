"""How the files of every conversation fit into the budgets of their slots, for `status`."""

from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.domain.model.tokens import estimate_tokens
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.ops.context.standing import standing_slots
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance

FITS = "all fit"


@dataclass(frozen=True, slots=True)
class SlotSize:
    """`tokens` is what all its files would take."""

    name: str
    budget: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SlotsState:
    """`over` are the slots that overflow: they borrow unused room, and then they are cut."""

    state: str = FITS
    over: tuple[SlotSize, ...] = ()


def slots_state(workspace: Workspace) -> SlotsState:
    """By estimate, and without what only a message brings in."""
    # The slots are only made, which costs 20 ms, where a file's size alone does not clear them.
    suspects = _suspects(workspace)
    if not suspects:
        return SlotsState()
    over = [size for size in _sizes(workspace) if size.name in suspects and _overflows(size)]
    words = [f"{size.name} takes {size.tokens:,} of {size.budget:,} tokens" for size in over]
    return SlotsState("; ".join(words) or FITS, tuple(over))


def _suspects(workspace: Workspace) -> set[str]:
    """The slots whose files are larger than their budgets."""
    suspects = set()
    for name, budget, text in _texts(workspace):
        if budget and estimate_tokens(text) > budget:
            suspects.add(name)
    return suspects


def _overflows(size: SlotSize) -> bool:
    return size.tokens > size.budget


def _texts(workspace: Workspace) -> Iterator[tuple[str, int, str]]:
    """The whole files, comments included: if these fit, what a slot shows of them does too."""
    settings = workspace.config.settings
    for name, budget, paths in (
        ("identity", settings.identity_tokens, ("SOUL.md", "IDENTITY.md")),
        ("user_profile", settings.user_profile_tokens, ("USER.md",)),
        ("corrections", settings.corrections_tokens, ("CORRECTIONS.md",)),
        ("longterm_memory", settings.longterm_memory_tokens, NOTEBOOKS),
    ):
        yield name, budget, "\n".join(glance(workspace.root, path) for path in paths)


def _sizes(workspace: Workspace) -> Iterator[SlotSize]:
    for slot in standing_slots(workspace):
        yield SlotSize(
            slot.name, slot.budget, sum(estimate_tokens(piece.text) for piece in slot.pieces)
        )
