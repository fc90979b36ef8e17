"""A group that is called alone: the present state in a few lines, and what can be done."""

import click

from clawgit.cli import output
from clawgit.cli.lazy import Row, load
from clawgit.cli.options import options
from clawgit.errors import NotAWorkspaceError, NotFoundError


def show(context: click.Context, row: Row) -> None:
    """Shows the state of a group, then its commands. That nothing is here yet is an answer too.

    With --json only the state is shown, in its own shape.
    """
    state = load(row.alone)
    if options().as_json:
        context.invoke(state)
        return
    try:
        context.invoke(state)
    except (NotAWorkspaceError, NotFoundError) as error:
        output.line(error.message)
        if error.hint:
            output.line(output.next_step(error.hint))
    formatter = context.make_formatter()
    context.command.format_commands(context, formatter)  # type: ignore[attr-defined]
    output.line(f"\n{formatter.getvalue().rstrip()}")
