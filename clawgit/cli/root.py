"""The command line. A table names the commands; each is imported only when it runs."""

import os
import sys
from functools import partial
from typing import Any

import click

from clawgit import __version__, garbage
from clawgit.cli import output
from clawgit.cli.border import ended
from clawgit.cli.command import PREVIEW, top_options
from clawgit.cli.command_table import COMMANDS
from clawgit.cli.given import Options, options
from clawgit.cli.lazy import LazyGroup, Row
from clawgit.cli.loading import load
from clawgit.errors import ClawgitError, UsageError

__all__ = ["COMMANDS", "cli", "main", "run"]


class _Commands(LazyGroup):
    """The group of all commands: what previewed its changes says so at its end."""

    def invoke(self, ctx: click.Context) -> Any:
        value = super().invoke(ctx)
        with ctx:
            if PREVIEW in ctx.meta and not options().as_json:
                output.note(output.dim(ctx.meta[PREVIEW]))
        return value


@click.group(
    cls=_Commands, row=Row("", below=COMMANDS), invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)  # fmt: skip
@click.version_option(__version__, "-V", "--version", prog_name="clawgit")
@top_options
@click.pass_context
def cli(context: click.Context) -> None:
    """Keep an AI agent's identity and memory in git: every change explained, searchable, undoable.

    Without a command, it says where you are and what to do next.
    """
    if context.invoked_subcommand is None:
        load("here:show_here")()


def main() -> None:
    """Runs one command line and exits with its code."""
    garbage.leave(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs one command line, and returns its exit code."""
    return ended(partial(_called, arguments), Options(), as_json="--json" in arguments)


def _called(arguments: list[str]) -> object:
    """What click makes of a command line; its errors are ours."""
    try:
        return cli.main(arguments, prog_name="clawgit", standalone_mode=False)
    except click.ClickException as error:
        raise _as_ours(error) from error
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except SystemExit as end:
        if "_CLAWGIT_COMPLETE" in os.environ:
            raise
        # Outside of its standalone mode, click ends the process in one case only: nobody reads on
        # while it prints something of its own, such as help.
        raise output.ReaderGoneError from end


def _as_ours(error: click.ClickException) -> ClawgitError:
    """An error of click's with the next step that every error of ours has."""
    if not isinstance(error, click.UsageError):  # an editor that failed, for instance
        return ClawgitError(error.format_message(), hint="Nothing was changed; try again.")
    hint = f"{error.ctx.command_path if error.ctx else 'clawgit'} --help"
    message = error.format_message()
    if isinstance(error, click.NoSuchOption):
        hint += "; put -- before text that begins with a dash"
    elif _lacks_option(error, "--message"):
        hint = f'{error.ctx.command_path if error.ctx else ""} --message "…"'
    for name, plain in _NUMBERS.items():
        message = message.replace(name, plain)
    # click breaks a list of choices into lines, with tabs.
    return UsageError(" ".join(message.split()), hint=hint)


def _lacks_option(error: click.UsageError, option: str) -> bool:
    """Whether a text was typed where the command takes it only after this option."""
    if error.ctx is None or "unexpected extra argument" not in error.message:
        return False
    return any(option in param.opts for param in error.ctx.command.params)


_NUMBERS = {"a valid integer range": "a whole number", "a valid float range": "a number"}
"""What click says of a word where a number belongs, and what it means."""
