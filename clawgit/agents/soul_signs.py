"""Where the Soul Keeper looks: conversations since its last run, and the corrections."""

from clawgit.agents.contract import Snapshot
from clawgit.domain.corrections import all_corrections
from clawgit.domain.growth import Sign
from clawgit.domain.growth_hearing import heard
from clawgit.domain.growth_notes import corrected
from clawgit.domain.speaker import operators_name


def from_files(snapshot: Snapshot) -> tuple[Sign, ...]:
    return corrected(all_corrections(snapshot.files), speaker(snapshot), snapshot.now.tzinfo)


def from_chats(snapshot: Snapshot) -> tuple[Sign, ...]:
    return heard(snapshot.messages, speaker(snapshot), snapshot.now.tzinfo)


def speaker(snapshot: Snapshot) -> str:
    return operators_name(snapshot.files.get("USER.md", ""))
