"""A group of commands that imports the module of a command only when that command is called."""

import ast
import copy
from collections.abc import Callable, Iterable, Mapping
from functools import cache, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.command import answering, shared_options
from clawgit.cli.command_table import TABLE, UNLISTED, every_command, load, place
from clawgit.cli.given import options

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class LazyGroup(click.Group):
    """The group of the table that `path` names; alone, it runs its own function."""

    def __init__(self, *args: Any, path: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.invoke_without_command, self.no_args_is_help = True, False
        self.headings: Mapping[str, Mapping[str, str]] = TABLE[path]
        self.places = {
            name: where for rows in self.headings.values() for name, where in rows.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        unlisted = self.headings.get(UNLISTED, ())
        return [name for name in self.places if name not in unlisted]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        where = self.places.get(cmd_name)
        return _command(where, cmd_name) if where else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.places and not args[0].startswith("-"):
            raise click.UsageError(_refusal(ctx, args[0]), ctx)
        return super().resolve_command(ctx, args)

    def summary(self, name: str) -> str:
        """The first line of a command's help, read from its source: an import of all takes a
        second.
        """
        module, function = place(self.places[name], name)
        return _summaries(module)[function]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)), default=0)
        for heading, rows in self.headings.items():
            if heading != UNLISTED:
                with formatter.section(heading):
                    formatter.write_dl([(name.ljust(width), self.summary(name)) for name in rows])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        # Loads `click.shell_completion`, which other commands do without.
        own = click.Command.shell_complete(self, ctx, incomplete)
        # click would import every command to read its help.
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        item = click.shell_completion.CompletionItem
        return [*(item(name, help=self.summary(name)) for name in names), *own]


def group(
    path: str, kind: type[LazyGroup] = LazyGroup
) -> Callable[[Callable[..., Any]], LazyGroup]:
    """A group. Called alone, it does what the function does, which is to show its state; then,
    except with --json, it lists its commands.
    """

    def wrap(function: Callable[..., Any]) -> LazyGroup:
        answers = answering(function)

        def alone(**typed: Any) -> Any:
            ctx = click.get_current_context()
            if ctx.invoked_subcommand is not None:
                return None
            code = answers(**typed)
            if not (code or options().as_json):
                page = ctx.make_formatter()
                made.format_commands(ctx, page)
                load("output:line")(f"\n{page.getvalue().rstrip()}")
            return code

        named = click.group(path.rpartition(" ")[2], cls=kind, path=path)
        made: LazyGroup = named(shared_options(update_wrapper(alone, function)))
        return made

    return wrap


def _command(where: str, name: str) -> click.Command:
    """The command that is there; with words after it, one that is given these first."""
    found: click.Command = load(":".join(place(where, name)))
    words = where.split()[1:]
    if words:
        found, parse = copy.copy(found), found.parse_args
        found.parse_args = lambda ctx, args: parse(ctx, [*words, *args])  # type: ignore[method-assign]
    return found


_MOST = 3
"""How many commands are named that a mistyped one may mean."""


def _refusal(ctx: click.Context, word: str) -> str:
    """The message for a word that is no command of the group of `ctx`."""
    group, paths = ctx.command_path.partition(" ")[2], dict(every_command())
    siblings = [path for path in paths if path.rpartition(" ")[0] == group]
    nearest = _alike(word, siblings) or _alike(word, paths)
    # From the program's name on: `clawgit memory triage` means `clawgit triage`.
    named = " or ".join(f"clawgit {path}" for path in nearest[:_MOST])
    return f"No such command {word!r}." + (f" Did you mean {named}?" if named else "")


def _alike(word: str, paths: Iterable[str]) -> list[str]:
    """The commands whose last word is like this one."""
    last = {path: path.rpartition(" ")[2] for path in paths}
    meant = load("clawgit.config.kinds:closest")(word, last.values())
    return [path for path, name in last.items() if name in meant]


@cache
def _summaries(module: str) -> dict[str, str]:
    source = Path(__file__).with_name(f"{module}.py").read_text("utf-8")
    return {
        node.name: (ast.get_docstring(node) or "").partition("\n")[0]
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
    }
