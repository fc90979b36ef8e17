"""A group that is called without a command: its state in a few lines, and its commands."""

import click

from clawgit.cli import output
from clawgit.cli.given import options
from clawgit.cli.lazy import Row
from clawgit.cli.loading import load
from clawgit.cli.quiet import HelpPage
from clawgit.errors import NotAWorkspaceError, NotFoundError


def show(context: click.Context, row: Row) -> None:
    """Shows the state of a group, then its commands. An empty state is an answer too.

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
    page = HelpPage(context)
    context.command.format_commands(context, page)  # type: ignore[attr-defined]
    output.line(f"\n{page.getvalue().rstrip()}")
