"""Measures how far a soul has moved from an earlier version, and draws it over time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clawgit.domain.change.word_diff import likeness
from clawgit.domain.soul.soul import Fate, fates

_BLOCKS = "▁▂▃▄▅▆▇█"

_PARTS = " ▏▎▍▌▋▊▉"


@dataclass(frozen=True, slots=True)
class SectionDrift:
    """What became of a section's principles. One that moved counts in its section of now."""

    section: str
    kept: int = 0
    reworded: int = 0
    dropped: int = 0
    added: int = 0
    distance: float = 0.0
    """0: nothing changed; 1: nothing is left. A reworded principle counts by the share of its words
    that changed."""

    @property
    def share_kept(self) -> float:
        """The share of the earlier principles that are unchanged; 1 if there were none."""
        then = self.kept + self.reworded + self.dropped
        return self.kept / then if then else 1.0


@dataclass(frozen=True, slots=True)
class Drift:
    """`total` counts all sections; its own section name is ""."""

    sections: tuple[SectionDrift, ...]
    total: SectionDrift


def drift(then: str, now: str) -> Drift:
    """The drift from one text of a soul to another. Sections that are gone come last."""
    changes = fates(then, now)
    by_section: defaultdict[str, list[Fate]] = defaultdict(list)
    for fate in changes:
        by_section[fate.section].append(fate)
    return Drift(
        tuple(_drift(title, members) for title, members in by_section.items()), _drift("", changes)
    )


def sparkline(values: Iterable[float]) -> str:
    """One character for each value from 0 to 1; other values are drawn as 0 or 1."""
    return "".join(_BLOCKS[round(_bounded(value) * (len(_BLOCKS) - 1))] for value in values)


def bar(value: float, width: int = 20) -> str:
    """A value from 0 to 1 as a bar, padded to its width.

    Only 0 is drawn empty and only 1 full: rounding must not hide that something changed.
    """
    whole = width * 8
    eighths = round(_bounded(value) * whole)
    if value > 0:
        eighths = max(eighths, 1)
    if value < 1:
        eighths = min(eighths, whole - 1)
    full, rest = divmod(eighths, 8)
    return ("█" * full + _PARTS[rest])[:width].ljust(width)


def _drift(title: str, changes: Sequence[Fate]) -> SectionDrift:
    kept = reworded = dropped = added = 0
    alike = 0.0
    for fate in changes:
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
    distance = 1 - 2 * alike / whole if whole else 0.0
    return SectionDrift(title, kept, reworded, dropped, added, distance)


def _bounded(value: float) -> float:
    return min(max(value, 0.0), 1.0)
