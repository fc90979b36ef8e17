"""`clawgit run` and `clawgit schedule`."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import (
    caller,
    clock,
    command,
    dry_run_option,
    heed_sigterm,
    moment,
    options,
    shared_options,
    workspace,
)
from clawgit.cli.output import dim, shown

if TYPE_CHECKING:
    from clawgit.ops.runner.jobs import Performed
    from clawgit.ops.runner.runner import Beside, World
    from clawgit.ops.runner.running import Round
    from clawgit.ops.runner.schedule import Schedule, Scheduled
    from clawgit.ops.runner.schedule_install import Installed
    from clawgit.ops.workspace.workspace import Workspace

_DUE = "due"
"""What `--once` without a job stands for."""

_HEAD = ("job", "when", "next", "last")


@command()
@click.option(
    "--once", "job", is_flag=False, flag_value=_DUE, default=None, metavar="[JOB]",
    help="Run what is due, or one job now, and come back.",
)  # fmt: skip
@click.option(
    "--serve",
    "serving",
    is_flag=True,
    help="Keep the memory open for searches too, as `clawgit serve` does.",
)
@click.option(
    "--all",
    "everybody",
    is_flag=True,
    help="Serve every agent that `clawgit workspace list` names.",
)
@click.option("--due", hidden=True, help="The scheduled time that a job is run for.")
def run(job: str | None, serving: bool, everybody: bool, due: str | None) -> None:
    """Run the scheduled jobs, until Ctrl-C: agents, messages, the index.

    Each job runs when it is due, and once where it was missed. `clawgit schedule show` tells what
    comes next.

    Example: clawgit run
    """
    from clawgit.ops.runner.running import once, work  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        if job is not None and job != _DUE:
            output.emit(_performed(ws, job, due), _performed_text, as_json=options().as_json)
            return
        served, over = _served(ws, everybody=everybody), _until_told_to_stop()
        if job == _DUE:
            output.emit(once(served, _world(), over), _round_text, as_json=options().as_json)
            return
        output.note(f"running the jobs of {shown(str(ws.root))}; Ctrl-C ends it")
        work(served, _world(), over, serving=serving)


@click.group("schedule")
@shared_options
def schedule() -> None:
    """Show when each job runs next, and have the system start the runner.

    Example: clawgit schedule show
    """


@command("show")
def show() -> None:
    """Show each job with its last outcome and its next time.

    Example: clawgit schedule show
    """
    from clawgit.ops.runner.schedule import schedule as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        output.emit(op(ws), _schedule_text, as_json=options().as_json)


_kind_option = click.option(
    "--kind", type=click.Choice(["systemd", "launchd", "crontab"]), default=None,
    help="What starts it; else what this system has.",
)  # fmt: skip


@command("install")
@_kind_option
@click.option(
    "--all",
    "everybody",
    is_flag=True,
    help="Serve every agent that `clawgit workspace list` names.",
)
@dry_run_option
def install(kind: str | None, everybody: bool, dry_run: bool) -> None:
    """Have the system start the runner, now and after each boot. Twice is once.

    Example: clawgit schedule install --kind systemd --dry-run
    """
    from clawgit.ops.runner import schedule_install as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        done = op.install(
            ws, kind or "", platform=sys.platform, everybody=everybody, dry_run=dry_run
        )
        output.emit(done, _installed_text, as_json=options().as_json)


@command("uninstall")
@_kind_option
@dry_run_option
def uninstall(kind: str | None, dry_run: bool) -> None:
    """Take away what `install` wrote, and nothing else.

    Example: clawgit schedule uninstall --dry-run
    """
    from clawgit.ops.runner import schedule_install as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        done = op.uninstall(ws, kind or "", platform=sys.platform, dry_run=dry_run)
        output.emit(done, _installed_text, as_json=options().as_json)


for _command in (show, install, uninstall):
    schedule.add_command(_command)


def _performed(ws: "Workspace", job: str, due: str | None) -> "Performed":
    from clawgit.ops.runner.performing import perform  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.runner.schedule import job_name  # noqa: PLC0415

    heed_sigterm()
    return perform(ws, job, clock(), job_name(job, moment(due)) if due else "")


def _served(ws: "Workspace", *, everybody: bool) -> "Callable[[], Sequence[Workspace]]":
    if not everybody:
        return lambda: (ws,)
    from clawgit.ops.workspace.workspaces import agents_served  # noqa: PLC0415 - a command loads what it needs

    last: tuple[Workspace, ...] = ()

    def served() -> "tuple[Workspace, ...]":
        nonlocal last
        last = agents_served(caller(), last)
        return last

    return served


def _world() -> "World":
    from clawgit.ops.runner.runner import World  # noqa: PLC0415 - a command loads what it needs

    return World(clock(), time.monotonic, _started, time.sleep, output.note)


def _started(ws: "Workspace", arguments: "Sequence[str]") -> "Beside":
    from clawgit.stores.child import Child  # noqa: PLC0415 - a command loads what it needs

    return Child(
        [sys.executable, "-m", "clawgit", "-C", str(ws.root), *arguments], ws.root, ws.caller.env
    )


def _until_told_to_stop() -> Callable[[float], bool]:
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: told.set())
    return told.wait


def _performed_text(done: "Performed") -> str:
    names = f"{click.style(' '.join(done.commits), fg='yellow')}  " if done.commits else ""
    notes = (dim(f"note: {shown(note)}") for note in done.notes)
    return "\n".join([f"{names}{done.job}: {shown(done.summary)}", *notes])


def _round_text(round_: "Round") -> str:
    return (
        "\n".join(f"{row.name}: {row.outcome}{_why(row)}" for row in round_.ran) or "nothing is due"
    )


def _schedule_text(seen: "Schedule") -> str:
    rows = [
        [row.name, row.when, _time(row.next) or "-", _time(row.last) or "-", _outcome(row)]
        for row in seen.jobs
    ]
    served = f"runner  {seen.runner or 'none; start one: clawgit run, or clawgit schedule install'}"
    widths = [
        max(map(len, column)) for column in zip(_HEAD, *(row[:4] for row in rows), strict=True)
    ]
    lines = [
        "  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip()
        for row in [[*_HEAD, "outcome"], *rows]
    ]
    return "\n".join([dim(lines[0]), *lines[1:], "", served])


def _outcome(row: "Scheduled") -> str:
    colour = {"done": "green", "failed": "red", "cut off": "red"}.get(row.outcome)
    return click.style(row.outcome or "-", fg=colour) + _why(row)


def _why(row: "Scheduled") -> str:
    return f": {shown(row.trouble)}" if row.trouble else ""


def _time(moment: datetime | None) -> str:
    return f"{moment:%a %Y-%m-%d %H:%M}" if moment else ""


def _installed_text(done: "Installed") -> str:
    if done.dry_run:
        verb = "write" if done.action in ("written", "kept") else "remove"
        return "\n".join([f"would {verb} {shown(done.where)}", *shown(done.text).splitlines()])
    said = {
        "written": "wrote",
        "kept": "stands already in",
        "removed": "removed",
        "absent": "there was none in",
    }
    return "\n".join(
        [
            f"{said[done.action]} {shown(done.where)}",
            *(f"next: {shown(step)}" for step in done.steps),
        ]
    )
