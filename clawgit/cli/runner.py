"""`run`: the jobs, the calls that wait for agents, and the processes that stay: serve and watch."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from clawgit import garbage
from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option
from clawgit.cli.loading import load
from clawgit.cli.opening import caller, clock, heed_sigterm, moment, workspace
from clawgit.cli.output import counted, dim, notes, one_line, shown
from clawgit.cli.text import cut, table
from clawgit.errors import UsageError
from clawgit.ops.runner.runner import Beside, Round, World, once, work
from clawgit.ops.runner.schedule import job_name
from clawgit.resources import own_program
from clawgit.stores.child import Child

if TYPE_CHECKING:
    from clawgit.ops.change.watch import WatchedSnapshot
    from clawgit.ops.conversation.queue import Queues, SettledCalls, Taken, WaitingCall
    from clawgit.ops.runner.jobs import Performed
    from clawgit.ops.workspace.workspace import Workspace

_DUE = "due"
"""The value of `--once` without a job."""

_ALL = ""
"""The value of `--queue` without a name."""

_SHOWN = 70
"""How many columns of a message the list of calls shows."""


_SETTLED = 2.0
"""Seconds without an edit, after which edits are committed."""

_IDENT = click.IntRange(1, 2**63 - 1)


@command("run")
@click.option(
    "--once", "job", is_flag=False, flag_value=_DUE, default=None, metavar="[JOB]",
    help="Run what is due, or one job now, and exit.",
)  # fmt: skip
@click.option(
    "--queue", is_flag=False, flag_value=_ALL, default=None, metavar="[ID|NAME]",
    help="Run the agents and scripts of the calls that wait, and exit; with ID, try that call "
         "again; with NAME, take the next call from a queue of your own.",
)  # fmt: skip
@click.option("--drop", type=_IDENT, metavar="ID", help="Remove a call that waits.")
@click.option("--serve", is_flag=True, help="Also answer searches, from a memory that stays open.")
@click.option("--watch", is_flag=True, help="Only commit edits, when they settle.")
@click.option("--due", hidden=True, help="The scheduled time for which a job is run.")
@dry_run_option
def run(
    job: str | None, queue: str | None, drop: int | None, due: str | None, *, serve: bool,
    watch: bool, dry_run: bool,
) -> int:  # fmt: skip
    """Run the scheduled jobs, until Ctrl-C.

    It runs the agents, imports messages, commits edits and updates the index. Each job runs when it
    is due, and once if it was missed. `clawgit schedule show` shows what comes next. With --queue
    --dry-run, it lists the calls that wait for agents.

    Example: clawgit run
    """
    if dry_run and queue is None and drop is None:
        raise UsageError("--dry-run goes with --queue or --drop.", hint="clawgit schedule show")
    if watch:
        _watch_edits()
        return 0
    with workspace() as ws:
        if drop is not None:
            _settle(ws, "drop", drop, dry_run=dry_run)
        elif queue is not None:
            _work_queue(ws, queue, dry_run=dry_run)
        elif job is not None and job != _DUE:
            output.emit(_performed(ws, job, due), _performed_text)
        else:
            return _run_jobs(ws, only_due=job == _DUE, serve=serve)
    return 0


def _run_jobs(ws: "Workspace", *, only_due: bool, serve: bool) -> int:
    over = _until_told_to_stop()
    if only_due:
        done = once(ws, _world(), over)
        output.emit(done, _round_text)
        return 0 if done.is_done else 1
    output.note(f"running the jobs of {shown(str(ws.root))}; Ctrl-C ends it")
    garbage.look_often()
    work(ws, _world(), over, serving=serve)
    return 0


def _work_queue(ws: "Workspace", name: str, *, dry_run: bool) -> None:
    """Works the calls that wait, tries one again, or takes the next one of a queue."""
    if name.isdecimal():
        _settle(ws, "retry", _IDENT(name), dry_run=dry_run)
        return
    waiting = load("clawgit.ops.conversation.queue:queues")(ws)
    if dry_run:
        output.emit(waiting, _waiting_text)
    elif name:
        load("clawgit.ops.conversation.queue:take")(ws, name, _tell_taken, clock())
    else:
        heed_sigterm()
        troubles = load("clawgit.ops.conversation.heartbeat:follow_up")(ws, clock())
        done = load("clawgit.ops.conversation.heartbeat:FollowedUp")(troubles)
        output.emit(done, lambda done: _worked_text(done, len(waiting.items)))


def _settle(ws: "Workspace", how: str, ident: int, *, dry_run: bool) -> None:
    settle = load(f"clawgit.ops.conversation.queue:{how}")
    output.emit(settle(ws, ident, dry_run=dry_run), _waiting_text)


def _tell_taken(taken: "Taken") -> None:
    output.emit(
        taken, lambda taken: shown(taken.call.message.text) if taken.call else dim(_NO_CALL)
    )
    sys.stdout.flush()


_NO_CALL = "no call is waiting"


def _worked_text(done: Any, waiting: int) -> str:
    if not waiting:
        return dim(_NO_CALL)
    started = f"{counted(waiting, 'call')} waited: their agents and scripts were started"
    return "\n".join([started, *done.troubles])


def _waiting_text(listing: "Queues | SettledCalls") -> str:
    return "\n".join(table([*map(_cells, listing.items)])) or dim(_NO_CALL)


def _cells(item: "WaitingCall") -> list[str]:
    state = "set aside" if item.aside else "in progress" if item.held else ""
    text = cut(one_line(item.text), _SHOWN)
    since = dim(f"{item.since:%Y-%m-%d %H:%M}")
    return [
        str(item.id),
        since,
        output.key(shown(item.queue)),
        state,
        text,
        dim(shown(item.trouble)),
    ]


def _performed(ws: "Workspace", job: str, due: str | None) -> "Performed":
    heed_sigterm()
    done: Performed = load("clawgit.ops.runner.performing:perform")(
        ws, job, clock(), job_name(job, moment(due)) if due else ""
    )
    return done


def _world() -> World:
    return World(clock(), time.monotonic, _started, time.sleep, output.tell)


def _started(ws: "Workspace", arguments: "Sequence[str]") -> Beside:
    command = [*own_program(), "-C", str(ws.root), *arguments]
    return Child(command, ws.root, ws.caller.env).start()


def _until_told_to_stop() -> Callable[[float], bool]:
    stop = threading.Event()
    # SIGHUP too: when its terminal is closed, the runner ends as it does with Ctrl-C.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    return stop.wait


def _performed_text(done: "Performed") -> str:
    names = f"{output.ident(' '.join(done.commits))}  " if done.commits else ""
    return "\n".join([f"{names}{done.job}: {shown(done.summary)}", *notes(done.notes)])


def _round_text(round_: Round) -> str:
    if round_.runner:
        return f"{shown(round_.runner)} runs the jobs here"
    rows = [f"{row.name}: {row.outcome}{output.after_colon(row.trouble)}" for row in round_.ran]
    return "\n".join([*(rows or ["nothing is due"]), *round_.failed])


@command("serve")
@click.option("--socket", is_flag=True, hidden=True)
def serve(socket: bool) -> None:  # noqa: ARG001 - scripts and units give it
    """Keep the memory open and answer searches, until Ctrl-C; run no jobs.

    While it runs, `clawgit memory search` asks this process, and an agent's `clawgit memory add`
    writes through it; both work the same without it. A chat runtime can send its messages to the
    socket too; see docs/chat.md.

    Example: clawgit serve
    """
    garbage.look_often()
    tick = clock()
    opened_by = load("clawgit.ops.search.service:Open")
    with workspace() as ws:
        service = load("clawgit.ops.search.serve:Service")(
            opened=lambda opened: opened_by(opened, tick, output.tell),
            clock=tick,
            encoded=output.jsonable,
            ready=lambda path: output.tell(f"answering on {path}; Ctrl-C ends it"),
        )
        load("clawgit.ops.search.serve:serve")(ws, service)


@command("watch")
@click.option("--settle", type=click.FloatRange(min=0.01), default=_SETTLED, hidden=True)
@click.option("--once", is_flag=True, help="End after the first snapshot.")
def watch(settle: float, once: bool) -> None:
    """Commit edits, when they settle, until Ctrl-C.

    Edits made before the start are committed first. Needs the extra `watch`.

    Example: clawgit run --watch
    """
    _watch_edits(settle, once=once)


def _watch_edits(settle: float = _SETTLED, *, once: bool = False) -> None:
    module = "clawgit.ops.change.watch"
    with workspace() as opened:
        batches = load(f"{module}:batches")(opened.root, settle)
        moments = load(f"{module}:settled")(batches, settle, time.monotonic)
        taken: list[WatchedSnapshot] = []
        output.tell(f"watching {opened.root}; Ctrl-C ends it")
        try:
            for snapshot in load(f"{module}:snapshots")(
                opened, moments, lambda: caller().now, output.tell
            ):
                taken.append(snapshot)
                output.tell(
                    f"{snapshot.time:%H:%M:%S} {snapshot.id}: {', '.join(snapshot.changed)}"
                )
                if once:
                    break
        except KeyboardInterrupt:
            output.note("")
        watched = load(f"{module}:Watched")(opened.root, tuple(taken))
        output.emit(watched, lambda _: f"{counted(len(taken), 'snapshot')} taken")
