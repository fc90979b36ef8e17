"""The result of an agent's run, collected during the run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from clawgit.agents.contract import Proposed, Skipped, Step
from clawgit.domain.safety.covered import covered
from clawgit.domain.safety.secrets import masked
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.llm import Used
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
    """What a run has done; `settled` once it is over.

    `commit` and `id` are then those of the last commit; `changed` are the files of all. `outcome`
    is done, nothing, or failed if a call of the queue failed. `heard` counts messages, `worked`
    calls.
    """

    agent: str
    run: str
    outcome: str = NOTHING
    proposed: tuple[Proposed, ...] = ()
    commits: tuple[Landed, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    used: Used = Used()  # noqa: RUF009 - an immutable value
    heard: int = 0
    worked: int = 0
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    dry_run: bool = False
    preview: str = ""

    def having(self, **more: Iterable[Any]) -> "AgentRun":
        """The same, with more of some of its fields."""
        grown: dict[str, Any] = {name: (*getattr(self, name), *rows) for name, rows in more.items()}
        return replace(self, **grown)

    def took(self, step: Step, result: Landed | Skipped | None, outcome: Outcome) -> "AgentRun":
        """The same, with the result of a step; None for a step that changed nothing."""
        done = self.having(
            snapshots=outcome.snapshots, alerts=outcome.alerts, warnings=outcome.warnings
        )
        if isinstance(result, Skipped):
            return done.having(skipped=(result,))
        return done.having(commits=(result,), proposed=step.proposed) if result else done

    def settled(self, used: Used, heard: int, *, failed: bool) -> "AgentRun":
        """The whole result. A dry run has no commits; `changed` are what would change."""
        outcome = DONE if self.commits else NOTHING
        made = [landed for landed in self.commits if landed.commit]
        last = made[-1] if made else Landed(None, None, "")
        changed = chain.from_iterable(landed.changed for landed in self.commits)
        held = chain.from_iterable(landed.held for landed in self.commits)
        return replace(
            self,
            outcome=FAILED if failed else outcome,
            commits=() if self.dry_run else self.commits,
            # The same thing may be skipped in each of many calls.
            skipped=tuple(dict.fromkeys(self.skipped)),
            notes=tuple(dict.fromkeys(self.notes)),
            used=used,
            heard=heard,
            commit=last.commit,
            id=last.id,
            changed=tuple(dict.fromkeys(changed)),
            held=tuple(held),
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
