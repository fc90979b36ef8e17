"""One task of a fleet: takes a generation, does the job in a clone, pushes with the fence."""

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.config.trust import SETTING, TrustRow, digest
from clawgit.core.doors import zoneinfo
from clawgit.run.fleet.clone import Clone, cloned, send
from clawgit.run.fleet.database import Address, DroppedError, Fleet, opened
from clawgit.run.fleet.members import LOOK, Member, accepted_by_operator
from clawgit.run.performing import perform
from clawgit.run.schedule import job_name, jobs_of, next_due, tasks_of, time_of
from clawgit.safety.trust_store import change_rows
from clawgit.search.stores.access import take_over
from clawgit.talk.stores.chat.postgres import PostgresChat
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.state import State
from clawgit.workspace.workspace import Caller, Workspace

_CHAT = "CLAWGIT_CHAT_STORE"
_FOUND = "its commits were in the history"

Receipts = dict[str, dict[str, Any]]
"""What runs leave for the next ones: how far they have heard, their marks, what was sent. They are
in the database before the push, and count once the fence says that it came."""


class _Taken(NamedTuple):
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

    @property
    def keys(self) -> dict[str, Any]:
        who = {"workspace": self.member.id, "agent": self.member.agent}
        return {**who, "due": self.due, "gen": self.gen}


def work(address: Address, due: int, cache: Path, caller: Caller, worker: str) -> str:
    """Does what is due, once; returns what it did. DroppedError if somebody else has, or does."""
    with opened(address) as fleet:
        taken = _take(fleet, due, worker)
    env = {**caller.env, _CHAT: address.chat(taken.member.agent)}
    try:
        with cloned(cache, taken.member, caller._replace(now=taken.now, env=env)) as clone:
            return _done(address, taken, clone)
    except DroppedError:
        with opened(address) as fleet:
            fleet.rows("refuse", due=due)
        raise


def _take(fleet: Fleet, due: int, worker: str) -> _Taken:
    for gen, job, at, now, *known in fleet.rows("take", due=due, worker=worker):
        return _Taken(due, gen, job, at, now, Member(*known))
    raise DroppedError("Somebody else has done it.")


def _done(address: Address, taken: _Taken, clone: Clone) -> str:
    workspace, left = clone.workspace, Receipts()
    _accept(workspace, taken.member)
    summary = "its schedule was read"
    if clone.has_done(taken.name):
        summary = _FOUND
    elif taken.job != LOOK:
        known = _take_in(address, taken, clone)
        done = perform(workspace, taken.job, _clock(taken.now), taken.name)
        summary = "; ".join((done.summary, *done.notes))
        with workspace.state() as state:
            left = _left_by(state, known)
        if not send(clone, taken.name, lambda fence: _keep(address, taken, clone, left, fence)):
            _finish(address, taken, clone, _FOUND, Receipts())
            raise DroppedError(_FOUND)
    _finish(address, taken, clone, summary, left)
    return summary


def _take_in(address: Address, taken: _Taken, clone: Clone) -> Receipts:
    """Has the job begin where the last one ended, and know what was searched for elsewhere."""
    with opened(address) as fleet:
        fleet.rows("count receipts", **taken.keys, fence=clone.fence)
        known = Receipts(fleet.rows("receipts", **taken.keys))
    chat_store = PostgresChat(address.chat(taken.member.agent))
    with clone.workspace.state() as state, chat_store as chat:
        _begin_after(state, known)
        take_over(state, chat.accesses())
    return known


def _begin_after(state: State, receipts: Receipts) -> None:
    for series, run in receipts.items():
        here = runs.left(state, series)
        if here is None or here.id != run["id"]:
            began, ended = map(datetime.fromisoformat, (run["started"], run["ended"]))
            runs.begin(state, series, run["id"], began, by=run["by"], base=run["base"])
            runs.plan(state, run["id"], run["steps"], heard=run["heard"], marks=run["marks"])
            runs.finish(state, run["id"], ended, run["outcome"])


def _left_by(state: State, known: Receipts) -> Receipts:
    """Those of the runs since; what they told stands in the files."""
    made = filter(None, (runs.left(state, series) for series in runs.lasts(state)))
    new = (run for run in made if run.id != known.get(run.job, {}).get("id"))
    return {run.job: {**run._asdict(), "marks": dict(run.marks), "told": {}} for run in new}


def _clock(now: datetime) -> Callable[[], datetime]:
    """The clock of the database: that of this machine may be an hour off."""
    began = time.monotonic()
    return lambda: now + timedelta(seconds=time.monotonic() - began)


def _accept(workspace: Workspace, member: Member) -> None:
    """Puts in force what the operator has signed, and the fleet's own chat; nothing else."""
    env: Mapping[str, str] = workspace.env
    chat = TrustRow(SETTING, "chat_store", digest(env[_CHAT]))
    rows = [row for row in accepted_by_operator(member, env) if row.name != chat.name]
    change_rows(workspace.caller, workspace.place, lambda _: [*rows, chat])
    workspace.read_config_anew()


def _keep(address: Address, taken: _Taken, clone: Clone, left: Receipts, fence: str) -> None:
    """Keeps what the runs left, by the fence with which it counts."""
    with opened(address) as fleet, fleet.together():
        if fleet.rows("generation", **taken.keys) != [(taken.gen,)]:
            raise DroppedError("A newer generation has taken over.")
        fleet.rows("count receipts", **taken.keys, fence=clone.fence)
        _write_receipts(fleet, taken, left, fence)


def _finish(address: Address, taken: _Taken, clone: Clone, summary: str, left: Receipts) -> None:
    with opened(address) as fleet, fleet.together():
        if not fleet.rows("finish", **taken.keys, summary=summary[:500]):
            raise DroppedError("A newer generation has taken over.")
        # Where nothing was to be pushed, nothing was kept.
        _write_receipts(fleet, taken, left, clone.fence)
        fleet.rows("count receipts", **taken.keys, fence=clone.fence)
        _write_schedule(fleet, taken, clone.workspace.settings)


def _write_receipts(fleet: Fleet, taken: _Taken, left: Receipts, fence: str) -> None:
    for series, run in left.items():
        text = json.dumps(run, default=datetime.isoformat)
        fleet.rows("write receipt", **taken.keys, fence=fence, series=series, run=text)


def _write_schedule(fleet: Fleet, taken: _Taken, settings: Settings) -> None:
    zone, rules = settings.timezone or "UTC", jobs_of(settings)
    fleet.rows("drop schedule", **taken.keys, jobs=[*rules])
    for place, task in enumerate(tasks_of(settings)):
        if rule := rules.get(task.name):
            coming = next_due(rule, taken.now, zoneinfo.ZoneInfo(zone))
            row = {"job": task.name, "place": place, "rule": time_of(task, settings)}
            fleet.rows("write schedule", **taken.keys, **row, zone=zone, next=coming)
