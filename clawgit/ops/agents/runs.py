"""Lists the agents, each with its last run, and shows one run in full."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from clawgit.agents import AGENTS, Agent
from clawgit.agents.contract import Proposed, Skipped
from clawgit.domain.change.ids import is_change_id
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.agents.model import prompt_of
from clawgit.ops.agents.result import Landed
from clawgit.ops.change.history import revision
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.llm import ModelCall, calls_of
from clawgit.stores.runs import Run
from clawgit.stores.state import State

T = TypeVar("T")


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
