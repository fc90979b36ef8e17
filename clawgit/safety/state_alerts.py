"""What `state.db` has to tell the operator."""

from collections.abc import Iterable, Iterator

from clawgit.core.errors import Alert, counted
from clawgit.talk.stores import queue
from clawgit.talk.stores.chat import why_away
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.state import State, recoveries, state_file
from clawgit.workspace.workspace_base import WorkspaceBase


def of_state(workspace: WorkspaceBase) -> tuple[bool, list[Alert]]:
    """Whether a job failed; and what else is wrong now."""
    with workspace.state() as state:
        has_failed = not all(run.counts for run in runs.lasts(state).values())
        alerts = [*_set_aside(workspace, state)]
        if why := why_away(state):
            step = "start the server, or clawgit config get chat_store"
            alerts.insert(0, Alert(None, None, why, step))
        return has_failed, [*alerts, *_recovered(state)]


def of_recovery(workspace: WorkspaceBase) -> list[Alert]:
    """Recoveries of a damaged state.db that the operator has not acknowledged."""
    if not state_file(workspace.place).exists():
        return []
    with workspace.state() as state:
        return [*_recovered(state)]


def _recovered(state: State) -> Iterator[Alert]:
    settled = state.acknowledged()
    for recovery in recoveries(state):
        if recovery.id not in settled:
            step = f"clawgit status --ack {recovery.id}"
            yield Alert(recovery.id, recovery.time, recovery.message, step)


def acknowledged_alerts(workspace: WorkspaceBase) -> Iterable[str]:
    if not state_file(workspace.place).exists():
        return ()
    with workspace.state() as state:
        return state.acknowledged()


def _set_aside(workspace: WorkspaceBase, state: State) -> Iterator[Alert]:
    """The calls that were set aside, queue by queue, and the patterns that take too long."""
    aside = [item for item in queue.listed(state, workspace.now) if item.aside]
    for name in dict.fromkeys(item.queue for item in aside):
        *_, last = items = [item for item in aside if item.queue == name]
        calls = f"{counted(len(items), 'call')} of {name} set aside"
        what = f"{calls} after {queue.MOST_TRIES} tries: {last.trouble}"
        step = "clawgit run --queue {0}, or clawgit run --drop {0} to give it up"
        yield Alert(None, last.since, what, step.format(last.id))
