"""What a run of an agent answers with, and the sheet on which it is gathered while the run goes
on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from clawgit.agents.contract import ChangeSet, Proposed, Skipped, Step
from clawgit.domain.safety.covered import covered
from clawgit.domain.safety.secrets import masked
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.llm.contract import Used
from clawgit.stores.runs import DONE, FAILED, NOTHING


class Landed(NamedTuple):
    """One step that was made. Where it is `held`, with the reasons, it waits for the operator as
    the proposal `id`.
    """

    commit: str | None
    id: str | None
    summary: str
    reason: str = ""
    evidence: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    held: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentRun:
    """`commit` and `id` are those of the last commit, `changed` are the files of all. `outcome` is
    done, nothing, or failed where a call of the queue could not be worked off; `heard` counts
    messages, `worked` calls.
    """

    agent: str
    run: str
    outcome: str
    proposed: tuple[Proposed, ...]
    commits: tuple[Landed, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]
    used: Used
    heard: int
    worked: int
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    dry_run: bool = False
    preview: str = ""


@dataclass(slots=True)
class Sheet:
    """What has become of a run so far."""

    proposed: list[Proposed] = field(default_factory=list)
    landed: list[Landed] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    snapshots: list[str] = field(default_factory=list)
    alerts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    worked: int = 0
    failed: bool = False
    preview: str = ""

    @property
    def outcome(self) -> str:
        return FAILED if self.failed else DONE if self.landed else NOTHING

    def took(self, step: Step, found: Landed | Skipped | None, outcome: Outcome) -> None:
        """Notes what became of a step; None is a step after which all was as before."""
        self.snapshots += outcome.snapshots
        self.alerts += outcome.alerts
        self.warnings += outcome.warnings
        if isinstance(found, Skipped):
            self.skipped.append(found)
        elif found is not None:
            self.landed.append(found)
            self.proposed += step.proposed

    def heard_out(self, wanted: ChangeSet) -> None:
        """Notes what a proposal says beside its steps, once these have landed."""
        self.skipped = [
            *dict.fromkeys((*self.skipped, *wanted.skipped))
        ]  # who says a thing 800 times is told once
        self.notes += wanted.notes
        self.marks.update(wanted.marks)

    def result(self, agent: str, run: str, used: Used, heard: int, *, dry_run: bool) -> AgentRun:
        """In a dry run nothing has landed: there are no commits, and `changed` are the files that
        would change.
        """
        last = next((one for one in reversed(self.landed) if one.commit), None)
        changed = tuple(dict.fromkeys(path for one in self.landed for path in one.changed))
        return AgentRun(
            agent, run, self.outcome, tuple(self.proposed), () if dry_run else tuple(self.landed),
                tuple(self.skipped),
            tuple(dict.fromkeys(self.notes)), used, heard, self.worked,
            last.commit if last else None,
            last.id if last else None, changed, tuple(self.snapshots), tuple(self.alerts),
            tuple(self.warnings), tuple(why for one in self.landed for why in one.held), dry_run,
            self.preview,
        )  # fmt: skip


def told_of(done: AgentRun) -> Mapping[str, Any]:
    """A result as the row of its run keeps it, for `agent show`."""
    told = {
        "commits": [one._asdict() for one in done.commits],
        "proposed": [one._asdict() for one in done.proposed],
        "skipped": [one._asdict() for one in done.skipped],
        "notes": [*done.notes],
        "heard": done.heard,
        "worked": done.worked,
    }
    shown: Mapping[str, Any] = covered(
        told, masked
    )  # what was refused for a secret is told without it
    return shown
