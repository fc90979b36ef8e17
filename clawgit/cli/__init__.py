"""The command line. A table names the commands; each is imported only when it runs."""

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit import __version__, garbage
from clawgit.cli import output
from clawgit.cli.command_table import COMMANDS
from clawgit.cli.lazy import LazyGroup, Row, load
from clawgit.cli.options import PREVIEW, Options, options, shared_options
from clawgit.cli.quiet import without_all
from clawgit.errors import ClawgitError, UsageError
from clawgit.stores.failures import explained

if TYPE_CHECKING:
    from clawgit.stores.asking import Asked

__all__ = ["COMMANDS", "cli", "main", "run"]

_BUG = 3
_INTERRUPTED = 130


class _Commands(LazyGroup):
    """The group of all commands: what previewed its changes says so at its end."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, without_all(ctx, args))

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
@click.version_option(__version__, prog_name="clawgit")
@shared_options
@click.pass_context
def cli(context: click.Context) -> None:
    """Keep an AI agent's identity and memory in git: every change explained, searchable, undoable.

    Without a command, it says where you are and what to do next.
    """
    if context.invoked_subcommand is None:
        load("workspace.here:show_here")()


def main(arguments: list[str] | None = None, asked: "Asked | None" = None) -> None:
    """Runs one command line and exits with its code. `asked`: see `Options`."""
    garbage.look_seldom()
    code = run(sys.argv[1:] if arguments is None else arguments, asked)
    garbage.look_no_more()
    sys.exit(code)


def run(arguments: list[str], asked: "Asked | None" = None) -> int:
    """Runs one command line; the only place that turns errors into words and exit codes."""
    as_json = "--json" in arguments
    output.mask_by()
    try:
        if "_CLAWGIT_COMPLETE" in os.environ:
            # A shell asks for completions. click answers it instead of running the command, and
            # must know before that which words each parameter takes.
            load("completion:teach")(cli, os.environ.get("COMP_WORDS", ""))
        given = Options(asked=asked)
        code = cli.main(arguments, prog_name="clawgit", standalone_mode=False, obj=given)
    except ClawgitError as error:
        return output.fail(error, as_json=as_json)
    except click.ClickException as error:
        return output.fail(_as_ours(error), as_json=as_json)
    except (click.Abort, KeyboardInterrupt):
        output.note("interrupted")
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader is gone, as with `| head`. Python would complain when it flushes at its end.
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001 - the border to the user: a bug is logged with its traceback, and said
        known = explained(error)
        return output.fail(known, as_json=as_json) if known else _bug(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def _as_ours(error: click.ClickException) -> ClawgitError:
    """An error of click's with the next step that every error of ours has."""
    if not isinstance(error, click.UsageError):  # an editor that failed, for instance
        return ClawgitError(error.format_message(), hint="Nothing was changed; try again.")
    hint = f"{error.ctx.command_path if error.ctx else 'clawgit'} --help"
    if isinstance(error, click.NoSuchOption):
        hint += "; put -- before text that begins with a dash"
    return UsageError(error.format_message(), hint=hint)


def _bug(error: Exception, *, as_json: bool) -> int:
    log = output.keep_bug(error)
    report = ClawgitError(
        f"This is a bug in clawgit: {type(error).__name__}: {error}", hint=f"Its log is {log}."
    )
    output.fail(report, as_json=as_json)
    return _BUG
