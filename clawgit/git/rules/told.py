"""What all lists tell of a commit."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from clawgit.git.rules.history import Commit


@dataclass(frozen=True, slots=True)
class ToldChange:
    """A commit as all lists tell it ; a kind of change adds its own."""

    sha: str
    id: str | None
    time: datetime
    actor: str
    op: str
    summary: str
    reason: str
    evidence: tuple[str, ...]

    @classmethod
    def of(cls, commit: Commit, **more: Any) -> Self:
        said = commit.message
        return cls(
            commit.sha, commit.id, commit.time, commit.actor,
            said.op, said.headline, said.reason, said.evidence, **more,
        )  # fmt: skip
