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
        return cls(*commit.told, **more)
