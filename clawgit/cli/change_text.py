"""How a change that a command made is told in words."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.options import options

if TYPE_CHECKING:
    from clawgit.ops.change.changes import Change


def change_text(change: "Change", did: str) -> str:
    """What a command did, under which id, to which files; `did` is the verb, in the past."""
    return with_warnings(change, _outcome_text(change, did))


def emit_change(change: "Change", did: str) -> None:
    """Prints a change that a command made; its warnings go to standard error.

    With --json they stand in the answer as well.
    """
    for warning in change.warnings:
        output.note(click.style("warning: ", fg="yellow") + warning)
    output.emit(change, lambda made: _outcome_text(made, did), as_json=options().as_json)


def with_warnings(change: "Change", text: str) -> str:
    warnings = [click.style(f"warning: {warning}", fg="yellow") for warning in change.warnings]
    return "\n".join([text, *warnings])


def _outcome_text(change: "Change", did: str) -> str:
    if change.dry_run:
        preview = output.colored_diff(change.preview) if change.preview else "nothing would change"
        return preview + "".join(f"\nwould wait for the operator: {why}" for why in change.held)
    files = ", ".join(change.changed)
    if change.held:
        reasons = "".join(f"\n          {why}" for why in change.held)
        ident = click.style(change.id or "", fg="yellow")
        return f"{ident}  waits for the operator: {files}{reasons}"
    if change.parked:
        return (
            f"the change waits as {change.id}: it is applied when git is done and HEAD is on a "
            "branch"
        )
    if change.commit is None:
        return "nothing to change: it is so already"
    ident = click.style(change.id or change.commit[:10], fg="yellow")
    return f"{ident}  {did} {change.of}: {files}"
