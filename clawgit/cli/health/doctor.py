"""`doctor`: what is wrong, and what to do next; one line if all is well."""

from itertools import groupby
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.columns import Styled, terminal_width, wrapped
from clawgit.cli.command import command
from clawgit.cli.opening import caller, find_start, start_folder
from clawgit.cli.options import dry_run_option
from clawgit.cli.output import counted, dim, error, good, key, warning
from clawgit.errors import UnsupportedRepoError
from clawgit.ops.health import doctor as op

if TYPE_CHECKING:
    from pathlib import Path

_SHOWN = 3
"""How many findings of one check are printed; `--json` has all."""


@command("doctor")
@click.option("--fix", is_flag=True, help="Repair what is safe to repair; includes a deep check.")
@click.option("--deep", is_flag=True, help="Also read all objects and all commits.")
@click.option("--all", "everything", is_flag=True, help="Also list the checks that pass.")
@dry_run_option
def doctor(fix: bool, deep: bool, everything: bool, dry_run: bool) -> int:
    """Check everything, and say how to fix each problem.

    Example: clawgit doctor --fix
    """
    with output.progress("checking") as progress:
        report = op.doctor(
            _start(),
            caller(),
            fix=fix or dry_run,
            deep=deep,
            dry_run=dry_run,
            begun=lambda name: progress.phase(f"checking {name}"),
        )
    output.emit(
        report, lambda checked: _doctor_text(checked, everything=everything, dry_run=dry_run)
    )
    return 0 if report.ok else 1


def _start() -> "Path":
    try:
        return find_start(caller())
    except UnsupportedRepoError:
        return start_folder()


def _doctor_text(report: op.Report, *, everything: bool, dry_run: bool) -> str:
    listed = report.checks if everything else tuple(filter(_needs_eye, report.checks))
    width = max((len(check.name) for check in listed), default=0)
    lines: list[str] = []
    for name, checks in groupby(listed, key=lambda check: check.name):
        rows = [*checks]
        for check in rows[:_SHOWN]:
            lines += _check_lines(check, width)
        if len(rows) > _SHOWN:
            lines.append(dim(f"  {name}: {len(rows) - _SHOWN} more"))
    opening = "would " if dry_run else "done: "
    lines += [f"{opening}{what}" for what in report.mended]
    return "\n".join([*lines, _verdict(report)])


def _needs_eye(check: op.Check) -> bool:
    return not check.ok or bool(check.fix)


def _verdict(report: op.Report) -> str:
    bad = {check.name for check in report.checks if not check.ok}
    if bad:
        return error(f"{counted(len(bad), 'problem')} left")
    return good(f"{counted(len({check.name for check in report.checks}), 'check')} pass")


def _check_lines(check: op.Check, width: int) -> list[str]:
    sign = good("✓") if check.ok else error("✗")
    if check.ok and check.fix:
        sign = warning("•")
    room = terminal_width() - width - 4
    first, *more = wrapped([Styled(check.detail, output.plain)], room)
    lines = [f"{sign} {check.name:<{width}}  {first}", *more]
    if check.fix:
        step, *rest = wrapped([Styled(check.fix, output.plain)], room - 2)
        lines += [f"{key('→')} {step}", *(f"  {row}" for row in rest)]
    blank = " " * (width + 4)
    return [lines[0], *(blank + row for row in lines[1:])]
