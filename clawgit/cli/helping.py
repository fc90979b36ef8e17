"""`help`: the same as `--help`."""

from dataclasses import dataclass

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.quiet import show_everything


@dataclass(frozen=True, slots=True)
class Help:
    """The help of a command as text."""

    command: str
    help: str


@command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.option("--all", "everything", is_flag=True, help="Show every option.")
def help_(words: tuple[str, ...], *, everything: bool) -> None:
    """Show the help of a command.

    Example: clawgit help memory add
    """
    context = click.get_current_context().find_root()
    if everything:
        show_everything(context)
    for word in words:
        group = context.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{context.command_path} has no subcommands.", context)
        _, inner, _ = group.resolve_command(context, [word])
        if inner is not None:
            context = click.Context(inner, info_name=word, parent=context)
    page = Help(context.command_path, context.get_help())
    output.emit(page, lambda text: text.help)
