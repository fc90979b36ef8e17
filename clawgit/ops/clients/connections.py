"""Which programs `connect` has told of a workspace, read off its receipts; and taking all of that
out again.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping
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
    """A program that was told of a workspace: by which server's name, "" for the usual one, and for
    which project.
    """

    client: str
    project: Path | None = None
    name: str = ""

    @property
    def command(self) -> str:
        """What a user types to take it out."""
        named = [
            *(["--project", str(self.project)] if self.project else []),
            *(["--name", self.name] * bool(self.name)),
        ]
        return shlex.join(["clawgit", "connect", self.client, *named, "--remove"])


class TakenOut(NamedTuple):
    """What went from which file, and what stays, with the reason; the commit is that of the
    skill.
    """

    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    commit: str | None = None
    id: str | None = None


def connections(workspace: Workspace) -> tuple[Connection, ...]:
    """Each once, in the order of their files."""
    found: dict[tuple[str, Path | None], dict[str, None]] = {}
    for path in _files(workspace):
        client, project, servers = _told(workspace, path)
        found.setdefault((client, project), {}).update(dict.fromkeys(_names(workspace, servers)))
    return tuple(
        Connection(*where, name) for where, names in found.items() for name in names or ("",)
    )


def take_out(workspace: Workspace, *, dry_run: bool = False) -> TakenOut:
    """All that `connect` put in for this workspace, as each program's own `--remove` does. A
    program that is gone, or whose config cannot be read, is named; one that cannot be written is an
    error.
    """
    done: list[Connected] = []
    kept: list[str] = []
    unread: set[tuple[str, Path | None]] = set()
    for one in connections(workspace):
        try:
            plan = _PLANS[one.client](
                workspace, ConnectRequest(one.name, one.project, removing=True)
            )
        except ClawgitError as error:
            kept.append(f"what {one.client} has: {error.message} Later: {one.command}")
            unread.add((one.client, one.project))
        else:
            done.append(disconnect(workspace, plan, dry_run=dry_run))
    looked = {file.path for one in done for file in one.files}
    kept += [
        f"{file.path}, which was edited"
        for one in done
        for file in one.files
        if file.action == KEPT
    ]
    left = (
        path
        for path in _files(workspace)
        if str(path) not in looked and _told(workspace, path)[:2] not in unread
    )
    kept += [f"{path}, which still names it" for path in left]
    gone = dict.fromkeys(
        f"{one.client}: {file.path}" for one in done for file in one.files if file.action in _GONE
    )
    changed = dict.fromkeys(path for one in done for path in one.changed)
    commit, ident = next(((one.commit, one.id) for one in done if one.commit), (None, None))
    return TakenOut(tuple(gone), tuple(kept), tuple(changed), commit, ident)


def _files(workspace: Workspace) -> tuple[Path, ...]:
    return receipts_of(workspace.caller.env, workspace.caller.home).of(workspace.root)


class _Servers(NamedTuple):
    """The file in which a program's servers stand, and below which keys."""

    file: Path
    keys: tuple[str, ...]


def _told(workspace: Workspace, path: Path) -> tuple[str, Path | None, _Servers]:
    """Whose file this is, which project it is for, and where the servers of that program stand."""
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
    """The servers there that serve this workspace. What cannot be read is told by who would edit
    it.
    """
    there: object = None
    with suppress(ClawgitError):
        text = read(servers.file).text or ""
        if servers.file.suffix == ".toml":
            there = table_at(text, servers.keys)
        elif servers.file.suffix == ".json":
            there = value_at(text, servers.keys)
    for name, entry in there.items() if isinstance(there, Mapping) else ():
        if (served := served_by(entry)) and Path(served).resolve() == workspace.root.resolve():
            yield str(name)
