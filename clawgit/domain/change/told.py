"""What every list of changes says about a change: who made it, when and why."""

from dataclasses import dataclass
from datetime import datetime

from clawgit.domain.change.history import Commit


@dataclass(frozen=True, slots=True)
class ToldChange:
    """The fields that all lists share: a kind of change adds its own. `told_of` fills them."""

    sha: str
    id: str | None
    time: datetime
    actor: str
    op: str
    summary: str
    reason: str
    evidence: tuple[str, ...]


def told_of(
    commit: Commit,
) -> tuple[str, str | None, datetime, str, str, str, str, tuple[str, ...]]:
    """The fields of a `ToldChange`, in their order."""
    said = commit.message
    return (
        commit.sha, commit.id, commit.time, commit.actor,
        said.op, said.headline, said.reason, said.evidence,
    )  # fmt: skip
