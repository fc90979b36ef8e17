"""`workspace`: the agents of this machine, each with its own workspace."""

from pathlib import Path

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option
from clawgit.cli.lazy import group
from clawgit.cli.opening import caller, start_folder
from clawgit.cli.opening import workspace as opened
from clawgit.cli.output import dim, notes
from clawgit.cli.text import table
from clawgit.errors import NotAWorkspaceError
from clawgit.ops.workspace import workspaces as op
from clawgit.ops.workspace.shared import begin
from clawgit.ops.workspace.workspaces import workspaces


@group("workspace")
def agents() -> None:
    """List the agents and their workspaces; add one.

    Example: clawgit workspace list
    """
    _list()


@command("list")
def listing() -> None:
    """List the agents and their workspaces.

    Those in OpenClaw's config, and those added here.

    Example: clawgit workspace list --json
    """
    _list()


def _list() -> None:
    try:
        with opened() as ws:
            registered = workspaces(ws.caller, ws)
    # Agents belong to the machine, so they are also listed outside a workspace.
    except NotAWorkspaceError:
        registered = workspaces(caller())
    output.emit(registered, _listing_text)


@command("add")
@click.argument("agent")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@dry_run_option
def add(agent: str, folder: Path | None, dry_run: bool) -> None:
    """Add an agent that OpenClaw's config does not name.

    FOLDER is its workspace, by default the current folder. AGENT `shared` sets up the memory that
    all agents read, in the folder that the setting shared_memory names.

    Example: clawgit workspace add coder ~/agents/coder
    """
    if agent == "shared":
        _begin_shared(dry_run=dry_run)
        return
    where = folder.expanduser() if folder else start_folder()
    output.emit(op.add(caller(), agent, where, dry_run=dry_run), _registered_text)


def _begin_shared(*, dry_run: bool) -> None:
    with opened() as ws:
        output.emit(begin(ws, dry_run=dry_run), _registered_text)


def _listing_text(registered: op.Workspaces) -> str:
    rows = [*registered.workspaces, *([registered.shared] if registered.shared else [])]
    lines = []
    for first, row in zip(table([*map(_cells, rows)]), rows, strict=True):
        lines += [first, *([f"  next: {row.next}"] if row.next else [])]
    lines = lines or [dim("no agents yet; clawgit workspace add NAME adds one")]
    return "\n".join([*lines, *notes(registered.notes)])


def _cells(row: op.ListedWorkspace) -> list[str]:
    style = output.good if row.condition == "ready" else output.warning
    path = str(row.path)
    return [output.heading(row.agent), style(row.condition), path, dim(row.origin)]


def _registered_text(done: op.Registered) -> str:
    would = "would be " if done.dry_run and done.changed else ""
    outcome = "is already listed" if done.action == "kept" else f"{would}{done.action}"
    lines = [f"{done.agent} {outcome}: {done.path}"]
    if done.next:
        lines.append(f"next: {done.next}")
    return "\n".join(lines)
