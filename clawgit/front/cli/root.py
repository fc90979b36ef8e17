"""The command line. A table names the commands; each is imported only when it runs."""

import os
import sys

import click

from clawgit import __version__
from clawgit.core import surroundings
from clawgit.core.errors import ClawgitError, NotAWorkspaceError, UsageError
from clawgit.terminal import output
from clawgit.terminal.command import LazyGroup, help_option, showing_option, top_options
from clawgit.terminal.command_table import load
from clawgit.terminal.text import Options, options, running

_INTERRUPTED = 130

_FIRST_STEP = "There is no workspace here. To make one of your agent's folder: clawgit init FOLDER"


@help_option
@click.group(
    cls=LazyGroup, path="", add_help_option=False, context_settings={"max_content_width": 100}
)
@showing_option(
    "-V --version", "Show the version and exit.", lambda _: f"clawgit, version {__version__}"
)
@top_options
@click.pass_context
def cli(context: click.Context) -> object:
    """Keep an AI agent's identity and memory in git: every change explained, searchable, undoable.

    Without a command, it shows the status; outside a workspace, this help.
    """
    if context.invoked_subcommand:
        return 0
    try:
        return context.invoke(load("health.commands:status"))
    except NotAWorkspaceError:
        if options().as_json:
            raise
    output.emit(None, lambda _: f"{context.get_help()}\n\n{_FIRST_STEP}")
    return 0


def main() -> None:
    """Runs one command line and exits with its code."""
    surroundings.leave(run(sys.argv[1:]))


def run(arguments: list[str], seated: bool | None = None) -> int:
    """Runs one command line, and returns its exit code. The border to the user: the only place that
    turns errors into words and exit codes.
    """
    given, as_json = Options(seated), "--json" in arguments
    output.mask_by()
    try:
        with running(given):
            code = _called(arguments)
            if given.preview and not as_json:
                output.note(output.dim(given.preview))
    except ClawgitError as error:
        return output.fail(error, as_json=as_json)
    except KeyboardInterrupt:
        output.note("interrupted")
        return _INTERRUPTED
    except (output.ReaderGoneError, BrokenPipeError):
        return 0
    except Exception as error:  # noqa: BLE001 - the border to the user: a bug is logged with its traceback, and said
        # Python wraps a Ctrl-C that comes while a class is made.
        if isinstance(error.__cause__, KeyboardInterrupt):
            output.note("interrupted")
            return _INTERRUPTED
        known = load("core.disk.failures:explained")(error)
        return output.fail(known or output.keep_bug(error), as_json=as_json)
    return code if isinstance(code, int) else 0


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
    if isinstance(error, click.NoSuchOption):
        hint += "; put -- before text that begins with a dash"
    # click breaks a list of choices into lines, with tabs.
    return UsageError(" ".join(error.format_message().split()), hint=hint)
