"""Where a user is, and what to do next: what `clawgit` answers without a command."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.workspace.tiers import dated
from clawgit.ops.workspace.logs import corrected_in_chat
from clawgit.ops.workspace.status import Status, status
from clawgit.ops.workspace.workspace import Caller, Workspace, is_workspace
from clawgit.stores import openclaw
from clawgit.stores.git.dirt import TO_A_BRANCH, ways_on
from clawgit.stores.git.place import locate

_FIRST = 3


class Next(NamedTuple):
    """A command to type, and what for."""

    command: str
    why: str


class Here(NamedTuple):
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
    waits = len(seen.dirty) + len(seen.skipped)
    steps = (*_asked_for(seen), *told, *_EVERYDAY)
    return Here(workspace.root, seen.branch, waits, len(seen.alerts), steps)


def outside(caller: Caller) -> Here:
    """What to do outside a workspace: OpenClaw's own folders come first, if there are any."""
    installation = openclaw.find(caller.home, caller.env)
    agents = installation.agents if installation else ()
    homes = [agent.workspace for agent in agents if agent.workspace.is_dir()]
    steps = [
        Next(f"clawgit -C '{home}'", "the workspace of an OpenClaw agent")
        if (place := locate(home)) and is_workspace(place)
        else Next(f"clawgit init '{home}'", "keep this OpenClaw agent's folder in git")
        for home in homes
    ]
    # A user of OpenClaw has a folder already and needs no new one.
    return Here(None, None, 0, 0, (*steps,) if steps else _NEW)


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
    has_failed = any(alert.next == "clawgit sync" for alert in seen.alerts)
    if seen.sync and not has_failed and (seen.sync.ahead or seen.sync.behind):
        counts = f"{seen.sync.ahead} to send, {seen.sync.behind} to bring in"
        yield Next("clawgit sync", f"commits: {counts}, as of the last fetch")


def _has_days(root: Path) -> bool:
    """Whether there are notes of several days: many agents never delete their BOOTSTRAP.md."""
    days = {dated(note.name) for note in root.glob("memory/*.md")}
    return len(days - {None}) > 1


_EVERYDAY = (
    Next("clawgit search TEXT", "find what is remembered"),
    Next("clawgit log", "what changed, by whom, and why"),
    Next("clawgit undo", "undo the last change"),
)
_NEW = (
    Next("clawgit init agent", "create a workspace in a new folder here"),
    Next("clawgit init .", "adopt this folder; nothing is overwritten"),
)
