"""A group of commands that imports the module of a command only when that command is called."""

import copy
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from clawgit.cli.command import shared_options
from clawgit.cli.given import options
from clawgit.cli.loading import load

_NONE: "Mapping[str, Row]" = MappingProxyType({})


class Row(NamedTuple):
    """A command: where it is, as `module:name` below `clawgit.cli`, and its line in the help.

    `title` is the heading above the line. An `alias` has the words that it is short for in place of
    `where`, and may end in arguments. Without its line of help, a command works but is not listed.
    `below` has the commands of a group, and `alone` is what the group runs to show its state when
    it is called alone. A group without options of its own needs no `where`: it is made from its
    row, and `more` ends its help.
    """

    where: str
    help: str = ""
    title: str = ""
    alias: str = ""
    alone: str = ""
    below: "Mapping[str, Row]" = _NONE
    more: str = ""

    @property
    def is_listed(self) -> bool:
        return bool(self.help)


class LazyGroup(click.Group):
    """A group that is called by its row, which names commands that are not imported yet."""

    def __init__(self, *args: Any, row: Row, **attributes: Any) -> None:
        if row.alone:
            attributes |= {"invoke_without_command": True, "callback": self._show_alone}
        super().__init__(*args, **attributes)
        self.row = row

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [name for name, row in self.row.below.items() if row.is_listed]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        row = self.row.below.get(cmd_name)
        if row is None:
            return None
        if row.alias:
            return _short_form(ctx, row.alias, cmd_name)
        command: click.Command = load(row.where) if row.where else _group(cmd_name, row)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.row.below and not args[0].startswith("-"):
            raise click.UsageError(load("nearest:refusal")(ctx, args[0]), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self.row.below[name]) for name in self.list_commands(ctx)]
        width = max((len(name) for name, _ in rows), default=0)
        for title in dict.fromkeys(row.title for _, row in rows):
            with formatter.section(title or "Commands"):
                formatter.write_dl(
                    [(name.ljust(width), row.help) for name, row in rows if row.title == title]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        # click would import every command to read its help.
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=self.row.below[name].help) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def _show_alone(self) -> None:
        """Shows the state of the group; then, except with --json, its commands."""
        ctx = click.get_current_context()
        if ctx.invoked_subcommand is None:
            ctx.invoke(load(self.row.alone))
            if not options().as_json:
                page = ctx.make_formatter()
                self.format_commands(ctx, page)
                load("output:line")(f"\n{page.getvalue().rstrip()}")


def every_row(rows: Mapping[str, Row], path: str = "") -> Iterator[tuple[str, Row]]:
    """Each row with its words, those below a group too. Nothing is imported."""
    for name, row in rows.items():
        words = f"{path} {name}".lstrip()
        yield words, row
        yield from every_row(row.below, words)


def _group(name: str, row: Row) -> click.Command:
    """The group of a row, with the shared options only."""
    made = click.group(name, cls=LazyGroup, row=row, help=f"{row.help}\n\n{row.more}")
    return made(shared_options(lambda: None))


def _short_form(ctx: click.Context, words: str, name: str) -> click.Command | None:
    """The command that words at the top level mean, called by a short name; further words are
    arguments that it is given.
    """
    command: click.Command | None = ctx.find_root().command
    rest = words.split()
    while rest and isinstance(command, click.Group):
        command = command.get_command(ctx, rest.pop(0))
    if command is None:
        return None
    named, parse = copy.copy(command), command.parse_args
    named.help = (command.help or "").replace(f"clawgit {words}", f"clawgit {name}")
    if rest:
        named.parse_args = lambda ctx, args: parse(ctx, [*rest, *args])  # type: ignore[method-assign]
    return named
