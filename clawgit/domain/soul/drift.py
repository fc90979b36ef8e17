"""How far a soul has come from what it was: principle by principle, and drawn over time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clawgit.domain.change.word_diff import likeness
from clawgit.domain.soul.soul import Fate, fates

_BLOCKS = "▁▂▃▄▅▆▇█"

_PARTS = " ▏▎▍▌▋▊▉"


@dataclass(frozen=True, slots=True)
class SectionDrift:
    """What became of a section's principles since then. One that moved counts where it is now."""

    section: str
    kept: int = 0
    reworded: int = 0
    dropped: int = 0
    added: int = 0
    distance: float = 0.0
    """0: the same. 1: nothing of it is left. A reworded principle counts by how much of it still
    reads as it did."""

    @property
    def share_kept(self) -> float:
        """The share of the principles of then that read as they did; 1 where there were none to
        lose.
        """
        then = self.kept + self.reworded + self.dropped
        return self.kept / then if then else 1.0


@dataclass(frozen=True, slots=True)
class Drift:
    """`total` is over all sections, under no name."""

    sections: tuple[SectionDrift, ...]
    total: SectionDrift


def drift(then: str, now: str) -> Drift:
    """From one text of a soul to another. Sections go by the titles they have now; those that are
    gone come last.
    """
    found = fates(then, now)
    by_section: defaultdict[str, list[Fate]] = defaultdict(list)
    for fate in found:
        by_section[fate.section].append(fate)
    return Drift(
        tuple(_drift(title, some) for title, some in by_section.items()), _drift("", found)
    )


def sparkline(values: Iterable[float]) -> str:
    """One character for each value from 0 to 1; what lies beyond is drawn at the edge."""
    return "".join(_BLOCKS[round(_bounded(value) * (len(_BLOCKS) - 1))] for value in values)


def bar(value: float, width: int = 20) -> str:
    """A value from 0 to 1 as a bar, padded to its width. What is more than nothing shows, and less
    than all lacks.
    """
    eighths = round(_bounded(value) * width * 8)
    eighths = min(max(eighths, int(value > 0)), width * 8 - int(value < 1))
    full, rest = divmod(eighths, 8)
    return ("█" * full + _PARTS[rest])[:width].ljust(width)


def _drift(title: str, found: Sequence[Fate]) -> SectionDrift:
    pairs = [
        (fate.old, fate.new) for fate in found if fate.old is not None and fate.new is not None
    ]
    kept = sum(old == new for old, new in pairs)
    dropped = sum(fate.new is None for fate in found)
    added = sum(fate.old is None for fate in found)
    whole = 2 * len(pairs) + dropped + added
    return SectionDrift(
        section=title,
        kept=kept,
        reworded=len(pairs) - kept,
        dropped=dropped,
        added=added,
        distance=1 - 2 * sum(likeness(old, new) for old, new in pairs) / whole if whole else 0.0,
    )


def _bounded(value: float) -> float:
    return min(max(value, 0.0), 1.0)
