"""A group of commands that imports the module of a command only when that command is called."""

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import click


class Row(NamedTuple):
    """Where a command is, as `module:name` below `clawgit.cli`, and its line in the group's help.

    The line may be left out; then the help of the group imports the command to read it there.
    """

    where: str
    help: str = ""


class LazyGroup(click.Group):
    """A group whose table of rows names commands that are not imported yet."""

    def __init__(self, *args: Any, rows: Mapping[str, Row], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._rows = rows

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self._rows})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        row = self._rows.get(cmd_name)
        if row is None:
            return super().get_command(ctx, cmd_name)
        command: click.Command = load(row.where)
        return command


def load(where: str) -> Any:
    """What `module:name` below `clawgit.cli` names; the module is imported now."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(f"clawgit.cli.{module}"), name)
