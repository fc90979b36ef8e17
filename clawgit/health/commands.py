"""`doctor`: what is wrong, and what to do next; one line if all is well."""

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.core.errors import UnsupportedRepoError
from clawgit.health import doctor as op
from clawgit.terminal import output
from clawgit.terminal.command import Answer, command, dry_run_option, option
from clawgit.terminal.opening import caller, find_start, start_folder
from clawgit.terminal.output import counted, dim, error, good, key, warning

if TYPE_CHECKING:
    from pathlib import Path


_SHOWN = 3
"""How many findings of one check are printed; `--json` has all."""


@command("doctor")
@option("--fix", "Repair what is safe to repair; includes a deep check.")
@option("--deep", "Also read all objects of git.")
@option("--all everything", "Also list the checks that pass.")
@dry_run_option
def doctor(fix: bool, deep: bool, everything: bool, dry_run: bool) -> Answer:
    """Check everything, and say how to fix each problem.

    Example: clawgit doctor --fix
    """
    with output.progress("checking") as progress:
        report = op.doctor(
            _start(), caller(), fix=fix or dry_run, deep=deep, dry_run=dry_run,
            begun=lambda name: progress.phase(f"checking {name}"),
        )  # fmt: skip
    would = "would " if dry_run else "done: "
    return report, lambda checked: _doctor_text(checked, would, everything=everything)


def _start() -> "Path":
    try:
        return find_start(caller())
    except UnsupportedRepoError:
        return start_folder()


def _doctor_text(report: op.Report, would: str, *, everything: bool) -> str:
    listed = [check for check in report.checks if everything or check.fix or not check.ok]
    width = max((len(check.name) for check in listed), default=0)
    lines = []
    for name, checks in groupby(listed, key=attrgetter("name")):
        lines += _lines_of(name, [*checks], width)
    lines += map(would.__add__, report.mended)
    return "\n".join([*lines, _verdict(report)])


def _lines_of(name: str, checks: list[op.Check], width: int) -> list[str]:
    lines = [line for check in checks[:_SHOWN] for line in _check_lines(check, width)]
    if len(checks) > _SHOWN:
        lines.append(dim(f"  {name}: {len(checks) - _SHOWN} more"))
    return lines


def _check_lines(check: op.Check, width: int) -> list[str]:
    sign = error("✗")
    if check.ok:
        sign = warning("•") if check.fix else good("✓")
    line = f"{sign} {check.name:<{width}}  {check.detail}"
    return [line, f"{'':<{width + 4}}{key('→')} {check.fix}"] if check.fix else [line]


def _verdict(report: op.Report) -> str:
    bad = {check.name for check in report.checks if not check.ok}
    if bad:
        return error(f"{counted(len(bad), 'problem')} left")
    return good(f"{counted(len({check.name for check in report.checks}), 'check')} pass")
