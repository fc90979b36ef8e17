"""The result of an agent's run, and the sheet that collects it during the run."""

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
    """One step that was committed.

    If it was `held`, with the reasons, it waits for the operator as the proposal `id`.
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
    """`commit` and `id` are those of the last commit; `changed` are the files of all.

    `outcome` is done, nothing, or failed if a call of the queue failed. `heard` counts
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
    """What a run has done so far."""

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
        if self.failed:
            return FAILED
        return DONE if self.landed else NOTHING

    def took(self, step: Step, result: Landed | Skipped | None, outcome: Outcome) -> None:
        """Records the result of a step; None for a step that changed nothing."""
        self.snapshots += outcome.snapshots
        self.alerts += outcome.alerts
        self.warnings += outcome.warnings
        if isinstance(result, Skipped):
            self.skipped.append(result)
        elif result is not None:
            self.landed.append(result)
            self.proposed += step.proposed

    def heard_out(self, wanted: ChangeSet) -> None:
        """Records what a proposal holds besides its steps, once these are committed."""
        # The same thing may be skipped in each of many calls.
        self.skipped = [*dict.fromkeys((*self.skipped, *wanted.skipped))]
        self.notes += wanted.notes
        self.marks.update(wanted.marks)

    def result(self, agent: str, run: str, used: Used, heard: int, *, dry_run: bool) -> AgentRun:
        """The result so far.

        A dry run has no commits; its `changed` are the files that would change.
        """
        last = None
        changed: dict[str, None] = {}
        held: list[str] = []
        for landed in self.landed:
            changed |= dict.fromkeys(landed.changed)
            held += landed.held
            if landed.commit:
                last = landed
        return AgentRun(
            agent=agent,
            run=run,
            outcome=self.outcome,
            proposed=tuple(self.proposed),
            commits=() if dry_run else tuple(self.landed),
            skipped=tuple(self.skipped),
            notes=tuple(dict.fromkeys(self.notes)),
            used=used,
            heard=heard,
            worked=self.worked,
            commit=last.commit if last else None,
            id=last.id if last else None,
            changed=tuple(changed),
            snapshots=tuple(self.snapshots),
            alerts=tuple(self.alerts),
            warnings=tuple(self.warnings),
            held=tuple(held),
            dry_run=dry_run,
            preview=self.preview,
        )


def run_report(done: AgentRun) -> Mapping[str, Any]:
    """The result as it is stored with the run, for `agent show`."""
    result = {
        "commits": [commit._asdict() for commit in done.commits],
        "proposed": [change._asdict() for change in done.proposed],
        "skipped": [skipped._asdict() for skipped in done.skipped],
        "notes": [*done.notes],
        "heard": done.heard,
        "worked": done.worked,
    }
    # A step that was refused for a secret still names it.
    shown: Mapping[str, Any] = covered(result, masked)
    return shown
