"""`schedule`: when jobs run, and the system unit that starts the runner."""

import sys
from datetime import datetime

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option
from clawgit.cli.lazy import group
from clawgit.cli.opening import workspace
from clawgit.cli.output import dim, error, good, shown
from clawgit.cli.text import table
from clawgit.ops.runner import schedule_install
from clawgit.ops.runner.schedule import Schedule, Scheduled
from clawgit.ops.runner.schedule import schedule as schedule_of

_HEAD = ("job", "when", "next", "last", "outcome")


@group("schedule")
def schedule() -> None:
    """Show when each job runs; have the system start the runner.

    Example: clawgit schedule show
    """
    _show()


@command("show")
def show() -> None:
    """Show each job with its last outcome and its next time.

    Example: clawgit schedule show
    """
    _show()


def _show() -> None:
    with workspace() as ws:
        output.emit(schedule_of(ws), _schedule_text)


_kind_option = click.option(
    "--kind", type=click.Choice(["systemd", "launchd"]), default=None,
    help="What starts the runner.  [default: what this system has]",
)  # fmt: skip


@command("install")
@_kind_option
@dry_run_option
def install(kind: str | None, dry_run: bool) -> None:
    """Have the system start the runner, now and after each boot.

    Installing it again changes nothing.

    Example: clawgit schedule install --kind systemd --dry-run
    """
    with workspace() as ws:
        done = schedule_install.install(ws, kind or "", platform=sys.platform, dry_run=dry_run)
        output.emit(done, _installed_text, verbatim=True)


@command("uninstall")
@_kind_option
@dry_run_option
def uninstall(kind: str | None, dry_run: bool) -> None:
    """Remove what `install` wrote, and nothing else.

    Example: clawgit schedule uninstall --dry-run
    """
    with workspace() as ws:
        done = schedule_install.uninstall(ws, kind or "", platform=sys.platform, dry_run=dry_run)
        output.emit(done, _installed_text)


def _schedule_text(listing: Schedule) -> str:
    rows = [
        [row.name, row.when, _time(row.next) or "-", _time(row.last) or "-", _outcome(row)]
        for row in listing.jobs
    ]
    runner = listing.runner or "none; start one: clawgit run, or clawgit schedule install"
    return "\n".join([*table([[*map(dim, _HEAD)], *rows]), "", f"runner  {runner}"])


def _outcome(row: Scheduled) -> str:
    style = {"done": good, "failed": error, "cut off": error}.get(row.outcome, output.plain)
    return style(f"{row.outcome or '-'}{output.after_colon(row.trouble)}")


def _time(moment: datetime | None) -> str:
    return f"{moment:%a %Y-%m-%d %H:%M}" if moment else ""


def _installed_text(done: schedule_install.Installed) -> str:
    if done.dry_run:
        verb = "write" if done.action in ("written", "kept") else "remove"
        return "\n".join([f"would {verb} {shown(done.where)}", *shown(done.text).splitlines()])
    outcome = {
        "written": "wrote",
        "kept": "already installed:",
        "removed": "removed",
        "absent": "not installed:",
    }[done.action]
    steps = (f"next: {shown(step)}" for step in done.steps)
    return "\n".join([f"{outcome} {shown(done.where)}", *steps])
