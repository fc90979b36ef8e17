"""The result of an agent's run, collected during the run; the agents, each with its last run, and
one run in full.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from clawgit.agents import AGENTS, Agent
from clawgit.agents.contract import Proposed, Skipped, Step
from clawgit.domain.change.ids import is_change_id
from clawgit.domain.safety.masks import covered
from clawgit.domain.safety.secrets import masked
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.agents.model import prompt_of
from clawgit.ops.change.history import revision
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.llm import ModelCall, Used, calls_of
from clawgit.stores.runs import DONE, FAILED, NOTHING, Run
from clawgit.stores.state import State

T = TypeVar("T")


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


class ListedAgent(NamedTuple):
    """An agent and its last run; `outcome` is done, nothing, failed, cut off, or running."""

    name: str
    title: str
    does: str
    hears: bool
    queue: str
    last: datetime | None = None
    outcome: str = ""
    run: str = ""
    prompt: str = ""
    """Which prompt is in force: `package`, or its file in the workspace; "" if it has none."""


@dataclass(frozen=True, slots=True)
class Agents:
    """All agents, in the order in which they are listed."""

    agents: tuple[ListedAgent, ...]


@dataclass(frozen=True, slots=True)
class ShownRun:
    """One run: its commits, what was skipped, and each call of the language model."""

    run: str
    job: str
    by: str
    started: datetime
    ended: datetime | None
    outcome: str
    trouble: str
    commits: tuple[Landed, ...]
    proposed: tuple[Proposed, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]
    calls: tuple[ModelCall, ...]
    tokens: int


def agents(workspace: Workspace, known: Mapping[str, Agent] = AGENTS) -> Agents:
    """All agents with their last runs. Reads only."""
    with state_of(workspace) as state:
        lasts = runs.lasts(state)
    listed = (_listed(workspace, agent, lasts.get(agent.name)) for agent in known.values())
    return Agents(tuple(listed))


def show_run(workspace: Workspace, name: str) -> ShownRun:
    """A run by its id or the beginning of it, by a change id, or by one of its commits."""
    with state_of(workspace) as state:
        run = _found(workspace, state, name)
        calls = tuple(calls_of(state, run.id))
    zone, result = workspace.zone, run.told
    return ShownRun(
        run=run.id,
        job=run.job,
        by=run.by,
        started=run.started.astimezone(zone),
        ended=run.ended.astimezone(zone) if run.ended else None,
        outcome=run.outcome or "running",
        trouble=run.trouble,
        commits=_read(Landed, result.get("commits", ())),
        proposed=_read(Proposed, result.get("proposed", ())),
        skipped=_read(Skipped, result.get("skipped", ())),
        notes=tuple(result.get("notes", ())),
        calls=tuple(call._replace(time=call.time.astimezone(zone)) for call in calls),
        tokens=sum(call.tokens for call in calls),
    )


def _read(kind: Callable[..., T], rows: Iterable[Mapping[str, Any]]) -> tuple[T, ...]:
    """The values that a run left as JSON, which has no tuples."""

    def kept(value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    return tuple(kind(**{key: kept(value) for key, value in row.items()}) for row in rows)


def _listed(workspace: Workspace, agent: Agent, last: Run | None) -> ListedAgent:
    prompt = prompt_of(workspace, agent.name)
    row = ListedAgent(*agent, prompt=prompt.origin if prompt else "")
    if last is None:
        return row
    return row._replace(
        last=last.started.astimezone(workspace.zone), outcome=last.outcome or "running", run=last.id
    )


def _found(workspace: Workspace, state: State, name: str) -> Run:
    matches = runs.named(state, name) if name else []
    if not matches:
        matches = runs.named(state, _run_of_change(workspace, name))
    if not matches:
        raise NotFoundError(
            f"The run that made {name} is no longer on record here.", hint=f"clawgit show {name}"
        )
    if len(matches) > 1 and matches[0].id != name:
        shown = ", ".join(run.id for run in matches[:5])
        raise UsageError(
            f"{name!r} begins several runs: {shown}.", hint=f"clawgit agent show {matches[0].id}"
        )
    return matches[0]


def _run_of_change(workspace: Workspace, name: str) -> str:
    """The run that made the commit which a user names; NotFoundError if there is none."""
    missing = NotFoundError(
        f"There is no run {name!r}.", hint="`clawgit agent list` shows the last of each agent."
    )
    try:
        run = workspace.git.commit(revision(workspace, name)).message.run
    except ClawgitError as error:
        raise missing from error
    if not run:
        what = "change" if is_change_id(name) else "commit"
        raise NotFoundError(
            f"The {what} {name} was not made by a run of an agent.", hint=f"clawgit show {name}"
        )
    return run
