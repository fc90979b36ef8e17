"""The command line. Commands are named in one table and imported only when they run, so `--help`
stays quick.
"""

import importlib
import os
import sys
from typing import NamedTuple

import click

from clawgit import __version__
from clawgit.cli import output
from clawgit.cli.command import Options, shared_options
from clawgit.errors import ClawgitError

_BUG = 3
_INTERRUPTED = 130


class _Row(NamedTuple):
    where: str
    help: str


COMMANDS: dict[str, _Row] = {
    "init": _Row("setup:init", "Create or adopt a workspace."),
    "status": _Row("health:status", "Show the workspace at a glance."),
    "doctor": _Row("health:doctor", "Check everything and name each remedy."),
    "config": _Row("config:config", "Show, set and check settings."),
    "snapshot": _Row("changes:snapshot", "Commit what others changed, attributed."),
    "log": _Row("history:log", "List changes, of all files or of one."),
    "show": _Row("history:show", "Show one change."),
    "diff": _Row("history:diff", "Compare two states of the workspace."),
    "why": _Row("history:why", "Tell the life of a line or an entry."),
    "undo": _Row("changes:undo", "Take a change back by a new commit."),
    "redo": _Row("changes:redo", "Undo the last undo."),
    "restore": _Row("changes:restore", "Bring a file back."),
    "soul": _Row("soul:soul", "Show how the identity grew, explain it, take it back."),
    "memory": _Row("memory:memory", "Remember facts, read them back, see what there is."),
    "context": _Row("context:context", "Build what a new conversation starts with."),
    "conflicts": _Row("conflicts:conflicts", "Show where two memories disagree, and decide it."),
    "hooks": _Row(
        "hooks:hooks", "Have plain `git commit` keep the rules: install, status, uninstall."
    ),
    "hook": _Row(
        "hooks:hook", "Run one hook as git would: to try it, or to call it from a hook of your own."
    ),
    "operator": _Row(
        "operator:operator", "Show how the operator proves who they are, or set a key for it."
    ),
    "trust": _Row("trust:trust", "Accept settings that could do harm, on this machine."),
    "secrets": _Row("secrets:secrets", "Look for keys and passwords, and say what may pass."),
    "backup": _Row("backup:backup", "Save everything to one file; verify it; restore it."),
    "chat": _Row("chat:chat", "Keep every message, list them, search them."),
    "session": _Row(
        "session:session", "Tell when to flush, reset or shorten a session, and note one that ends."
    ),
    "corrections": _Row(
        "corrections:corrections", "Show what the operator set right; add to it, settle, archive."
    ),
    "triage": _Row("triage:triage", "Tell what a message asks the memory for, by its words alone."),
    "heartbeat": _Row(
        "triage:heartbeat", "Keep a message, triage it, and call the agents it asks for."
    ),
    "queue": _Row("triage:queue", "Show the calls that wait for agents, try them anew, drop them."),
    "workspace": _Row(
        "workspaces:workspace",
        "Name the agents that there are, and see where each keeps its memory.",
    ),
    "digest": _Row(
        "digest:digest", "Tell what the agent learned and how its soul changed, by day or week."
    ),
    "run": _Row(
        "running:run", "Run the scheduled jobs, until Ctrl-C: agents, messages, the index."
    ),
    "schedule": _Row(
        "running:schedule", "Show when each job runs next, and have the system start the runner."
    ),
    "agent": _Row(
        "agent:agent", "Run the agents that keep memory true, and look at what they did."
    ),
    "organize": _Row(
        "organize:organize", "Make facts of what the notes say, each once, and an index of them."
    ),
    "decay": _Row(
        "organize:decay", "Archive the facts that have run out, and sum them up as lessons."
    ),
    "lessons": _Row(
        "lessons:lessons",
        "Learn from what failed and then worked; list and search what was learned.",
    ),
    "serve": _Row("serve:serve", "Keep the memory open and answer searches at once, until Ctrl-C."),
    "mcp": _Row("mcp:mcp", "Give other agents this memory as tools, over MCP."),
    "connect": _Row(
        "connect:connect", "Make clawgit known to OpenClaw, Claude Code, Cursor or Codex."
    ),
    "watch": _Row("watch:watch", "Snapshot edits when they settle, until Ctrl-C."),
    "completion": _Row("completion:completion", "Have the shell complete commands, ids and paths."),
    "deinit": _Row("setup:deinit", "Take hooks, drivers and state away; keep files and history."),
}
"""Name → where it lives and its one line in `clawgit --help`; a test holds the line against the
command's own help."""


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        row = COMMANDS.get(cmd_name)
        if row is None:
            return None
        module, _, name = row.where.partition(":")
        found: click.Command = getattr(importlib.import_module(f"clawgit.cli.{module}"), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.help) for name, row in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib  # noqa: PLC0415 - only for the one who mistyped

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            raise click.UsageError(
                f"No such command {args[0]!r}." + (f" Did you mean {near[0]}?" if near else ""), ctx
            )
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Lazy, invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)  # fmt: skip
@click.version_option(__version__, prog_name="clawgit")
@shared_options
@click.pass_context
def cli(context: click.Context) -> None:
    """Keep an AI agent's identity and memory in git: every change explained, searchable, undoable.

    Alone, it says where you are and what to do next.
    """
    if context.invoked_subcommand is None:
        from clawgit.cli.here import show_here  # noqa: PLC0415 - only where no command is named

        show_here()


def main(arguments: list[str] | None = None) -> None:
    """Runs one command line and exits with its code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Runs one command line; the only place that turns errors into words and exit codes."""
    given, as_json = Options(), "--json" in arguments
    output.mask_by()
    try:
        if (
            "_CLAWGIT_COMPLETE" in os.environ
        ):  # a shell asks, and click answers it in place of the command
            from clawgit.cli.completion import teach  # noqa: PLC0415 - only for a shell

            teach(cli, os.environ.get("COMP_WORDS", ""))
        code = cli.main(arguments, prog_name="clawgit", standalone_mode=False, obj=given)
    except ClawgitError as error:
        return output.fail(error, as_json=as_json)
    except click.ClickException as error:
        return _told_by_click(error, as_json=as_json)
    except (click.Abort, KeyboardInterrupt):
        output.note("interrupted")
        return _INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001 - the border to the user: a bug is logged with its traceback, and said
        return _bug(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def _told_by_click(error: click.ClickException, *, as_json: bool) -> int:
    from clawgit.errors import UsageError  # noqa: PLC0415

    if not isinstance(error, click.UsageError):  # an editor that failed, say
        failed = ClawgitError(error.format_message(), hint="Nothing was changed; try it once more.")
        return output.fail(failed, as_json=as_json)
    where = error.ctx.command_path if error.ctx else "clawgit"
    dashed = (
        "; put -- before text that begins with a dash"
        if isinstance(error, click.NoSuchOption)
        else ""
    )
    return output.fail(
        UsageError(error.format_message(), hint=f"{where} --help{dashed}"), as_json=as_json
    )


def _bug(error: Exception, *, as_json: bool) -> int:
    log = output.keep_bug(error)
    shown = ClawgitError(
        f"This is a bug in clawgit: {type(error).__name__}: {error}", hint=f"Its log is {log}."
    )
    output.fail(shown, as_json=as_json)
    return _BUG
