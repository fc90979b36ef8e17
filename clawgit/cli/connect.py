"""`connect`: clawgit made known to OpenClaw, Claude Code, Cursor and Codex, and taken out again."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.command import command, workspace
from clawgit.cli.lazy import LazyGroup, Row
from clawgit.cli.options import dry_run_option, options, shared_options
from clawgit.cli.output import dim, shown
from clawgit.errors import UsageError
from clawgit.ops.clients import connect_model as models
from clawgit.ops.clients.connect import Connected, Plan, Touched, disconnect
from clawgit.ops.clients.connect import connect as put_in
from clawgit.ops.clients.connect_clients import Asked
from clawgit.ops.clients.connect_clients import claude_code as plan_claude_code
from clawgit.ops.clients.connect_clients import codex as plan_codex
from clawgit.ops.clients.connect_clients import cursor as plan_cursor
from clawgit.ops.clients.connect_model import offer
from clawgit.ops.clients.connect_openclaw import plan as plan_openclaw

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace


_MOST_SHOWN = 15
"""Of a new file; a longer one is ours as a whole, and stands in the package."""

_NEW_LINE = "\n+"
"""The head of a diff has one too."""


@click.group(cls=LazyGroup, rows={"event": Row("connect_event:event")})
@shared_options
def connect() -> None:
    """Make clawgit known to OpenClaw, Claude Code, Cursor or Codex.

    Each writes a few named files, shows them first with --dry-run, and takes its own out again with
    --remove. At a terminal it asks once whether the agents may use a language model that is at
    hand; --model answers beforehand.

    Example: clawgit connect openclaw --dry-run
    """


def _client_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--remove", is_flag=True, help="Take it out again; what you edited since stays."
        ),
        click.option(
            "--model",
            default="",
            metavar="NAME",
            help="The language model that the agents ask; none asks nothing.",
        ),
        click.option(
            "--name", default="", metavar="NAME", help="The server's name there; else clawgit."
        ),
        dry_run_option,
    ):
        function = option(function)
    return function


_project_option = click.option(
    "--project", metavar="DIR", help="The folder whose own config is meant."
)


@command("openclaw")
@_client_options
def openclaw(remove: bool, name: str, model: str, dry_run: bool) -> None:
    """Give an agent of OpenClaw the skill, the hook and the MCP server.

    The comments and the form of its config stay. The agent is the one whose workspace this is.

    Example: clawgit -C ~/.openclaw/workspace connect openclaw --dry-run
    """
    _run(plan_openclaw, name, None, model, remove=remove, dry_run=dry_run)


@command("claude-code")
@_client_options
@_project_option
def claude_code(remove: bool, name: str, model: str, dry_run: bool, project: str | None) -> None:
    """Give Claude Code the MCP server and hooks, in a project; without --project in the workspace
    itself.

    The hooks bring memory into a new session, keep what was said, and ask in time to write down
    what must last.

    Example: clawgit connect claude-code --project ~/code/shop
    """
    _run(plan_claude_code, name, project, model, remove=remove, dry_run=dry_run)


@command("cursor")
@_client_options
@_project_option
def cursor(remove: bool, name: str, model: str, dry_run: bool, project: str | None) -> None:
    """Give Cursor the MCP server, for all projects or for one.

    Example: clawgit connect cursor --dry-run
    """
    _run(plan_cursor, name, project, model, remove=remove, dry_run=dry_run)


@command("codex")
@_client_options
@_project_option
def codex(remove: bool, name: str, model: str, dry_run: bool, project: str | None) -> None:
    """Give Codex the MCP server, for all projects or for one.

    Example: clawgit connect codex --dry-run
    """
    _run(plan_codex, name, project, model, remove=remove, dry_run=dry_run)


for _command in (openclaw, claude_code, cursor, codex):
    connect.add_command(_command)


def _run(
    plan: "Callable[[Workspace, Asked], Plan]",
    name: str,
    project: str | None,
    model: str,
    *,
    remove: bool,
    dry_run: bool,
) -> None:

    folder = Path(project).expanduser().absolute() if project else None
    if folder and not folder.is_dir():
        raise UsageError(f"{folder} is no folder.", hint="Name the project's folder: --project DIR")
    if remove and model:
        raise UsageError("--remove takes the model out by itself.", hint="Leave out --model.")
    with workspace() as opened:
        if model and model != models.NONE:
            models.refuse_model(opened, model)
        wanted = model or ("" if remove or dry_run or options().as_json else _asked(opened))
        found = plan(opened, Asked(name, folder, remove))
        done = (disconnect if remove else put_in)(opened, found, dry_run=dry_run)
        if remove:
            done = models.without_model(opened, done, dry_run=dry_run)
        elif wanted and wanted != models.NONE:
            done = models.with_model(opened, done, wanted, dry_run=dry_run)
        output.emit(done, _connected_text, as_json=options().as_json)


def _asked(opened: "Workspace") -> str:
    """The one question: which of the models at hand, "" for none. Nobody is asked without a
    terminal.
    """
    if not (sys.stdin.isatty() and (found := offer(opened))):
        return ""
    output.line(
        "A language model is at hand. The agents would show it what was said, and check each "
        "answer against it:"
    )
    for number, one in enumerate(found.models, 1):
        output.line(f"  {number}  {shown(one.model)}  {dim(shown(one.what))}")
    most = f"at most {found.daily_tokens:,} tokens a day"
    choice = click.prompt(
        f"Use one, {most}? Its number, or Enter for none", default="", show_default=False
    )
    return dict(enumerate((one.model for one in found.models), 1)).get(
        int(choice) if choice.isdecimal() else 0, ""
    )


def _connected_text(done: Connected) -> str:
    rows = [row for one in done.files for row in _file_rows(one, dry_run=done.dry_run)]
    rows = rows or [f"nothing to change for {done.client}: it is so already"]
    rows += [dim(f"note: {shown(note)}") for note in done.notes]
    rows += [] if done.dry_run else [f"next: {shown(step)}" for step in done.steps]
    return "\n".join(rows)


def _file_rows(one: Touched, *, dry_run: bool) -> list[str]:
    if not one.diff:
        return []
    if dry_run and one.action == "added" and (lines := one.diff.count(_NEW_LINE) - 1) > _MOST_SHOWN:
        return [f"would add {shown(one.path)}, {lines} lines"]
    if dry_run:
        return [output.colored_diff(shown(one.diff))]
    kept = dim(f"  as it was: {shown(one.backup)}") if one.backup and one.action != "added" else ""
    return [f"{one.action} {shown(one.path)}{kept}"]
