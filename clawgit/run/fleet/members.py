"""Who belongs to a fleet: workspaces, which the operator alone adds and removes, with the settings
that he has signed; workers; and how they all do.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.config.trust import TrustRow
from clawgit.core.doors import pygit2
from clawgit.core.errors import NotFoundError, UsageError, counted
from clawgit.git.gitdir import find_repo
from clawgit.git.remotes.transport import PROTOCOLS, RemoteError
from clawgit.run.fleet.database import Address, Fleet, opened
from clawgit.run.fleet.queue import Pace
from clawgit.safety import operator
from clawgit.safety.rules.remotes import shown_address
from clawgit.safety.trust_store import accepted_rows
from clawgit.workspace.workspace import Caller

LOOK = "look"
"""The job of a workspace that was just added: a worker reads its schedule."""

_AGENT = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_FOR_ALL = "clawgit fleet status shows who belongs to it."
_WITHOUT = re.compile(r"/|[\w.][\w.@-]*:(?!:)")
"""An address without a scheme: a path from the root on, or HOST:PATH."""


class Added(NamedTuple):
    """`settings`: those that workers accept; `chat`: the address for the agent's `chat_store`."""

    agent: str
    remote: str
    branch: str
    new: bool
    settings: tuple[str, ...]
    chat: str


class Removed(NamedTuple):
    agent: str
    remote: str


class Member(NamedTuple):
    """`accepted` is what the operator has signed with this `key`."""

    agent: str
    remote: str
    branch: str
    key: str = ""
    accepted: str = ""
    signature: str = ""
    id: int = 0


def add(
    address: Address, caller: Caller, remote: str, agent: str, branch: str, accepted: Path | None
) -> Added:
    """Adds a workspace, or changes it. `accepted`: a folder whose accepted settings go along."""
    operator.require_operator(caller, "add a workspace to the fleet", _FOR_ALL)
    refuse_address(remote)
    agent = agent or re.split(r"[/:]", remote.rstrip("/"))[-1].removesuffix(".git").lower()
    with opened(address, role="") as fleet, fleet.together("add"):
        known = [Member(*row) for row in fleet.rows("known", agent=agent, remote=remote)]
        if other := next((row.agent for row in known if row.agent != agent), ""):
            # Two agents with one memory would undo each other.
            raise UsageError(
                f"{shown_address(remote)} is the workspace of {other} already.",
                hint=f"--agent {other}, or first: clawgit fleet remove {other}",
            )
        before = known[0] if known else Member(agent, remote, "main")
        after = Member(agent, remote, branch or before.branch)
        _refuse_names(after)
        if accepted:
            after = _signed(after, accepted, caller)
        elif after[:3] == before[:3]:
            # What was signed for this very workspace stays in force.
            after = before
        ((is_new,),) = fleet.rows("add", **after._asdict(), job=LOOK)
    names = tuple(dict.fromkeys(row.name for row in _read(after.accepted)))
    return Added(agent, shown_address(remote), after.branch, is_new, names, address.chat(agent))


def _signed(known: Member, folder: Path, caller: Caller) -> Member:
    accepted = accepted_rows(caller, find_repo(folder, caller.env))
    rows = tuple(row for row in accepted if row.kind in _SENT)
    if not rows:
        return known
    key = operator.operator_key(caller)
    if key is None:
        raise operator.OperatorKeyError(
            "Settings go to workers by your signature only, and no operator key is set.",
            hint="clawgit operator --key FILE, then add it again",
        )
    text = _text(known, rows)
    signature = operator.sign(key, operator.ACTS, text.encode(), caller.env)
    return known._replace(key=key.public, accepted=text, signature=signature)


def remove(address: Address, caller: Caller, agent: str) -> Removed:
    operator.require_operator(caller, "remove a workspace from the fleet", _FOR_ALL)
    with opened(address, role="") as fleet:
        _refuse_unknown(fleet, agent)
        ((remote,),) = fleet.rows("remove workspace", agent=agent)
    return Removed(agent, shown_address(remote))


def refuse_address(remote: str) -> None:
    if shown_address(remote) != remote:
        raise RemoteError(
            f"The address {shown_address(remote)} holds a password or a token.",
            hint="Leave it out; workers use their own keys, or git's credential helper.",
        )
    scheme, is_url, _ = remote.partition("://")
    if not (scheme.lower() in PROTOCOLS.split(":") if is_url else _WITHOUT.match(remote)):
        raise RemoteError(
            f"{remote!r} is no address that clawgit fetches from.",
            hint=f"A path from / on, HOST:PATH, or PROTOCOL://…, one of {PROTOCOLS}",
        )


