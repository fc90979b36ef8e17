"""The `secrets` command group: look for keys and passwords, and say what may pass."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.change_text import change_text
from clawgit.cli.command import command, workspace
from clawgit.cli.options import dry_run_option, options, shared_options
from clawgit.ops.safety import secrets as op
from clawgit.ops.safety.secrets import PURGE

if TYPE_CHECKING:
    from clawgit.ops.safety.secrets_found import Found


@click.group()
@shared_options
def secrets() -> None:
    """Look for keys and passwords, and say what may pass.

    Example: clawgit secrets scan --history
    """


@command("scan")
@click.option("--history", is_flag=True, help="Look through every commit too, not only the files.")
def scan(history: bool) -> int:
    """Look for keys and passwords.

    Each secret is shown once, masked, with its fingerprint and the places where it stands. The exit
    code is 1 where one is not allowed.

    Example: clawgit secrets scan --history
    """
    with workspace() as ws:
        found = op.scan(ws, history=history)
        output.emit(found, _scanned_text, as_json=options().as_json)
        return int(not found.ok)


@command("allow")
@click.argument("fingerprint", required=False, default="")
@click.option("--remote", default="", metavar="NAME|URL", help="Let pushes go to this remote.")
@click.option("--reason", default="", metavar="TEXT", help="Say why; it stands in the commit.")
@dry_run_option
def allow(fingerprint: str, remote: str, reason: str, dry_run: bool) -> None:
    """Let what only looks like a secret pass, or a remote. The operator's alone.

    Example: clawgit secrets allow 3f2a91c0d1e4 --reason "the public demo key"
    """
    with workspace() as ws:
        done = op.allow(ws, fingerprint, remote=remote, reason=reason, dry_run=dry_run)
        output.emit(done, lambda change: change_text(change, "allowed"), as_json=options().as_json)


@command("list")
def list_() -> None:
    """List what may pass, since when, and why.

    Example: clawgit secrets list
    """
    with workspace() as ws:
        output.emit(op.listing(ws), _allowances_text, as_json=options().as_json)


for _command in (scan, allow, list_):
    secrets.add_command(_command)


def _scanned_text(found: op.Scanned) -> str:
    lines = [_found_line(one) for one in found.findings]
    left = {one.fingerprint for one in found.findings if not one.allowed}
    if not left:
        return "\n".join(
            [*lines, click.style(f"no secret in {found.files} files{_where(found)}", fg="green")]
        )
    committed = any(one.committed and not one.allowed for one in found.findings)
    lines += ["", click.style(f"{len(left)} not allowed", fg="red", bold=True)]
    lines += [f"  {click.style('→', fg='cyan')} {step}" for step in _steps(committed=committed)]
    return "\n".join(lines)


def _steps(*, committed: bool) -> list[str]:

    first = (
        PURGE
        if committed
        else "Take it out of the file, and replace it at its issuer if anybody else could read it."
    )
    return [first, "What is none, the operator allows: clawgit secrets allow FINGERPRINT"]


def _found_line(one: "Found") -> str:
    told = (
        f"{output.shown(str(one.places[0]))}  {one.rule}  {output.shown(one.shown)}  "
        f"{one.fingerprint}"
    )
    told += "  allowed" if one.allowed else ""
    if one.count > 1:
        others = ", ".join(output.shown(str(place)) for place in one.places[1:])
        rest = one.count - len(one.places)
        told += f"\n  also {others}" + (f" and {rest} more places" if rest else "")
    return click.style(told, dim=True) if one.allowed else told


def _where(found: op.Scanned) -> str:
    return " and in all commits" if found.history else ""


def _allowances_text(found: op.Allowances) -> str:
    rows = []
    for one in found.allowed:
        when = f"{one.time:%Y-%m-%d}  {one.actor}" if one.time else ""
        row = "  ".join(
            filter(None, (one.entry, when, output.shown(one.reason.partition("\n")[0])))
        )
        rows.append(row if one.counts else click.style(f"{row} (does not count)", fg="red"))
    return "\n".join(rows) or "nothing is allowed"
