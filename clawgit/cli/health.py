"""`status` and `doctor`: how the workspace is, and what to do next."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import (
    caller,
    command,
    dry_run_option,
    find_start,
    options,
    start_folder,
    workspace,
)
from clawgit.errors import UnsupportedRepoError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clawgit.ops.agents.status import JobState, ModelState
    from clawgit.ops.health.doctor import Check, Report
    from clawgit.ops.workspace.status import Acknowledged, Status

_ALL = ""
_LISTED = 8


@command("status")
@click.option(
    "--ack",
    metavar="[ID]",
    is_flag=False,
    flag_value=_ALL,
    help="Acknowledge one alert, or all of them.",
)
@dry_run_option
def status(ack: str | None, dry_run: bool) -> None:
    """Show the workspace at a glance.

    Example: clawgit status
    """
    from clawgit.ops.workspace import status as op  # noqa: PLC0415 - a command loads what it needs

    if dry_run and ack is None:
        raise UsageError(
            "--dry-run belongs to --ack; status alone changes nothing.", hint="clawgit status"
        )
    with workspace() as opened:
        if ack is None:
            output.emit(op.status(opened), _status_text, as_json=options().as_json)
        else:
            output.emit(
                op.acknowledge(opened, ack, dry_run=dry_run),
                _acknowledged_text,
                as_json=options().as_json,
            )


@command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend, and say what was done.")
@dry_run_option
def doctor(fix: bool, dry_run: bool) -> int:
    """Check everything and name each remedy.

    Example: clawgit doctor --fix
    """
    from clawgit.ops.health import doctor as op  # noqa: PLC0415 - a command loads what it needs

    report = op.doctor(_start(), caller(), fix=fix or dry_run, dry_run=dry_run, begun=_progress)
    _progress("")
    output.emit(report, lambda it: _doctor_text(it, dry_run=dry_run), as_json=options().as_json)
    return 0 if report.ok else 1


def _start() -> "Path":
    try:
        return find_start(caller())
    except UnsupportedRepoError:
        return start_folder()


def _progress(name: str) -> None:
    """One line that is overwritten by the next and gone at the end."""
    output.passing(f"checking {name} …" if name else "")


def _status_text(seen: "Status") -> str:
    return "\n".join([*_heading(seen), *_alerts(seen), *_edits(seen), *_to_come(seen)])


def _heading(seen: "Status") -> list[str]:
    where = click.style(seen.branch or "no branch (detached)", bold=True)
    at = click.style(seen.head[:10], fg="yellow") if seen.head else "no commit yet"
    lines = [f"{where}  {at}  {click.style(str(seen.workspace), dim=True)}"]
    if seen.branch is None and not seen.busy:
        lines += [
            _warning("HEAD is on no branch: clawgit commits nothing until it is on one"),
            _next("git switch NAME, or git switch -c NAME"),
        ]
    if seen.busy:
        lines += [
            _warning(f"git is in the middle of {seen.busy}; clawgit waits"),
            _next("git status"),
        ]
    if seen.conflicted:
        lines.append(_warning(f"in conflict: {', '.join(seen.conflicted)}"))
    if seen.parked:
        lines.append(
            f"{_count(len(seen.parked), 'change')} parked until "
            f"{'git is done' if seen.busy else 'HEAD is on a branch'}"
        )
    if seen.lock:
        lines.append(f"locked by {seen.lock}")
    return lines


def _alerts(seen: "Status") -> list[str]:
    lines = []
    for alert in seen.alerts:
        when = f"  {alert.time:%Y-%m-%d %H:%M}" if alert.time else ""
        lines += [_warning(alert.message) + click.style(when, dim=True), _next(alert.next)]
    return ["", *lines] if lines else []


def _edits(seen: "Status") -> list[str]:
    gone = set(seen.deleted)
    rows = [
        f"  {click.style('gone  ', fg='red') if path in gone else 'edited'}  {path}"
        for path in seen.dirty
    ]
    lines = (
        [f"{_count(len(rows), 'file')} not yet committed", *_first(rows), _next("clawgit snapshot")]
        if rows
        else []
    )
    if seen.skipped:
        lines += [
            "never taken",
            *_first([f"  {one.path}  {click.style(one.reason, dim=True)}" for one in seen.skipped]),
        ]
    return ["", *(lines or [click.style("everything is committed", fg="green")])]


def _to_come(seen: "Status") -> list[str]:
    rows = [
        *zip(["jobs", *[""] * len(seen.jobs)], _jobs_text(seen.jobs), strict=False),
        ("index", seen.index.state),
        ("slots", seen.slots.state),
        ("model", _model_text(seen.model)),
        ("scope", f"{seen.layout}: {output.scope_text(seen.scope)}"),
    ]
    return ["", *(click.style(f"{name:<7}{text}", dim=True) for name, text in rows)]


def _jobs_text(jobs: "Sequence[JobState]") -> list[str]:
    ran = [_job_text(one) for one in jobs if one.last]
    coming = min((one for one in jobs if one.next), key=lambda one: one.next, default=None)  # type: ignore[arg-type,return-value]
    first = (
        f"next: {coming.job}, {coming.next:%a %H:%M}"
        if coming
        else "no runner: clawgit schedule install"
    )
    return [first, *ran]


def _job_text(one: "JobState") -> str:
    trouble = output.shown(one.trouble)
    return f"{one.job:<18} {one.last:%Y-%m-%d %H:%M}  {one.outcome}  {trouble}".rstrip()


def _model_text(model: "ModelState") -> str:
    if not model.model:
        return "none, agents go by rules"
    spent = f"{model.model}, {model.tokens_today:,} of {model.cap:,} tokens today"
    return output.shown(f"{spent}, last trouble: {model.trouble}" if model.trouble else spent)


def _acknowledged_text(done: "Acknowledged") -> str:
    return (
        f"acknowledged: {', '.join(done.acknowledged)}" if done.acknowledged else "no alert waits"
    )


def _doctor_text(report: "Report", *, dry_run: bool) -> str:
    width = max(len(check.name) for check in report.checks)
    lines = [line for check in report.checks for line in _check_lines(check, width)]
    lines += [f"{'would ' if dry_run else 'done: '}{what}" for what in report.mended]
    bad = sum(not check.ok for check in report.checks)
    last = (
        click.style(f"{_count(bad, 'problem')} left", fg="red")
        if bad
        else click.style("all is well", fg="green")
    )
    return "\n".join([*lines, last])


def _check_lines(check: "Check", width: int) -> list[str]:
    sign = click.style("✓", fg="green") if check.ok else click.style("✗", fg="red")
    if check.ok and check.fix:
        sign = click.style("•", fg="yellow")
    lines = [f"{sign} {check.name:<{width}}  {check.detail}"]
    return (
        [*lines, f"  {'':<{width}}  {click.style('→', fg='cyan')} {check.fix}"]
        if check.fix
        else lines
    )


def _first(rows: list[str]) -> list[str]:
    more = [f"  … and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else []
    return rows[:_LISTED] + more


def _warning(text: str) -> str:
    return click.style("! ", fg="red", bold=True) + text


def _next(text: str) -> str:
    return f"  {click.style('→', fg='cyan')} {text}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
