"""`status` and `doctor`: how the workspace is, and what to do next."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import caller, command, find_start, start_folder
from clawgit.cli.options import dry_run_option, options
from clawgit.cli.output import counted
from clawgit.errors import UnsupportedRepoError
from clawgit.ops.health import doctor as op

if TYPE_CHECKING:
    from pathlib import Path


@command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend, and say what was done.")
@dry_run_option
def doctor(fix: bool, dry_run: bool) -> int:
    """Check everything and name each remedy.

    Example: clawgit doctor --fix
    """
    with output.progress("checking") as told:
        report = op.doctor(
            _start(), caller(), fix=fix or dry_run, dry_run=dry_run,
            begun=lambda name: told.phase(f"checking {name}"),
        )  # fmt: skip
    output.emit(report, lambda it: _doctor_text(it, dry_run=dry_run), as_json=options().as_json)
    return 0 if report.ok else 1


def _start() -> "Path":
    try:
        return find_start(caller())
    except UnsupportedRepoError:
        return start_folder()


def _doctor_text(report: op.Report, *, dry_run: bool) -> str:
    width = max(len(check.name) for check in report.checks)
    lines = [line for check in report.checks for line in _check_lines(check, width)]
    lines += [f"{'would ' if dry_run else 'done: '}{what}" for what in report.mended]
    bad = sum(not check.ok for check in report.checks)
    last = (
        click.style(f"{counted(bad, 'problem')} left", fg="red")
        if bad
        else click.style("all is well", fg="green")
    )
    return "\n".join([*lines, last])


def _check_lines(check: op.Check, width: int) -> list[str]:
    sign = click.style("✓", fg="green") if check.ok else click.style("✗", fg="red")
    if check.ok and check.fix:
        sign = click.style("•", fg="yellow")
    lines = [f"{sign} {check.name:<{width}}  {check.detail}"]
    return (
        [*lines, f"  {'':<{width}}  {click.style('→', fg='cyan')} {check.fix}"]
        if check.fix
        else lines
    )