def accepted_by_operator(member: Member, env: Mapping[str, str]) -> tuple[TrustRow, ...]:
    """The rows that the operator has signed for this workspace; OperatorKeyError if he has not."""
    if not member.accepted:
        return ()
    key, rows = operator.OperatorKey(member.key, "", ""), _read(member.accepted)
    signed = (operator.ACTS, member.accepted.encode(), member.signature, env)
    is_signed = bool(member.key) and operator.has_signed(key, *signed)
    # All that is signed is compared: a signature for another workspace is none for this one.
    if not is_signed or member.accepted != _text(member, rows):
        raise operator.OperatorKeyError(
            f"The settings of {member.agent} are not signed by the key that it was added with.",
            hint="clawgit fleet add, again",
        )
    return rows


_SENT = ("setting", "text")
"""Filters of git are of one machine: they would be programs there."""


def _text(member: Member, rows: Sequence[TrustRow]) -> str:
    shape = [{**row._asdict(), "files": dict(row.files)} for row in rows]
    where = {"agent": member.agent, "remote": member.remote, "branch": member.branch}
    return json.dumps({**where, "accepted": shape}, sort_keys=True, ensure_ascii=True)


def _read(text: str) -> tuple[TrustRow, ...]:
    return tuple(TrustRow(**row) for row in json.loads(text)["accepted"]) if text else ()


def _refuse_names(member: Member) -> None:
    if not _AGENT.fullmatch(member.agent):
        raise UsageError(
            f"{member.agent!r} is not a valid name for an agent.",
            hint="Small letters, digits, dashes: --agent coder",
        )
    branch = member.branch
    if branch.startswith("-") or not pygit2.reference_is_valid_name(f"refs/heads/{branch}"):
        raise UsageError(f"{branch!r} is not a valid name for a branch.", hint="--branch main")


class WorkerRow(NamedTuple):
    """A worker by its number in the queue. Not `alive`: it has sent no heartbeat for a while."""

    worker: int
    alive: bool
    running: int
    seen: datetime


class WorkspaceRow(NamedTuple):
    """A workspace: the jobs that run now; how many times are due (these included), late, given up,
    done, missed because a later one came; and how many finishes were refused.
    """

    agent: str
    remote: str
    running: str
    due: int
    late: int
    failed: int
    done: int
    missed: int
    refused: int
    last: datetime | None
    trouble: str


class FleetStatus(NamedTuple):
    workers: tuple[WorkerRow, ...]
    workspaces: tuple[WorkspaceRow, ...]

    @property
    def summary(self) -> str:
        alive = sum(row.alive for row in self.workers)
        due, late, failed = (
            sum(getattr(row, name) for row in self.workspaces) for name in ("due", "late", "failed")
        )
        running = sum(bool(row.running) for row in self.workspaces)
        return (
            f"{alive} of {counted(len(self.workers), 'worker')} alive, "
            f"{counted(len(self.workspaces), 'workspace')}: "
            f"{due} due, {running} running, {late} late, {failed} failed"
        )

    @property
    def ok(self) -> bool:
        return not any(row.failed or row.late for row in self.workspaces)


class Retried(NamedTuple):
    agent: str
    job: str
    at: datetime


def status(address: Address, agent: str = "") -> FleetStatus:
    with opened(address) as fleet:
        _refuse_unknown(fleet, agent)
        workers = [WorkerRow(*row) for row in fleet.rows("workers", stale=Pace().stale)]
        rows = [WorkspaceRow(*row) for row in fleet.rows("workspaces", agent=agent)]
    shown = (row._replace(remote=shown_address(row.remote)) for row in rows)
    return FleetStatus(tuple(workers), tuple(shown))


def retry(address: Address, agent: str) -> tuple[Retried, ...]:
    with opened(address) as fleet:
        _refuse_unknown(fleet, agent)
        return tuple(Retried(*row) for row in fleet.rows("retry", agent=agent))


def _refuse_unknown(fleet: Fleet, agent: str) -> None:
    if agent and not fleet.rows("known", agent=agent, remote=""):
        raise NotFoundError(
            f"There is no agent {agent!r} in the fleet.", hint="clawgit fleet status"
        )
