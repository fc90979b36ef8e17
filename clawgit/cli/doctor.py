"""`doctor`: what is wrong, and what to do next; one line if all is well. `secrets`:
looks for keys and passwords, and allows false alarms.
"""

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import changed
from clawgit.cli.command import Answer, command, dry_run_option, option
from clawgit.cli.lazy import group
from clawgit.cli.opening import caller, find_start, start_folder
from clawgit.cli.output import counted, dim, error, good, key, warning
from clawgit.errors import UnsupportedRepoError
from clawgit.ops.health import doctor as op
from clawgit.ops.safety import secrets as scanning
from clawgit.ops.safety.secrets import PURGE
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.ops.safety.secrets_found import FoundSecret


_NAMED = 4
"""How many more places of a secret are named."""

_TAKE_OUT = "Remove it from the file, and replace it at its issuer if anybody else could read it."
_ALLOW = "If it is not a secret, the operator can allow it: clawgit secrets allow FINGERPRINT"


@command("scan")
@option("--history", "Look through every commit too, not only the files.")
def scan(ws: Workspace, history: bool) -> Answer:
    """Look for keys and passwords.

    Each secret is shown once, masked, with its fingerprint and its places. The exit code is 1 if
    any is not allowed.

    Example: clawgit secrets scan --history
    """
    return scanning.scan(ws, history=history), _scanned_text


@command("allow")
@click.argument("fingerprint", required=False, default="")
@option("--remote NAME|URL", "Allow pushes to this remote.")
@option("--reason TEXT", "Say why; it is written into the commit.")
@dry_run_option
def allow(ws: Workspace, fingerprint: str, **typed: Any) -> Answer:
    """Allow a text that only looks like a secret.

    With --remote: allow pushes to it. Only the operator may.

    Example: clawgit secrets allow 3f2a91c0d1e4 --reason "the public demo key"
    """
    return changed(scanning.allow(ws, fingerprint, **typed), "allowed")


@group("secrets")
def secrets(ws: Workspace) -> Answer:
    """Look for keys and passwords; allow what only looks like one.

    Alone, it looks through the files. `clawgit trust` lists what is allowed.

    Example: clawgit secrets scan --history
    """
    return scanning.scan(ws), _scanned_text


def _scanned_text(scanned: scanning.Scanned) -> str:
    lines = [_found_line(secret) for secret in scanned.findings]
    refused = [secret for secret in scanned.findings if not secret.allowed]
    if not refused:
        where = " and in all commits" if scanned.history else ""
        lines.append(output.good(f"no secret in {scanned.files} files{where}"))
        return "\n".join(lines)
    count = len({secret.fingerprint for secret in refused})
    # A secret that was removed from a committed file is still in history.
    first = PURGE if any(secret.committed for secret in refused) else _TAKE_OUT
    return "\n".join(
        [
            *lines,
            "",
            output.error(f"{count} not allowed"),
            output.next_step(first),
            output.next_step(_ALLOW),
        ]
    )


def _found_line(secret: "FoundSecret") -> str:
    first, *others = map(str, secret.places)
    line = f"{first}  {secret.rule}  {secret.shown}  {secret.fingerprint}"
    if secret.allowed:
        line += "  allowed"
    if others:
        line += f"\n  also {', '.join(others[:_NAMED])}"
        rest = len(others) - _NAMED
        line += f" and {rest} more places" if rest > 0 else ""
    return output.dim(line) if secret.allowed else line


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
            _start(),
            caller(),
            fix=fix or dry_run,
            deep=deep,
            dry_run=dry_run,
            begun=lambda name: progress.phase(f"checking {name}"),
        )
    would = "would " if dry_run else "done: "
    return report, lambda checked: _doctor_text(checked, would, everything=everything)


def _start() -> "Path":
    try:
        return find_start(caller())
    except UnsupportedRepoError:
        return start_folder()


def _doctor_text(report: op.Report, would: str, *, everything: bool) -> str:
    listed = report.checks if everything else tuple(filter(_needs_eye, report.checks))
    width = max((len(check.name) for check in listed), default=0)
    lines = []
    for name, checks in groupby(listed, key=attrgetter("name")):
        lines += _lines_of(name, [*checks], width)
    lines += map(would.__add__, report.mended)
    lines.append(_verdict(report))
    return "\n".join(lines)


def _lines_of(name: str, checks: list[op.Check], width: int) -> list[str]:
    lines = [line for check in checks[:_SHOWN] for line in _check_lines(check, width)]
    if len(checks) > _SHOWN:
        lines.append(dim(f"  {name}: {len(checks) - _SHOWN} more"))
    return lines


def _needs_eye(check: op.Check) -> bool:
    return not check.ok or bool(check.fix)


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
