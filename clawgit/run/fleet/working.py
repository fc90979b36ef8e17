"""One task of a fleet, in a process of its own: takes a generation, does the job in a clone, pushes
it with the fence, and finishes. Whatever step it dies in, the next try begins anew.
"""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from clawgit.core.config.trust import SETTING, TrustRow, digest
from clawgit.core.doors import zoneinfo
from clawgit.run.fleet.clone import Clone, DroppedError, cloned, send
from clawgit.run.fleet.database import Address, Fleet, json_value, opened
from clawgit.run.fleet.members import LOOK, Member, accepted_by_operator
from clawgit.run.fleet.receipts import Receipts, left_by, newest_of, take_in
from clawgit.run.performing import perform
from clawgit.run.schedule import job_name, jobs_of, next_due, tasks_of, time_of
from clawgit.safety.trust_store import change_rows, trust_file
from clawgit.workspace.state import state_of
from clawgit.workspace.workspace import Caller, Workspace

DONE = "done"
DROPPED = "dropped"

_CHAT = "CLAWGIT_CHAT_STORE"
_FOUND = "its commits were in the history"


class Worked(NamedTuple):
    """What became of a task. `outcome` is done, or dropped: somebody else has done it, or does."""

    agent: str
    job: str
    outcome: str
    summary: str = ""


class _Taken(NamedTuple):
    """A row that is due, and the generation in which it is worked on."""

    due: int
    gen: int
    job: str
    at: datetime
    now: datetime
    member: Member

    @property
    def name(self) -> str:
        """How commits name it; the same on every worker, whatever its zone."""
        return job_name(self.job, self.at.astimezone(UTC))


def work(address: Address, due: int, cache: Path, caller: Caller, worker: str) -> Worked:
    """Does what is due, once. Raises what the job raises; nothing is sent then."""
    with opened(address) as fleet:
        taken = _take(fleet, due, worker)
    if taken is None:
        return Worked("", "", DROPPED, "somebody else has done it")
    caller = caller._replace(
        now=taken.now, env={**caller.env, _CHAT: address.chat(taken.member.agent)}
    )
    outcome, summary = DONE, ""
    try:
        with cloned(cache, taken.member, caller) as clone:
            summary = _done(address, taken, clone)
    except DroppedError as error:
        with opened(address) as fleet:
            fleet.run("refuse", due=due)
        outcome, summary = DROPPED, error.message
    return Worked(taken.member.agent, taken.job, outcome, summary)


def _take(fleet: Fleet, due: int, worker: str) -> _Taken | None:
    """Takes a generation; None if the row is done."""
    with fleet.together():
        rows = fleet.rows("begin", due=due)
        if not rows:
            return None
        job, at, now, *known = rows[0]
        member = Member(*known)
        ((gen,),) = fleet.rows("take generation", workspace=member.id)
        fleet.run("start", due=due, gen=gen, worker=worker)
    return _Taken(due, gen, job, at, now, member)


def _done(address: Address, taken: _Taken, clone: Clone) -> str:
    """Does the job, sends it, and finishes; returns what it did, in words."""
    workspace = clone.workspace
    _accept(workspace, taken.member)
    with opened(address) as fleet:
        rows = fleet.rows("receipts", workspace=taken.member.id)
    known = newest_of(dict(rows), _sent(clone, taken.gen))
    summary, left = "its schedule was read", known
    if clone.has_done(taken.name):
        summary = _FOUND
    elif taken.job != LOOK:
        with state_of(workspace) as state:
            take_in(state, known)
        done = perform(workspace, taken.job, _clock(taken.now), taken.name)
        summary = "; ".join((done.summary, *done.notes))
        with state_of(workspace) as state:
            left = {**known, **left_by(state, known, taken.gen)}
        if not send(clone, taken.name, taken.gen, lambda: _newest(address, taken), left):
            left = newest_of(known, _sent(clone, taken.gen))
            _finish(address, taken, workspace, _FOUND, left)
            raise DroppedError(_FOUND)
    _finish(address, taken, workspace, summary, left)
    return summary


def _sent(clone: Clone, gen: int) -> Receipts:
    """The receipts of older generations. Who may push can write a fence, too: one of the future
    would hold for ever.
    """
    return {name: row for name, row in clone.receipts().items() if row["gen"] < gen}


def _clock(now: datetime) -> Callable[[], datetime]:
    """The clock of the database: that of this machine may be an hour off."""
    began = time.monotonic()
    return lambda: now + timedelta(seconds=time.monotonic() - began)


def _accept(workspace: Workspace, member: Member) -> None:
    """Puts in force what the operator has signed, and the fleet's own chat; nothing else."""
    env: Mapping[str, str] = workspace.caller.env
    chat = TrustRow(SETTING, "chat_store", digest(env[_CHAT]))
    rows = [row for row in accepted_by_operator(member, env) if row.name != chat.name]
    file = trust_file(workspace.caller.home, env)
    change_rows(file, workspace.place, lambda _: [*rows, chat])
    workspace.read_config_anew()


def _newest(address: Address, taken: _Taken) -> int:
    """The newest generation; 0 if the workspace was removed."""
    with opened(address) as fleet:
        rows = fleet.rows("generation", workspace=taken.member.id)
    return int(rows[0][0]) if rows else 0


def _finish(
    address: Address, taken: _Taken, workspace: Workspace, summary: str, left: Receipts
) -> None:
    """Records the end, unless a newer generation has begun; DroppedError then."""
    of = {"workspace": taken.member.id, "gen": taken.gen}
    with opened(address) as fleet, fleet.together():
        if not fleet.rows("finish", **of, due=taken.due, summary=summary[:500]):
            raise DroppedError("A newer generation has taken over.")
        for series, row in left.items():
            run = json_value(row)
            fleet.run("write receipt", **of | {"gen": row["gen"]}, series=series, run=run)
        _write_schedule(fleet, taken, workspace)


def _write_schedule(fleet: Fleet, taken: _Taken, workspace: Workspace) -> None:
    """Keeps the times of the jobs as the settings have them now."""
    settings, ident = workspace.config.settings, taken.member.id
    zone, rules = settings.timezone or "UTC", jobs_of(settings)
    wanted = {
        task.name: (place, time_of(task, settings), zone)
        for place, task in enumerate(tasks_of(settings))
        if task.name in rules
    }
    known = {job: tuple(row) for job, *row in fleet.rows("schedule of", workspace=ident)}
    fleet.run("drop schedule", workspace=ident, jobs=[*wanted])
    for job, (place, rule, _) in wanted.items():
        if known.get(job) != wanted[job]:
            coming = next_due(rules[job], taken.now, zoneinfo.ZoneInfo(zone))
            fleet.run(
                "write schedule", workspace=ident, job=job, place=place, rule=rule, zone=zone,
                next=coming,
            )  # fmt: skip
