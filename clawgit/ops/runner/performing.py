"""Does one job of the runner, in this process; and what the nightly upkeep is."""

import importlib
from collections.abc import Callable
from datetime import datetime

from clawgit.ops.agents.agents import run_agent
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.runner.jobs import Performed, task_named
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.rewriting import pack


def perform(
    workspace: Workspace, name: str, clock: Callable[[], datetime], job: str = ""
) -> Performed:
    """Does a job now, in this process; `job` names its scheduled time, for its commits."""
    task = task_named(name)
    if task.function is None:
        return _run_agent(workspace, name, clock, job)
    module, _, function = task.function.partition(":")
    do = getattr(importlib.import_module(f"clawgit.ops.{module}"), function)
    due = job.partition("@")[2]
    until = datetime.fromisoformat(due) if due else clock()
    performed: Performed = do(workspace.at(clock()), until)
    return performed


def _run_agent(
    workspace: Workspace, name: str, clock: Callable[[], datetime], job: str
) -> Performed:
    done = run_agent(workspace, name, clock=clock, job=job)
    names = tuple(landed.id or (landed.commit or "")[:10] for landed in done.commits)
    summary = "; ".join(landed.summary for landed in done.commits) or "nothing to do"
    return Performed(name, summary, names, done.notes)


def upkeep(workspace: Workspace, _: datetime) -> Performed:
    """Deletes messages past their retention, and lets git pack what it wants to pack.

    `git gc --auto` deletes nothing that a branch, a tag or a ref of ours reaches.
    """
    with open_chat(workspace) as chat:
        before = chat.store.count()
        chat.retain()
        gone, notes = before - chat.store.count(), chat.notes
    if why_not := pack(workspace.cgit):
        notes = (*notes, why_not)
    summary = f"{gone} old messages deleted" if gone else "no old messages"
    return Performed("upkeep", summary, notes=tuple(notes))
