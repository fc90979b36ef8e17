"""Where the Soul Keeper looks: conversations since its last run, corrections, lessons and proofs in memory."""

from collections.abc import Iterator
from datetime import timedelta, tzinfo

from clawgit.agents.contract import Snapshot
from clawgit.domain.corrections import all_corrections
from clawgit.domain.growth import Sign
from clawgit.domain.growth_notes import corrected, forgotten, noted
from clawgit.domain.tiers import CORE, dated, tier

_BACK = timedelta(days=62)
"""How far back daily notes are read, so that mistakes a month apart still meet. What lasts is always read."""

_MANUALS = ("MEMORY.md", "AGENTS.md", "TOOLS.md", "LESSONS.md")


def from_files(snapshot: Snapshot) -> tuple[Sign, ...]:
    zone = snapshot.now.tzinfo
    known = all_corrections(snapshot.files)
    return (*corrected(known, zone), *forgotten(known, zone), *_lessons(snapshot, zone))


def _lessons(snapshot: Snapshot, zone: tzinfo | None) -> Iterator[Sign]:
    for path in sorted(snapshot.files):
        if _is_read(path, snapshot):
            yield from noted(path, snapshot.files.get(path, ""), zone)


def _is_read(path: str, snapshot: Snapshot) -> bool:
    day = dated(path)
    if path.startswith("memory/") and day:
        return timedelta() <= snapshot.today - day <= _BACK
    return path in _MANUALS or (path.startswith("memory/") and tier(path) == CORE)
