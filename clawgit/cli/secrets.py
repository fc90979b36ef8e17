"""`secrets`: looks for keys and passwords, and allows false alarms."""

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import changed
from clawgit.cli.command import Answer, command, dry_run_option, option
from clawgit.cli.lazy import group
from clawgit.ops.safety import secrets as op
from clawgit.ops.safety.secrets import PURGE
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
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
    return op.scan(ws, history=history), _scanned_text


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
    return changed(op.allow(ws, fingerprint, **typed), "allowed")


@group("secrets")
def secrets(ws: Workspace) -> Answer:
    """Look for keys and passwords; allow what only looks like one.

    Alone, it looks through the files. `clawgit trust` lists what is allowed.

    Example: clawgit secrets scan --history
    """
    return op.scan(ws), _scanned_text


def _scanned_text(scanned: op.Scanned) -> str:
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
