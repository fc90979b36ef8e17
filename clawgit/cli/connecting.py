"""What `connect` does: writes into the files of OpenClaw, Claude Code, Cursor or Codex."""

from pathlib import Path
from typing import NamedTuple

from clawgit.cli import output
from clawgit.cli.opening import workspace
from clawgit.cli.output import dim, notes, shown
from clawgit.errors import UsageError
from clawgit.ops.clients.connect import (
    Connected,
    Connection,
    Connections,
    Touched,
    connections,
    disconnect,
)
from clawgit.ops.clients.connect import connect as put_in
from clawgit.ops.clients.plans import PLANS, ConnectRequest

_MOST_SHOWN = 15
"""How many lines of a new file --dry-run shows. A longer file is copied from the package."""

_NEW_LINE = "\n+"
"""How an added line begins in a diff; the diff's own heading has one as well."""


class Typed(NamedTuple):
    """What was typed."""

    client: str | None
    project: str | None
    name: str
    remove: bool
    dry_run: bool


def connect(typed: Typed) -> None:
    """Connects a program or disconnects it; without one, lists those that are connected."""
    if typed.project and typed.client == "openclaw":
        raise UsageError("OpenClaw has no projects.", hint="Leave out --project.")
    asked = ConnectRequest(typed.name, _project_folder(typed.project), typed.remove)
    with workspace() as opened:
        if typed.client is None:
            output.emit(Connections(connections(opened)), _connections_text)
            return
        change = disconnect if typed.remove else put_in
        plan = PLANS[typed.client](opened, asked)
        output.emit(change(opened, plan, dry_run=typed.dry_run), _connected_text)


def _project_folder(project: str | None) -> Path | None:
    if not project:
        return None
    folder = Path(project).expanduser().absolute()
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a folder.", hint="Name the project's folder: --project DIR"
        )
    return folder


def _connected_text(done: Connected) -> str:
    rows = [row for file in done.files for row in _file_rows(file, dry_run=done.dry_run)]
    rows = rows or [f"no change needed for {done.client}"]
    rows += notes(done.notes)
    rows += [] if done.dry_run else [f"next: {shown(step)}" for step in done.steps]
    return "\n".join(rows)


def _file_rows(file: Touched, *, dry_run: bool) -> list[str]:
    if not file.diff:
        return []
    is_new = file.action == "added"
    if not dry_run:
        backup = ""
        if file.backup and not is_new:
            backup = dim(f"  backup: {shown(file.backup)}")
        return [f"{file.action} {shown(file.path)}{backup}"]
    lines = file.diff.count(_NEW_LINE) - 1
    if is_new and lines > _MOST_SHOWN:
        return [f"would add {shown(file.path)}, {lines} lines"]
    return [output.colored_diff(shown(file.diff))]


def _connections_text(listing: Connections) -> str:
    rows = [_connection_text(connection) for connection in listing.connections]
    return "\n".join(rows) or dim("no program is connected to this workspace")


def _connection_text(connection: Connection) -> str:
    where = f" in {shown(str(connection.project))}" if connection.project else ""
    return f"connected: {connection.client}{where}  {dim(shown(connection.command))}"
