"""Does one job of the runner, in this process; and what the nightly upkeep is."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from clawgit.agents.frame.agents import run_agent
from clawgit.core import NamedTuple
from clawgit.core.errors import refuse_unknown
from clawgit.git.rewriting import pack
from clawgit.git.transaction import Change
from clawgit.git.worktree import glance
from clawgit.health.status import status
from clawgit.history.changes import snapshot
from clawgit.memory.rules.promotion import FLAGGED, PromotionCandidate
from clawgit.memory.upkeep import PromotionWish, promote
from clawgit.run.digest import review, scheduled
from clawgit.run.schedule import TASKS, Performed
from clawgit.talk.chat import open_chat
from clawgit.workspace.workspace import Workspace

_FILE = "HEARTBEAT.md"
_OK = "HEARTBEAT_OK"
"""The answer by which an agent tells OpenClaw that nothing needs the human."""

_NOTHING = re.compile(r"^\s*(?:#+(?:\s.*)?$|[-*+](?:\s+\[[ xX]?\])?(?=\s|$))")
"""A heading, or a bullet and its box."""


class Maintained(NamedTuple):
    """What the upkeep did. `promoted` are the lines of daily notes that went to MEMORY.md.

    `needs` is what waits for the human, `asked` what else HEARTBEAT.md asks for. `reply` is
    HEARTBEAT_OK if there is neither.
    """

    change: Change
    promoted: tuple[PromotionCandidate, ...]
    needs: tuple[str, ...]
    asked: tuple[str, ...]
    reply: str


def maintain(workspace: Workspace) -> Maintained:
    """Commits edits, promotes what is certain, and asks for the rest."""
    edits = snapshot(workspace)
    done = promote(workspace, PromotionWish())
    alerts = (f"{alert.message}: {alert.next}" for alert in status(workspace).alerts)
    needs = (*alerts, *done.change.held)
    other = asked(glance(workspace.root, _FILE))
    change = done.change._replace(
        commit=done.change.commit or edits.commit,
        id=done.change.id or edits.id,
        changed=(*edits.changed, *done.change.changed),
        snapshots=tuple(commit.commit for commit in edits.commits),
    )
    promoted = tuple(line for line in done.candidates if line.action != FLAGGED)
    return Maintained(change, promoted, needs, other, reply="" if needs or other else _OK)


def asked(text: str) -> tuple[str, ...]:
    """What HEARTBEAT.md asks for besides the upkeep. Headings and empty boxes are nothing."""
    lines = (_NOTHING.sub("", line).strip() for line in text.splitlines())
    return tuple(line for line in lines if line and "heartbeat --maintain" not in line)


def perform(
    workspace: Workspace, name: str, clock: Callable[[], datetime], job: str = ""
) -> Performed:
    """Does a job now, in this process; `job` names its scheduled time, for its commits. UsageError
    if there is none of that name.
    """
    refuse_unknown("job", name, [task.name for task in TASKS])
    if name in ACTS:
        due = job.partition("@")[2]
        until = datetime.fromisoformat(due) if due else clock()
        return ACTS[name](workspace.at(clock()), until)
    done = run_agent(workspace, name, clock=clock, job=job)
    names = tuple(landed.id or (landed.commit or "")[:10] for landed in done.commits)
    summary = "; ".join(landed.summary for landed in done.commits) or "nothing to do"
    return Performed(name, summary, names, done.notes)


def upkeep(workspace: Workspace, _: datetime) -> Performed:
    """Deletes messages past their retention, and lets git pack what it wants to pack.

    `git gc --auto` deletes nothing that a branch, a tag or a ref of ours reaches.
    """
    with open_chat(workspace) as chat:
        gone, notes = chat.retain(), chat.notes
    if why_not := pack(workspace.cgit, workspace.place):
        notes = (*notes, why_not)
    summary = f"{gone} old messages deleted" if gone else "no old messages"
    return Performed("upkeep", summary, notes=tuple(notes))


ACTS: Mapping[str, Callable[[Workspace, datetime], Performed]] = {
    "weekly-review": review,
    "upkeep": upkeep,
    "digest": scheduled,
}
"""The jobs that are no agent's: of the workspace as it is now, and the time at which it was due."""
