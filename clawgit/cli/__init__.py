"""The command line. A table names the commands; each is imported only when it runs."""

import difflib
import os
import sys

import click

from clawgit import __version__
from clawgit.cli import output
from clawgit.cli.lazy import LazyGroup, Row, load
from clawgit.cli.options import Options, shared_options
from clawgit.errors import ClawgitError, UsageError

_BUG = 3
_INTERRUPTED = 130


COMMANDS: dict[str, Row] = {
    "init": Row("workspace.setup:init", "Create or adopt a workspace."),
    "status": Row("health.status:status", "Show the workspace at a glance."),
    "doctor": Row("health.doctor:doctor", "Check everything and name each remedy."),
    "config": Row("workspace.config:config", "Show, set and check settings."),
    "snapshot": Row("change.changes:snapshot", "Commit what others changed, attributed."),
    "log": Row("change.history:log", "List changes, of all files or of one."),
    "show": Row("change.history:show", "Show one change."),
    "diff": Row("change.history:diff", "Compare two states of the workspace."),
    "why": Row("change.why:why", "Tell the life of a line or an entry."),
    "undo": Row(
        "change.changes:undo", "Take changes back by a new commit: one, or several at once."
    ),
    "redo": Row("change.changes:redo", "Undo the last undo."),
    "restore": Row("change.changes:restore", "Bring a file back, or the whole memory as it was."),
    "soul": Row("soul.group:soul", "Show how the identity grew, explain changes, undo them."),
    "memory": Row("memory.group:memory", "Remember facts, read them back, see what there is."),
    "context": Row("context:context", "Build what a new conversation starts with."),
    "conflicts": Row("conflicts:conflicts", "Show where two memories disagree, and decide it."),
    "hooks": Row(
        "hooks:hooks", "Have plain `git commit` keep the rules: install, status, uninstall."
    ),
    "hook": Row(
        "hooks:hook", "Run one hook as git would: to try it, or to call it from a hook of your own."
    ),
    "operator": Row(
        "safety.operator:operator",
        "Show how the operator proves who they are, or set a key for it.",
    ),
    "trust": Row("safety.trust:trust", "Accept settings that could do harm, on this machine."),
    "secrets": Row("safety.secrets:secrets", "Look for keys and passwords, and say what may pass."),
    "backup": Row("workspace.backup:backup", "Save everything to one file; verify it; restore it."),
    "chat": Row("conversation.chat:chat", "Keep every message, list them, search them."),
    "session": Row(
        "conversation.session:session",
        "Check when to flush, reset or shorten a session; write a note when one ends.",
    ),
    "corrections": Row(
        "corrections:corrections", "Show what the operator corrected; add to it, settle, archive."
    ),
    "triage": Row(
        "conversation.triage:triage", "Tell what a message asks the memory for, by its words alone."
    ),
    "heartbeat": Row(
        "conversation.heartbeat:heartbeat",
        "Keep a message, triage it, and call the agents it asks for.",
    ),
    "queue": Row(
        "conversation.queue:queue", "Show the calls that wait for agents, retry them, drop them."
    ),
    "workspace": Row(
        "workspace.workspaces:workspace",
        "List the agents and their workspaces; add one, or remove one.",
    ),
    "digest": Row(
        "digest:digest", "Tell what the agent learned and how its soul changed, by day or week."
    ),
    "run": Row(
        "runner.running:run", "Run the scheduled jobs, until Ctrl-C: agents, messages, the index."
    ),
    "schedule": Row(
        "runner.schedule:schedule",
        "Show when each job runs next; have the system start the runner.",
    ),
    "agent": Row(
        "agent.group:agent", "Run the agents that keep memory true, and look at what they did."
    ),
    "organize": Row(
        "organize:organize", "Make facts of what the notes say, each once, and an index of them."
    ),
    "decay": Row(
        "organize:decay", "Archive the facts that have run out, and sum them up as lessons."
    ),
    "lessons": Row(
        "lessons:lessons",
        "Learn from what failed and then worked; list and search what was learned.",
    ),
    "serve": Row("serve:serve", "Keep the memory open and answer searches at once, until Ctrl-C."),
    "mcp": Row("mcp:mcp", "Give other agents this memory as tools, over MCP."),
    "connect": Row(
        "connect.group:connect", "Make clawgit known to OpenClaw, Claude Code, Cursor or Codex."
    ),
    "watch": Row("runner.watch:watch", "Snapshot edits when they settle, until Ctrl-C."),
    "completion": Row("completion:completion", "Have the shell complete commands, ids and paths."),
    "deinit": Row(
        "workspace.setup:deinit", "Take hooks, drivers and state away; keep files and history."
    ),
}
"""Name → where it lives and its one line in `clawgit --help`; a test holds the line against the
command's own help."""


class _Commands(LazyGroup):
    """The group of all commands. Its help comes from the table, so that it imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*COMMANDS]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.help) for name, row in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            message = f"No such command {args[0]!r}."
            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            if near:
                message += f" Did you mean {near[0]}?"
            raise click.UsageError(message, ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands, rows=COMMANDS, invoke_without_command=True,
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
        load("workspace.here:show_here")()


def main(arguments: list[str] | None = None) -> None:
    """Runs one command line and exits with its code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Runs one command line; the only place that turns errors into words and exit codes."""
    as_json = "--json" in arguments
    output.mask_by()
    try:
        if "_CLAWGIT_COMPLETE" in os.environ:
            # A shell asks for completions. click answers it instead of running the command, and
            # must know before that which words each parameter takes.
            load("completion:teach")(cli, os.environ.get("COMP_WORDS", ""))
        code = cli.main(arguments, prog_name="clawgit", standalone_mode=False, obj=Options())
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
        return _bug(error, as_json=as_json)
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
    told = ClawgitError(
        f"This is a bug in clawgit: {type(error).__name__}: {error}", hint=f"Its log is {log}."
    )
    output.fail(told, as_json=as_json)
    return _BUG
