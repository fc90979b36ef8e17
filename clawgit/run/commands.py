"""`run`: the jobs, the calls that wait for agents, and the processes that stay: serve and watch.
`schedule`: when jobs run, and the system unit that starts the runner. `digest`: what was learned.
"""

import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from clawgit.core import surroundings
from clawgit.core.disk.program import Child
from clawgit.core.doors import html
from clawgit.core.errors import UsageError
from clawgit.core.resources import own_program
from clawgit.run import schedule_install
from clawgit.run.runner import World, once, work
from clawgit.run.schedule import Performed, Schedule, job_name
from clawgit.run.schedule import schedule as schedule_of
from clawgit.terminal import output
from clawgit.terminal.command import Answer, Answers, command, dry_run_option, group, option
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import caller, clock, heed_sigterm, moment
from clawgit.terminal.output import counted, dim, notes
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.run.digest import Digest
    from clawgit.run.heartbeat import Queues, Taken

_DUE = "due"
"""The value of `--once` without a job."""

_ALL = ""
"""The value of `--queue` without a name."""

_SETTLED = 2.0
"""Seconds without an edit, after which edits are committed."""

_IDENT = click.IntRange(1, 2**63 - 1)
_NO_CALL = "no call is waiting"


@command("run")
@option("--once [JOB] job", "Run what is due, or one job now, and exit.", flag_value=_DUE)
@option(
    "--queue [ID|NAME]",
    "Run the agents and scripts of the calls that wait, and exit; with ID, try that call again; "
    "with NAME, take the next call from a queue of your own.",
    flag_value=_ALL,
)
@option("--drop ID", "Remove a call that waits.", type=_IDENT)
@option("--serve", "Also answer searches, from a memory that stays open.")
@option("--watch", "Only commit edits, when they settle.")
@option("--due T", "The scheduled time for which a job is run.", hidden=True)
@dry_run_option
def run(
    ws: Workspace, job: str | None, queue: str | None, drop: int | None, due: str, *, serve: bool,
    watch: bool,
) -> Answer | int:  # fmt: skip
    """Run the scheduled jobs, until Ctrl-C.

    It runs the agents, imports messages, commits edits and updates the index. Each job runs when it
    is due, and once if it was missed. `clawgit schedule show` shows what comes next. With --queue
    --dry-run, it lists the calls that wait for agents.

    Example: clawgit run
    """
    if ws.dry_run and queue is None and drop is None:
        raise UsageError("--dry-run goes with --queue or --drop.", hint="clawgit schedule show")
    if watch:
        return _watched(ws, _SETTLED)
    if drop is not None:
        return _settled(ws, drop, drop=True)
    if queue is not None:
        return _queue_worked(ws, queue)
    if job is None:
        # First, so that whoever has read the line may end it.
        over = _until_told_to_stop()
        output.tell(f"running the jobs of {ws.root}; Ctrl-C ends it")
        surroundings.look_often()
        work(ws, _world(), over, serving=serve)
        return 0
    if job == _DUE:
        return once(ws, _world(), _until_told_to_stop()), partial(
            output.told, nothing="nothing is due"
        )
    heed_sigterm()
    at = job_name(job, moment(due)) if due else ""
    return load("run.performing:perform")(ws, job, clock(), at), _performed_text


def _queue_worked(ws: Workspace, name: str) -> Answer | int:
    """Works the calls that wait, tries one again, or takes the next one of a queue."""
    if name.isdecimal():
        return _settled(ws, _IDENT(name))
    waiting = load("run.heartbeat:queues")(ws)
    if ws.dry_run:
        return waiting, _waiting_text
    if name:
        load("run.heartbeat:take")(ws, name, _tell_taken, clock())
        return 0
    heed_sigterm()
    troubles = load("run.heartbeat:follow_up")(ws, clock())
    return {"troubles": troubles}, lambda done: _worked_text(done, len(waiting.items))


def _settled(ws: Workspace, ident: int, **how: bool) -> Answer:
    return load("run.heartbeat:settle")(ws, ident, **how), _waiting_text


def _tell_taken(taken: "Taken") -> None:
    # Printed before the call is marked as taken: whoever reads it may be gone.
    output.emit(taken, lambda taken: taken.call.message.text if taken.call else dim(_NO_CALL))
    sys.stdout.flush()


def _worked_text(done: Mapping[str, Any], waiting: int) -> str:
    if not waiting:
        return dim(_NO_CALL)
    started = f"{counted(waiting, 'call')} waited: their agents and scripts were started"
    return "\n".join([started, *done["troubles"]])


def _waiting_text(listing: "Queues") -> str:
    return output.told(listing, without="tries session", nothing=_NO_CALL)


def _world() -> World:
    return World(clock(), time.monotonic, _started, output.tell)


def _started(ws: Workspace, arguments: Sequence[str]) -> Child:
    command = own_program("-C", str(ws.root), *arguments)
    return Child(command, ws.root, ws.env).start()


def _until_told_to_stop() -> Callable[[float], bool]:
    stop = threading.Event()
    # SIGHUP too: when its terminal is closed, the runner ends as it does with Ctrl-C.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    return stop.wait


