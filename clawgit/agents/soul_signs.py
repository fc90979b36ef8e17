"""Where the Soul Keeper finds signs: conversations since its last run, and corrections."""

from datetime import timedelta

from clawgit.agents.contract import Snapshot
from clawgit.domain.corrections.corrections import all_corrections
from clawgit.domain.extraction.speaker import operators_name
from clawgit.domain.soul.growth import FAILED, Sign
from clawgit.domain.soul.growth_hearing import corrected, heard

_BACK = timedelta(days=62)
"""Two mistakes no further apart than this count as one repeated mistake. An order never expires."""


def from_files(snapshot: Snapshot) -> tuple[Sign, ...]:
    signs = corrected(all_corrections(snapshot.files), speaker(snapshot), snapshot.now.tzinfo)
    return tuple(sign for sign in signs if sign.kind != FAILED or snapshot.now - sign.when <= _BACK)


def from_chats(snapshot: Snapshot) -> tuple[Sign, ...]:
    return heard(snapshot.messages, speaker(snapshot), snapshot.now.tzinfo)


def speaker(snapshot: Snapshot) -> str:
    return operators_name(snapshot.files.get("USER.md", ""))
