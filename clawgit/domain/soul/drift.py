"""Measures how far a soul has moved from an earlier version."""

from dataclasses import dataclass

from clawgit.domain.change.word_diff import likeness
from clawgit.domain.soul.soul import fates


@dataclass(frozen=True, slots=True)
class Drift:
    """What became of the principles."""

    kept: int = 0
    reworded: int = 0
    dropped: int = 0
    added: int = 0
    distance: float = 0.0
    """0: nothing changed; 1: nothing is left. A reworded principle counts by the share of its words
    that changed."""


def drift(then: str, now: str) -> Drift:
    """The drift from one text of a soul to another."""
    kept = reworded = dropped = added = 0
    alike = 0.0
    for fate in fates(then, now):
        if fate.old is None:
            added += 1
        elif fate.new is None:
            dropped += 1
        else:
            alike += likeness(fate.old, fate.new)
            if fate.old == fate.new:
                kept += 1
            else:
                reworded += 1
    # A pair has two principles, a dropped or added one stands alone: as in a ratio of likeness.
    whole = 2 * (kept + reworded) + dropped + added
    return Drift(kept, reworded, dropped, added, 1 - 2 * alike / whole if whole else 0.0)
