"""`clawgit operator`: how this machine knows its operator."""

from pathlib import Path

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import caller
from clawgit.cli.options import dry_run_option
from clawgit.errors import UsageError
from clawgit.ops.workspace import operator as op


@command()
@click.option(
    "--key", "file", metavar="FILE", help="Make an SSH key the operator's; name its .pub file."
)
@click.option(
    "--remove-key", "remove", is_flag=True, help="Remove the key: a terminal is enough again."
)
@dry_run_option
def operator(file: str | None, remove: bool, dry_run: bool) -> None:
    """Show how the operator proves who they are; set a key.

    Without a key, whoever sits at a terminal is the operator, and an agent can open a terminal.
    With a key, each commit of the operator is signed, and so is what they accept.

    Example: clawgit operator --key ~/.ssh/id_ed25519_sk.pub
    """
    if file is not None and remove:
        raise UsageError(
            "--key and --remove-key cannot be used together.", hint="clawgit operator --help"
        )
    if remove:
        done = op.remove_key(caller(), dry_run=dry_run)
    elif file is not None:
        done = op.set_key(caller(), Path(file).expanduser(), dry_run=dry_run)
    else:
        done = op.show(caller())
    output.emit(done, _text)


def _text(shown: op.Operator) -> str:
    rows = [_key_row(shown)]
    if shown.warning:
        rows.append(output.warning("warning: ") + shown.warning)
    return "\n".join(rows)


def _key_row(shown: op.Operator) -> str:
    if shown.key:
        head = "would set the operator key: " if shown.dry_run else "operator key: "
        return f"{head}{shown.file}\n  {shown.key}"
    if shown.changed:
        return (
            f"{'would remove' if shown.dry_run else 'removed'} the operator key; a terminal is "
            "enough now"
        )
    return "no operator key: whoever sits at a terminal is the operator\n" + output.next_step(
        "clawgit operator --key ~/.ssh/id_….pub"
    )
