"""`status`: the workspace at a glance."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import command, workspace
from clawgit.cli.options import dry_run_option, options
from clawgit.cli.output import counted, next_step, warned
from clawgit.domain.workspace.layout import LAYOUTS
from clawgit.errors import UsageError
from clawgit.ops.agents.status import JobState, ModelState
from clawgit.ops.workspace import status as op

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALL = ""
"""`--ack` without an id: all alerts."""

_LISTED = 8
"""Files that are listed at most."""


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
    if dry_run and ack is None:
        raise UsageError(
            "--dry-run works only with --ack; status alone changes nothing.", hint="clawgit status"
        )
    with workspace() as opened:
        if ack is None:
            output.emit(op.status(opened), _status_text, as_json=options().as_json)
        else:
            done = op.acknowledge(opened, ack, dry_run=dry_run)
            output.emit(done, _acknowledged_text, as_json=options().as_json)


def _status_text(seen: op.Status) -> str:
    return "\n".join([*_heading(seen), *_alerts(seen), *_edits(seen), *_background(seen)])


def _heading(seen: op.Status) -> list[str]:
    where = click.style(seen.branch or "no branch (detached)", bold=True)
    at = click.style(seen.head[:10], fg="yellow") if seen.head else "no commit yet"
    lines = [f"{where}  {at}  {click.style(str(seen.workspace), dim=True)}"]
    if seen.branch is None and not seen.busy:
        lines += [
            warned("HEAD is on no branch: clawgit commits nothing until it is on one"),
            next_step("git switch NAME, or git switch -c NAME"),
        ]
    if seen.busy:
        lines += [
            warned(f"git is in the middle of {seen.busy}; clawgit waits"),
            next_step("git status"),
        ]
    if seen.conflicted:
        lines.append(warned(f"in conflict: {', '.join(seen.conflicted)}"))
    if seen.parked:
        lines.append(
            f"{counted(len(seen.parked), 'change')} parked until "
            f"{'git is done' if seen.busy else 'HEAD is on a branch'}"
        )
    if seen.lock:
        lines.append(f"locked by {seen.lock}")
    return lines


def _alerts(seen: op.Status) -> list[str]:
    lines = []
    for alert in seen.alerts:
        when = f"  {alert.time:%Y-%m-%d %H:%M}" if alert.time else ""
        lines += [warned(alert.message) + click.style(when, dim=True), next_step(alert.next)]
    return ["", *lines] if lines else []


def _edits(seen: op.Status) -> list[str]:
    gone = set(seen.deleted)
    lines = []
    if seen.dirty:
        rows = [f"  {_edit_mark(path in gone)}  {path}" for path in seen.dirty]
        heading = f"{counted(len(rows), 'file')} not yet committed"
        lines += [heading, *_first(rows), next_step("clawgit snapshot")]
    if seen.skipped:
        rows = [f"  {left.path}  {click.style(left.reason, dim=True)}" for left in seen.skipped]
        lines += ["never committed", *_first(rows)]
    return ["", *(lines or [click.style("everything is committed", fg="green")])]


def _edit_mark(is_gone: bool) -> str:
    return click.style("gone  ", fg="red") if is_gone else "edited"


def _background(seen: op.Status) -> list[str]:
    rows = [
        *zip(["jobs", *[""] * len(seen.jobs)], _jobs_text(seen.jobs), strict=False),
        ("index", seen.index.state),
        ("slots", seen.slots.state),
        ("model", _model_text(seen.model)),
        ("layout", f"{LAYOUTS[seen.layout].title}, {counted(seen.searched, 'file')} searched"),
        ("scope", f"{seen.layout}: {output.scope_text(seen.scope)}"),
    ]
    return ["", *(click.style(f"{name:<7}{text}", dim=True) for name, text in rows)]


def _jobs_text(jobs: "Sequence[JobState]") -> list[str]:
    ran = [_job_text(job) for job in jobs if job.last]
    coming = min((job for job in jobs if job.next), key=lambda job: job.next, default=None)  # type: ignore[arg-type,return-value]
    first = (
        f"next: {coming.job}, {coming.next:%a %H:%M}"
        if coming
        else "no runner: clawgit schedule install"
    )
    return [first, *ran]


def _job_text(job: JobState) -> str:
    trouble = output.shown(job.trouble)
    return f"{job.job:<18} {job.last:%Y-%m-%d %H:%M}  {job.outcome}  {trouble}".rstrip()


def _model_text(model: ModelState) -> str:
    if not model.model:
        return "none, agents go by rules"
    spent = f"{model.model}, {model.tokens_today:,} of {model.cap:,} tokens today"
    return output.shown(f"{spent}, last error: {model.trouble}" if model.trouble else spent)


def _acknowledged_text(done: op.Acknowledged) -> str:
    return (
        f"acknowledged: {', '.join(done.acknowledged)}" if done.acknowledged else "no alert waits"
    )


def _first(rows: list[str]) -> list[str]:
    more = [f"  … and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else []
    return rows[:_LISTED] + more