def _performed_text(done: Performed) -> str:
    names = f"{output.ident(' '.join(done.commits))}  " if done.commits else ""
    return "\n".join([f"{names}{done.job}: {done.summary}", *notes(done.notes)])


@command("serve")
def serve(ws: Workspace) -> None:
    """Keep the memory open and answer searches, until Ctrl-C; run no jobs.

    While it runs, `clawgit memory search` and `clawgit context` ask this process; both work the
    same without it.

    Example: clawgit serve
    """
    surroundings.look_often()
    service = load("search.serve:Service")(
        clock=clock(),
        encoded=output.jsonable,
        ready=lambda path: output.tell(f"answering on {path}; Ctrl-C ends it"),
    )
    load("search.serve:serve")(ws, service)


@command("watch")
@option("--settle S", "", type=click.FloatRange(min=0.01), default=_SETTLED, hidden=True)
@option("--once", "End after the first snapshot.")
def watch(ws: Workspace, settle: float, once: bool) -> Answer:
    """Commit edits, when they settle, until Ctrl-C.

    Edits made before the start are committed first. Needs the extra `watch`.

    Example: clawgit run --watch
    """
    return _watched(ws, settle, once=once)


def _watched(ws: Workspace, settle: float, *, once: bool = False) -> Answer:
    moments = load("history.watch:settled")(ws.root, settle)
    snapshots = load("history.watch:snapshots")
    output.tell(f"watching {ws.root}; Ctrl-C ends it")
    taken = []
    try:
        for snapshot in snapshots(ws, moments, lambda: caller().now, output.tell):
            taken.append(snapshot)
            output.tell(f"{snapshot.time:%H:%M:%S} {snapshot.id}: {', '.join(snapshot.changed)}")
            if once:
                break
    except KeyboardInterrupt:
        output.note("")
    watched = load("history.watch:Watched")(ws.root, tuple(taken))
    return watched, lambda _: f"{counted(len(taken), 'snapshot')} taken"


@group("schedule")
def schedule(ws: Workspace) -> Answer:
    """Show when each job runs; have the system start the runner.

    Example: clawgit schedule show
    """
    return schedule_of(ws), _schedule_text


@command("show")
def show(ws: Workspace) -> Answer:
    """Show each job with its last outcome and its next time.

    Example: clawgit schedule show
    """
    return schedule_of(ws), _schedule_text


_kind_option = option(
    "--kind", "What starts the runner.  [default: what this system has]",
    type=click.Choice(["systemd", "launchd"]),
)  # fmt: skip


@command("install", verbatim=True)
@_kind_option
@dry_run_option
def install(ws: Workspace, **typed: Any) -> Answer:
    """Have the system start the runner, now and after each boot.

    Installing it again restarts the runner.

    Example: clawgit schedule install --kind systemd --dry-run
    """
    return schedule_install.install(ws, **typed, platform=sys.platform), _installed_text


@command("uninstall")
@_kind_option
@dry_run_option
def uninstall(ws: Workspace, **typed: Any) -> Answer:
    """Remove what `install` wrote, and nothing else.

    Example: clawgit schedule uninstall --dry-run
    """
    return schedule_install.uninstall(ws, **typed, platform=sys.platform), _installed_text


def _schedule_text(listing: Schedule) -> str:
    text = output.told(listing, without="does failures")
    start = output.next_step("nothing runs them: clawgit run, or clawgit schedule install")
    return text if listing.runner else f"{text}\n{start}"


def _installed_text(done: schedule_install.Installed) -> str:
    # `install` prints what a program may read, so names are made visible here.
    rows = [f"{'would be ' if done.dry_run else ''}{done.action}: {output.shown(done.where)}"]
    rows += [output.shown(done.text)] if done.dry_run else []
    return "\n".join([*rows, *(f"next: {output.shown(step)}" for step in done.steps)])


@command()
@option("--since WHEN", "From this date or time on.  [default: a week ago]")
@option("--send sending", "Send it to digest_to: to each address what it has not received yet.")
@dry_run_option
def digest(ws: Workspace, since: str, sending: bool) -> Answers:
    """Show what was learned in the last week, or since a day.

    All of it comes from git. The runner sends it to digest_to, if that is set, at 08:00.

    Example: clawgit digest --since "4 weeks ago"
    """
    done = load("run.digest:digest")(ws, since)
    if sending:
        done = done._replace(sent=load("run.digest:deliver")(ws, ws.now, since))
    yield done, _digest_text
    yield int(any(delivery.outcome == "failed" for delivery in done.sent))


def _digest_text(done: "Digest") -> str:
    text = load("run.digest:markdown")(done)
    if sys.stdout.isatty():
        # A person reads it without the signs that keep words from being Markdown.
        text = html.unescape(_ESCAPED.sub(r"\1", text))
    told = [
        _OUTCOMES[each.outcome].format(each.to) + (each.trouble and f": {each.trouble}")
        for each in done.sent
    ]
    return "\n".join([text, *(told or [done.delivery])])


_OUTCOMES = {
    "sent": "sent to {}", "failed": "not sent to {}", "nothing": "nothing new for {}",
    "kept": "{} already has it",
    "unsent": "would be sent to {}",
}  # fmt: skip

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
