"""The home screen, for `clawgit` without a command: where the user is, and what to do next."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path

from clawgit.domain.corrections.corrections import CORRECTIONS, corrections
from clawgit.domain.corrections.statuses import CONFIRMED
from clawgit.domain.workspace.tiers import dated
from clawgit.errors import counted
from clawgit.ops.workspace.status import Status, status
from clawgit.ops.workspace.workspace import Caller, Workspace, is_workspace
from clawgit.stores import openclaw
from clawgit.stores.git.dirt import TO_A_BRANCH, ways_on
from clawgit.stores.git.place import locate
from clawgit.stores.git.worktree import glance

_FIRST = 3
_EVERYDAY = (
    ("clawgit search TEXT", "find what is remembered"),
    ("clawgit log", "what changed, by whom, and why"),
    ("clawgit undo", "undo the last change"),
)


@dataclass(frozen=True, slots=True)
class Next:
    """A command to type, and what for."""

    command: str
    why: str


@dataclass(frozen=True, slots=True)
class Here:
    """`workspace` is null outside of one; `waits` counts uncommitted files, `alerts` the alerts."""

    workspace: Path | None
    branch: str | None
    waits: int
    alerts: int
    next: tuple[Next, ...]


def here(workspace: Workspace) -> Here:
    """The workspace in a line, and what to do, the most urgent first."""
    seen = status(workspace)
    corrected = corrected_in_chat(workspace)
    told = (Next("clawgit corrections list", corrected),) if corrected else ()
    steps = (*_asked_for(seen), *told, *(Next(*row) for row in _EVERYDAY))
    waits = len(seen.dirty) + len(seen.skipped)
    return Here(workspace.root, seen.branch, waits, len(seen.alerts), steps)


def corrected_in_chat(workspace: Workspace) -> str:
    """How many memories were corrected in chat since yesterday, in words; "" if none was."""
    yesterday = workspace.today - timedelta(days=1)
    since = datetime.combine(yesterday, time(), workspace.local_zone)
    count = sum(
        correction.status == CONFIRMED
        and correction.source.startswith("chat:")
        and correction.time is not None
        and correction.time >= since
        for correction in corrections(glance(workspace.root, CORRECTIONS))
    )
    return f"{counted(count, 'memory', 'memories')} corrected since yesterday" if count else ""


def outside(caller: Caller) -> Here:
    """What to do outside a workspace: OpenClaw's own folders come first, if there are any."""
    installation = openclaw.find(caller.home, caller.env)
    homes = (
        [agent.workspace for agent in installation.agents if agent.workspace.is_dir()]
        if installation
        else []
    )
    steps = [
        Next(f"clawgit -C '{home}'", "the workspace of an OpenClaw agent")
        if (place := locate(home)) and is_workspace(place)
        else Next(f"clawgit init '{home}'", "keep this OpenClaw agent's folder in git")
        for home in homes
    ]
    # A user of OpenClaw has a folder already and needs no new one.
    new = (
        Next("clawgit init agent", "create a workspace in a new folder here") if not steps else None
    )
    adopt = Next("clawgit init .", "adopt this folder; nothing is overwritten")
    return Here(None, None, 0, 0, (*steps, *([new, adopt] if new else [])))


def _asked_for(seen: Status) -> Iterator[Next]:
    if seen.busy:
        yield Next(ways_on(seen.busy), f"git is in the middle of {seen.busy}; clawgit waits")
    elif seen.branch is None:
        yield Next(TO_A_BRANCH, "HEAD is on no branch: clawgit commits nothing until it is on one")
    yield from (Next(alert.next, alert.message) for alert in seen.alerts[:_FIRST])
    if len(seen.alerts) > _FIRST:
        yield Next("clawgit status", f"{len(seen.alerts) - _FIRST} more alerts")
    yield from _to_commit(seen)
    yield from _to_sync(seen)
    if (seen.workspace / "BOOTSTRAP.md").is_file() and not _has_days(seen.workspace):
        yield Next("read BOOTSTRAP.md with your agent", "it has not had its first conversation yet")


def _to_commit(seen: Status) -> Iterator[Next]:
    """The edits, if a snapshot would commit them."""
    if seen.dirty and seen.branch and not seen.busy:
        files = "1 file is" if len(seen.dirty) == 1 else f"{len(seen.dirty)} files are"
        yield Next("clawgit snapshot", f"{files} not committed yet")


def _to_sync(seen: Status) -> Iterator[Next]:
    """What a sync would do; after one that failed, its alert says so already."""
    if any(alert.next == "clawgit sync" for alert in seen.alerts):
        return
    if seen.sync and (seen.sync.ahead or seen.sync.behind):
        counts = f"{seen.sync.ahead} to send, {seen.sync.behind} to bring in"
        yield Next("clawgit sync", f"commits: {counts}, as of the last fetch")


def _has_days(root: Path) -> bool:
    """Whether there are notes of several days: many agents never delete their BOOTSTRAP.md."""
    days = {dated(note.name) for note in root.glob("memory/*.md")}
    return len(days - {None}) > 1
