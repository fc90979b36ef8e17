"""`status`: the workspace at a glance; one line if all is well.
`doctor`: what is wrong, and what to do next; one line if all is well.
"""

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.core.errors import UnsupportedRepoError, few
from clawgit.git.dirt import TO_A_BRANCH
from clawgit.health import status as op
from clawgit.terminal import output
from clawgit.terminal.command import Answer, command, dry_run_option, option
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import caller, find_start, start_folder
from clawgit.terminal.output import (
    counted,
    dim,
    error,
    good,
    heading,
    ident,
    key,
    next_step,
    warned,
    warning,
)
from clawgit.terminal.text import options
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.health.doctor import Check, Report

_HELD_BACK = "secret "
"""How the reason begins why a file with a secret is not committed."""

_ALL = ""
"""`--ack` without an id: all alerts."""

_LISTED = 8
_MORE = "  … and {} more"
"""How many files, or alerts, are listed without `--all`."""


@command("status")
@option("--ack [ID]", "Acknowledge one alert, or all of them.", flag_value=_ALL)
@option("--all everything", "Also jobs, index, model and scope, in full.")
@dry_run_option
def status(ws: Workspace, ack: str | None, everything: bool) -> Answer:
    """Show the workspace at a glance.

    Example: clawgit status
    """
    if ack is not None:
        return (
            load("safety.alerts:acknowledge")(ws, ack),
            lambda done: (
                f"acknowledged: {', '.join(done.acknowledged)}"
                if done.acknowledged
                else "no alerts"
            ),
        )
    is_whole = everything or options().as_json
    seen = load("health.overview:overview")(ws) if is_whole else op.status(ws)
    return seen, lambda overview: _status_text(overview, everything=everything)


def _status_text(seen: op.Status, *, everything: bool) -> str:
    most = len(seen.dirty) + len(seen.skipped) + len(seen.alerts) if everything else _LISTED
    blocks = [
        [_first_line(seen), *_to_sync(seen), *_blocked(seen)],
        _alerts(seen, most),
        _edits(seen, most),
        _background(seen) if everything else [],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _to_sync(seen: op.Status) -> list[str]:
    """What a sync would send and bring in, by the last fetch."""
    standing = seen.sync
    if standing is None or not (standing.ahead or standing.behind):
        return []
    ahead = f"{counted(standing.ahead, 'commit')} ahead of {standing.remote}"
    behind = f", {standing.behind:,} behind" if standing.behind else ""
    return [f"{ahead}{behind}: clawgit sync"]


def _first_line(seen: op.Status) -> str:
    parts = [
        heading(seen.branch or "no branch (detached)"),
        ident(seen.head[:10]) if seen.head else "no commit yet",
    ]
    if not (seen.dirty or seen.skipped or seen.conflicted):
        parts.append(good("everything is committed"))
    return "  ".join([*parts, dim(str(seen.workspace))])


def _blocked(seen: op.Status) -> list[str]:
    """Why clawgit commits nothing now, and what waits for that."""
    lines = []
    if seen.busy:
        lines += [
            warned(f"git is in the middle of {seen.busy}; clawgit waits"),
            next_step("git status"),
        ]
    elif seen.branch is None:
        lines += [
            warned("HEAD is on no branch: clawgit commits nothing until it is on one"),
            next_step(TO_A_BRANCH),
        ]
    if seen.conflicted:
        lines.append(warned(f"in conflict: {', '.join(seen.conflicted)}"))
    if seen.parked:
        until = "git is done" if seen.busy else "HEAD is on a branch"
        lines.append(f"{counted(len(seen.parked), 'change')} parked until {until}")
    if seen.lock:
        lines.append(f"locked by {seen.lock}")
    return lines


def _alerts(seen: op.Status, most: int) -> list[str]:
    rows = [
        f"{warned(alert.message)}{dim(f'  {alert.time:%Y-%m-%d %H:%M}' if alert.time else '')}"
        f"\n{next_step(alert.next)}"
        for alert in seen.alerts
    ]
    return few(rows, most, _MORE)


def _edits(seen: op.Status, most: int) -> list[str]:
    lines = _uncommitted(seen, most) if seen.dirty else []
    # A file with a secret has an alert.
    skipped = [left for left in seen.skipped if not left.reason.startswith(_HELD_BACK)]
    if skipped:
        rows = [f"  {left.path}  {dim(output.inline(left.reason))}" for left in skipped]
        lines += ["never committed", *few(rows, most, _MORE)]
    return lines


def _uncommitted(seen: op.Status, most: int) -> list[str]:
    gone = {*seen.deleted}
    rows = [f"  {error('gone  ') if path in gone else 'edited'}  {path}" for path in seen.dirty]
    lines = [f"{counted(len(rows), 'file')} not yet committed", *few(rows, most, _MORE)]
    # Otherwise `snapshot` would refuse, and the first lines say what to do.
    may_commit = seen.branch and not seen.busy
    return [*lines, next_step("clawgit snapshot")] if may_commit else lines


def _background(seen: op.Status) -> list[str]:
    """The jobs that ran, or have a next time, and how to have them run; the index, the model, the
    layout and the scope.
    """
    jobs = [job for job in seen.jobs if job.next or job.last]
    is_run = any(job.next for job in jobs)
    kept = {
        "index": seen.index.state if seen.index else "",
        "model": seen.model,
        "layout": seen.layout,
        "sync": seen.sync,
        "scope": [pattern for pattern in seen.scope if not pattern.startswith("!")],
        "runner": "" if is_run else "none: clawgit schedule install",
        "jobs": jobs,
    }
    return output.told(kept).split("\n")


_SHOWN = 3
"""How many findings of one check are printed; `--json` has all."""


@command("doctor")
@option("--fix", "Repair what is safe to repair; includes a deep check.")
@option("--deep", "Also read all objects of git.")
@option("--all everything", "Also list the checks that pass.")
@dry_run_option
def doctor(fix: bool, deep: bool, everything: bool) -> Answer:
    """Check everything, and say how to fix each problem.

    Example: clawgit doctor --fix
    """
    asker = caller()
    with output.progress("checking") as progress:
        report = load("health.doctor:doctor")(
            _start(), asker, fix=fix or asker.dry_run, deep=deep,
            begun=lambda name: progress.phase(f"checking {name}"),
        )  # fmt: skip
    would = "would " if asker.dry_run else "done: "
    return report, lambda checked: _doctor_text(checked, would, everything=everything)


def _start() -> "Path":
    try:
        return find_start(caller())
    except UnsupportedRepoError:
        return start_folder()


def _doctor_text(report: "Report", would: str, *, everything: bool) -> str:
    listed = [check for check in report.checks if everything or check.fix or not check.ok]
    width = max((len(check.name) for check in listed), default=0)
    lines = []
    for name, checks in groupby(listed, key=attrgetter("name")):
        rows = (_check_text(check, width) for check in checks)
        lines += few(rows, _SHOWN, dim(f"  {name}: {{}} more"))
    lines += map(would.__add__, report.mended)
    return "\n".join([*lines, _verdict(report)])


def _check_text(check: "Check", width: int) -> str:
    sign = error("✗")
    if check.ok:
        sign = warning("•") if check.fix else good("✓")
    line = f"{sign} {check.name:<{width}}  {check.detail}"
    return f"{line}\n{'':<{width + 4}}{key('→')} {check.fix}" if check.fix else line


def _verdict(report: "Report") -> str:
    bad = {check.name for check in report.checks if not check.ok}
    if bad:
        return error(f"{counted(len(bad), 'problem')} left")
    return good(f"{counted(len({check.name for check in report.checks}), 'check')} pass")
