"""Finds the programs that a workspace is connected to, by their receipts, and disconnects all."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.clients.insertion import served_by
from clawgit.domain.clients.json5edit import value_at
from clawgit.domain.clients.toml_tables import table_at
from clawgit.errors import ClawgitError
from clawgit.ops.clients import connect_clients, connect_openclaw
from clawgit.ops.clients.connect import CHANGED, KEPT, REMOVED, Connected, ConnectPlan, disconnect
from clawgit.ops.clients.connect_clients import ConnectRequest
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.foreign_file import read
from clawgit.stores.receipts import receipts_of

OPENCLAW = "openclaw"
_GONE = (CHANGED, REMOVED)
_PLANS: Mapping[str, Callable[[Workspace, ConnectRequest], ConnectPlan]] = {
    OPENCLAW: connect_openclaw.plan,
    "claude-code": connect_clients.claude_code,
    "cursor": connect_clients.cursor,
    "codex": connect_clients.codex,
}


class Connection(NamedTuple):
    """A program that is connected to a workspace. `name` is the server's, "" for the default."""

    client: str
    project: Path | None = None
    name: str = ""

    @property
    def command(self) -> str:
        """What a user types to remove it."""
        words = ["clawgit", "connect", self.client]
        if self.project:
            words += ["--project", str(self.project)]
        if self.name:
            words += ["--name", self.name]
        return shlex.join([*words, "--remove"])


class Connections(NamedTuple):
    """The programs that are connected to the workspace."""

    connections: tuple[Connection, ...]


class TakenOut(NamedTuple):
    """What was removed from which file, and what stays and why. The commit is the skill's."""

    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    commit: str | None = None
    id: str | None = None


def connections(workspace: Workspace) -> tuple[Connection, ...]:
    """Every connection once, in the order of the files."""
    by_project: dict[tuple[str, Path | None], dict[str, None]] = {}
    for path in _files(workspace):
        client, project, servers = _program_of(workspace, path)
        names = by_project.setdefault((client, project), {})
        names.update(dict.fromkeys(_names(workspace, servers)))
    return tuple(
        Connection(client, project, name)
        for (client, project), names in by_project.items()
        for name in names or ("",)
    )


def take_out(workspace: Workspace, *, dry_run: bool = False) -> TakenOut:
    """Removes all that `connect` added for this workspace, as each program's `--remove` does.

    A program that is gone, or whose config cannot be read, is listed in `kept`. A config that
    cannot be written raises.
    """
    done: list[Connected] = []
    kept: list[str] = []
    unread: set[tuple[str, Path | None]] = set()
    for connection in connections(workspace):
        client, project, name = connection
        try:
            plan = _PLANS[client](workspace, ConnectRequest(name, project, removing=True))
        except ClawgitError as error:
            kept.append(f"what {client} has: {error.message} Later: {connection.command}")
            unread.add((client, project))
        else:
            done.append(disconnect(workspace, plan, dry_run=dry_run))
    kept += _edited(done)
    kept += _left(workspace, done, unread)
    return _summed_up(done, kept)


def _edited(done: Iterable[Connected]) -> list[str]:
    return [
        f"{file.path}, which was edited"
        for result in done
        for file in result.files
        if file.action == KEPT
    ]


def _left(
    workspace: Workspace, done: Iterable[Connected], unread: set[tuple[str, Path | None]]
) -> list[str]:
    """Files with a receipt that no plan covered, other than those of programs named already."""
    covered = {file.path for result in done for file in result.files}
    left = []
    # The receipts are read again: those of the files that were taken out are gone by now.
    for path in _files(workspace):
        client, project, _ = _program_of(workspace, path)
        if str(path) not in covered and (client, project) not in unread:
            left.append(f"{path}, which still names it")
    return left


def _summed_up(done: Iterable[Connected], kept: Iterable[str]) -> TakenOut:
    removed: list[str] = []
    changed: list[str] = []
    commit, ident = None, None
    for result in done:
        removed += [
            f"{result.client}: {file.path}" for file in result.files if file.action in _GONE
        ]
        changed += result.changed
        # One skill serves all programs, so at most one of the results has a commit.
        if result.commit:
            commit, ident = result.commit, result.id
    return TakenOut(_unique(removed), tuple(kept), _unique(changed), commit, ident)


def _unique(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


def _files(workspace: Workspace) -> tuple[Path, ...]:
    return receipts_of(workspace.caller.env, workspace.caller.home).of(workspace.root)


class _Servers(NamedTuple):
    """The file in which a program lists its servers, and the keys above them."""

    file: Path
    keys: tuple[str, ...]


def _program_of(workspace: Workspace, path: Path) -> tuple[str, Path | None, _Servers]:
    """The program and the project of a file, and where that program lists its servers."""
    home, above = workspace.caller.home, path.parent.parent
    if path.name == ".mcp.json":
        return "claude-code", path.parent, _Servers(path, ("mcpServers",))
    if path.parts[-2:] == (".claude", "settings.local.json"):
        return "claude-code", above, _Servers(above / ".mcp.json", ("mcpServers",))
    if path.parts[-2:] == (".cursor", "mcp.json"):
        return "cursor", None if above == home else above, _Servers(path, ("mcpServers",))
    if path.name == "config.toml":
        own = Path(workspace.caller.env.get("CODEX_HOME") or home / ".codex")
        return "codex", None if path.parent == own else above, _Servers(path, ("mcp_servers",))
    return OPENCLAW, None, _Servers(path, ("mcp", "servers"))


def _names(workspace: Workspace, servers: _Servers) -> Iterator[str]:
    """The names of the servers in a file that serve this workspace."""
    entries: object = None
    # A file that cannot be read is reported later, by the plan that would edit it.
    with suppress(ClawgitError):
        text = read(servers.file).text or ""
        if servers.file.suffix == ".toml":
            entries = table_at(text, servers.keys)
        elif servers.file.suffix == ".json":
            entries = value_at(text, servers.keys)
    if not isinstance(entries, Mapping):
        return
    root = workspace.root.resolve()
    for name, entry in entries.items():
        served = served_by(entry)
        if served and Path(served).resolve() == root:
            yield str(name)
