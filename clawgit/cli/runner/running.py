"""`clawgit run` and `clawgit schedule`."""

import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from clawgit import garbage
from clawgit.cli import output
from clawgit.cli.command_table import COMMANDS
from clawgit.cli.lazy import LazyGroup
from clawgit.cli.opening import caller, clock, heed_sigterm, moment, workspace
from clawgit.cli.options import shared_options
from clawgit.cli.output import notes, shown
from clawgit.ops.runner.jobs import Performed
from clawgit.ops.runner.performing import perform
from clawgit.ops.runner.runner import Beside, World
from clawgit.ops.runner.running import Round, once, work
from clawgit.ops.runner.schedule import job_name
from clawgit.ops.workspace.workspaces import agents_served
from clawgit.resources import own_program
from clawgit.stores.child import Child

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace


_DUE = "due"
"""The value of `--once` without a job."""


@click.group(cls=LazyGroup, row=COMMANDS["run"], invoke_without_command=True)
@shared_options
@click.option(
    "--once", "job", is_flag=False, flag_value=_DUE, default=None, metavar="[JOB]",
    help="Run what is due, or one job now, and exit.",
)  # fmt: skip
@click.option(
    "--serve",
    "serving",
    is_flag=True,
    help="Keep the memory open for searches too, as `clawgit run serve` does.",
)
@click.option(
    "--all",
    "everybody",
    is_flag=True,
    help="Serve every agent that `clawgit workspace list` names.",
)
@click.option("--due", hidden=True, help="The scheduled time for which a job is run.")
@click.pass_context
def run(
    context: click.Context, job: str | None, serving: bool, everybody: bool, due: str | None
) -> None:
    """Run the scheduled jobs, until Ctrl-C.

    It runs the agents, imports messages, commits edits and updates the index. Each job runs when it
    is due, and once if it was missed. `clawgit schedule show` shows what comes next.

    Example: clawgit run
    """
    if context.invoked_subcommand is not None:
        return
    with workspace() as ws:
        if job is not None and job != _DUE:
            output.emit(_performed(ws, job, due), _performed_text)
            return
        served, over = _served(ws, everybody=everybody), _until_told_to_stop()
        if job == _DUE:
            done = once(served, _world(), over)
            output.emit(done, _round_text)
            context.exit(0 if done.is_done else 1)
        output.note(f"running the jobs of {shown(str(ws.root))}; Ctrl-C ends it")
        garbage.look_often()
        work(served, _world(), over, serving=serving)


def _performed(ws: "Workspace", job: str, due: str | None) -> Performed:

    heed_sigterm()
    return perform(ws, job, clock(), job_name(job, moment(due)) if due else "")


def _served(ws: "Workspace", *, everybody: bool) -> "Callable[[], Sequence[Workspace]]":
    if not everybody:
        return lambda: (ws,)

    last: tuple[Workspace, ...] = ()

    def served() -> "tuple[Workspace, ...]":
        nonlocal last
        last = agents_served(caller(), last)
        return last

    return served


def _world() -> World:

    return World(clock(), time.monotonic, _started, time.sleep, output.note)


def _started(ws: "Workspace", arguments: "Sequence[str]") -> Beside:

    command = [*own_program(), "-C", str(ws.root), *arguments]
    return Child(command, ws.root, ws.caller.env).start()


def _until_told_to_stop() -> Callable[[float], bool]:
    stop = threading.Event()
    # SIGHUP too: when its terminal is closed, the runner ends as it does with Ctrl-C.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    return stop.wait


def _performed_text(done: Performed) -> str:
    names = f"{output.ident(' '.join(done.commits))}  " if done.commits else ""
    return "\n".join([f"{names}{done.job}: {shown(done.summary)}", *notes(done.notes)])


def _round_text(round_: Round) -> str:
    rows = [f"{row.name}: {row.outcome}{output.after_colon(row.trouble)}" for row in round_.ran]
    told = (*map(shown, round_.failed), *round_.corrected)
    return "\n".join([*(rows or ["nothing is due"]), *told])
