"""The result of an agent's run, collected during the run; the agents, each with its last run, and
one run in full.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from clawgit.agents import AGENTS, Agent
from clawgit.agents.contract import Proposed, Skipped
from clawgit.agents.llm import OpenMind, Used, used_by
from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.core.resources import resource
from clawgit.git.transaction import Change
from clawgit.run.heartbeat import Clock
from clawgit.safety.masking import cover_of
from clawgit.safety.rules.masks import covered
from clawgit.safety.rules.secrets import masked
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.state import State
from clawgit.workspace.workspace import Workspace


def mind_of(
    workspace: Workspace, state: State, run: str, clock: Clock, agent: str
) -> OpenMind | None:
    """The model; None if none is set. The agent's prompt comes before each question."""
    if not workspace.settings.llm_model.strip():
        return None
    return OpenMind(
        workspace.settings,
        state=state,
        run=run,
        clock=lambda: clock().astimezone(workspace.zone),
        root=workspace.root,
        env=workspace.env,
        role=prompt_of(workspace, agent),
        cover=cover_of(workspace),
    )


def prompt_path(name: str) -> str:
    return f"agents/{name}/SOUL.md"


def prompt_of(workspace: Workspace, name: str) -> str:
    """An agent's role, the workspace's copy first; "" for an agent that has none."""
    packaged = _packaged(name)
    own = workspace.glance(prompt_path(name)) if packaged else ""
    return own if own.strip() else packaged or ""


def edit_prompt(workspace: Workspace, name: str, text: str | None = None) -> Change:
    """Writes an agent's prompt into the workspace. From then on that copy is used.

    `text` is the new prompt; None copies the package's, to be edited later.
    """
    packaged = _packaged(name)
    if packaged is None:
        known = ", ".join(agent for agent in AGENTS if _packaged(agent) is not None)
        raise UsageError(f"{name} has no prompt.", hint=f"One of: {known}.")
    path = prompt_path(name)
    what = "change its prompt" if text is not None else "copy its prompt, to change it"
    with workspace.change(
        "agent", f"{name}: {what}", "The workspace's copy is used from now on."
    ) as tx:
        # A copy that is there already stays: somebody may have changed it.
        current = tx.read_text(path)
        tx.put(path, text or (current if current.strip() else packaged))
    return tx.outcome._replace(of=path)


def _packaged(name: str) -> str | None:
    file = resource("templates") / "agents" / name / "SOUL.md"
    return file.read_text("utf-8") if name in AGENTS and file.is_file() else None


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


_ROWS = {"commits": Landed, "proposed": Proposed, "skipped": Skipped}
"""What is stored of a run, each a kind of rows."""


class AgentRun(NamedTuple):
    """What a run has done, or in a dry run what it would do.

    `commit` and `id` are those of the last commit; `changed` are the files of all. `outcome` is
    done, nothing, or failed if a call of the queue failed. `heard` counts messages, `worked` calls.
    """

    change: Change
    agent: str
    run: str
    outcome: str = runs.NOTHING
    proposed: tuple[Proposed, ...] = ()
    commits: tuple[Landed, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    used: Used = Used()
    heard: int = 0
    worked: int = 0


def run_report(done: AgentRun) -> Mapping[str, Any]:
    """The result as it is stored with the run, for `agent show`."""
    rows = {name: [row._asdict() for row in getattr(done, name)] for name in _ROWS}
    # A step that was refused for a secret still names it.
    shown: Mapping[str, Any] = covered(
        {**rows, "notes": [*done.notes], "heard": done.heard, "worked": done.worked}, masked
    )
    return shown


class ListedAgent(NamedTuple):
    """An agent and its last run; `outcome`: done, nothing, failed, cut off, running, none yet."""

    name: str
    does: str
    last: datetime | None = None
    outcome: str = "not run yet"
    run: str = ""


class Agents(NamedTuple):
    """All agents, in the order in which they are listed."""

    agents: tuple[ListedAgent, ...]


class ShownRun(NamedTuple):
    """One run: its commits, what was skipped, and what the language model did for it."""

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
    used: Used


def agents(workspace: Workspace) -> Agents:
    """All agents with their last runs. Reads only."""
    with workspace.state() as state:
        lasts = runs.lasts(state)
    listed = (_listed(workspace, agent, lasts.get(agent.name)) for agent in AGENTS.values())
    return Agents(tuple(listed))


def show_run(workspace: Workspace, name: str) -> ShownRun:
    """A run by its id or the beginning of it, or the last run of an agent that had something to
    do.
    """
    with workspace.state() as state:
        run = _found(state, name)
        used = used_by(state, run.id)
    zone = workspace.zone
    rows = {name: _read(kind, run.told.get(name, ())) for name, kind in _ROWS.items()}
    return ShownRun(
        **rows,
        run=run.id,
        job=run.job,
        by=run.by,
        started=run.started.astimezone(zone),
        ended=run.ended.astimezone(zone) if run.ended else None,
        outcome=run.outcome or "running",
        trouble=run.trouble,
        notes=tuple(run.told.get("notes", ())),
        used=used,
    )


def _read(kind: Callable[..., Any], rows: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
    """The values that a run left as JSON, which has no tuples."""
    return tuple(
        kind(**{key: tuple(v) if isinstance(v, list) else v for key, v in row.items()})
        for row in rows
    )


def _listed(workspace: Workspace, agent: Agent, last: runs.Run | None) -> ListedAgent:
    row = ListedAgent(agent.name, agent.does)
    if last is None:
        return row
    return row._replace(
        last=last.started.astimezone(workspace.zone), outcome=last.outcome or "running", run=last.id
    )


def _found(state: State, name: str) -> runs.Run:
    if name in AGENTS:
        if ran := runs.recent(state, job=name):
            # One that had nothing to do says less than the one before it.
            return next((run for run in ran if any(map(run.told.get, _ROWS))), ran[0])
        raise NotFoundError(f"{name} has not run yet.", hint=f"clawgit agent run {name}")
    matches = runs.named(state, name) if name else []
    if not matches:
        raise NotFoundError(
            f"There is no run and no agent {name!r}.",
            hint="`clawgit agent list` names the last runs, `clawgit show ID --json` a change's.",
        )
    if len(matches) > 1 and matches[0].id != name:
        shown = ", ".join(run.id for run in matches[:5])
        raise UsageError(
            f"{name!r} begins several runs: {shown}.", hint=f"clawgit agent show {matches[0].id}"
        )
    return matches[0]
