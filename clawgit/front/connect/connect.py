"""Connects another agent's program to clawgit and disconnects it: a few named files, nothing else.

For OpenClaw a skill, a hook and an MCP entry, for Claude Code an MCP entry and three hooks, for
Cursor and Codex an MCP entry.
"""

import difflib
import json
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import put_in_place, read_plain
from clawgit.core.errors import ConfigError, NotFoundError, UsageError
from clawgit.core.resources import own_program, resource
from clawgit.front.connect.insertion import Edit, Entry, JsonHook, config_in, edited
from clawgit.git import foreign_file
from clawgit.git.transaction import Change
from clawgit.safety.rules.secrets import masked
from clawgit.workspace.stores import openclaw
from clawgit.workspace.stores.openclaw import at
from clawgit.workspace.workspace import Workspace

KEPT = "kept"

SERVER = "clawgit"
SKILL = "skills/clawgit/SKILL.md"
EVENT = "connect event"
_MOMENTS: Mapping[str, tuple[str | None, int]] = {
    "SessionStart": ("startup|clear|compact", 20),
    "UserPromptSubmit": (None, 10),
    "Stop": (None, 20),
}
"""Claude Code's name of the event, what it matches, and how many seconds it waits at most."""

_SWITCH = ("hooks", "internal", "enabled")
_ENTRIES = ("hooks", "internal", "entries")
"""OpenClaw's hooks: whether they run, and those that are named."""


class Connection(NamedTuple):
    """A program, its project and the server's name there, "" for the usual ones."""

    client: str
    project: str = ""
    name: str = ""

    @property
    def server(self) -> str:
        return self.name or SERVER


class Connections(NamedTuple):
    """The programs that are connected to the workspace."""

    connections: tuple[Connection, ...]


class ClientFile(NamedTuple):
    """A file and what clawgit puts into it: edits of a config, or the whole `text`.

    `committed`: it is a file of the workspace, written by its transaction.
    """

    path: Path
    edits: Sequence[Edit] = ()
    text: str | None = None
    committed: bool = False


class ConnectPlan(NamedTuple):
    """What connecting means for one program. Files come in the order in which they are written.

    `own`: what is taken out again, where that is not all since other workspaces need the rest.
    """

    name: str
    places: Sequence[ClientFile]
    step: str
    notes: Sequence[str] = ()
    own: Sequence[ClientFile] = ()


class Touched(NamedTuple):
    """`action` is added, changed, removed, unchanged, or kept (somebody edited a file of ours, so
    it stays). In `diff` keys and passwords are masked.
    """

    path: str
    action: str
    diff: str
    backup: str | None


class Connected(NamedTuple):
    """What is where now; `name` is the server's name in the program's config.

    The commit is that of the skill. All other files are outside the history; `backup` holds each as
    it was before the first connection.
    """

    client: str
    name: str
    workspace: Path
    files: tuple[Touched, ...]
    notes: tuple[str, ...]
    steps: tuple[str, ...]
    change: Change


def connect(workspace: Workspace, asked: Connection, *, removing: bool = False) -> Connected:
    """Adds what the program needs; a second call changes nothing. Or removes it, and keeps what
    others wrote, or need: a config that then says what it said before gets its old bytes back.
    """
    plan = _PLANS[asked.client](workspace, asked)
    places = reversed(plan.own or plan.places) if removing else plan.places
    files = [_looked_at(workspace, place, removing=removing) for place in places]
    made = Change(dry_run=workspace.dry_run)
    if not workspace.dry_run:
        why = f"clawgit connect {asked.client}{' --remove' if removing else ''}"
        made = _write(workspace, files, why)
        _note(workspace, asked, removing=removing)
    touched = tuple(map(_touched, files))
    changed = tuple(file.path for file in touched if file.diff)
    extra = () if find_spec("mcp") else ("The server needs an extra: pip install 'clawgit[mcp]'",)
    notes = (*plan.notes, *extra, *_kept(touched))
    steps = (plan.step,) if changed and not removing else ()
    change = made._replace(changed=changed)
    return Connected(asked.client, plan.name, workspace.root, touched, notes, steps, change)


def _kept(touched: Iterable[Touched]) -> Iterator[str]:
    return (f"{file.path} was edited, and stays." for file in touched if file.action == KEPT)


def listing(workspace: Workspace) -> Connections:
    """Every connection, in the order in which they were made."""
    try:
        rows = json.loads(read_plain(_noted(workspace)))
        return Connections(tuple(Connection(*row) for row in rows))
    except (OSError, ValueError, TypeError):
        return Connections(())


def command_to_remove(row: Connection) -> str:
    """What a user types to remove a connection."""
    words = ["clawgit", "connect", row.client]
    words += ["--project", row.project] if row.project else []
    words += ["--name", row.name] if row.name else []
    return shlex.join([*words, "--remove"])


def take_out(workspace: Workspace) -> tuple[tuple[Connected, ...], tuple[str, ...]]:
    """Removes all that `connect` added for this workspace, as each program's `--remove` does; says
    also what stays, and why.

    A program that is gone, or whose config cannot be read, stays. A config that cannot be written
    raises.
    """
    done: list[Connected] = []
    kept: list[str] = []
    for row in listing(workspace).connections:
        try:
            done.append(connect(workspace, row, removing=True))
        except (ConfigError, NotFoundError) as error:
            later = command_to_remove(row)
            kept.append(f"what {row.client} has: {error.message} Later: {later}")
    files = [file for result in done for file in result.files]
    kept += [f"{file.path}, which was edited" for file in files if file.action == KEPT]
    return tuple(done), tuple(kept)


def _noted(workspace: Workspace) -> Path:
    return workspace.place.shared / "connected.json"


def _note(workspace: Workspace, own: Connection, *, removing: bool) -> None:
    """Records a connection, or that it is gone."""
    rows = [row for row in listing(workspace).connections if row != own]
    workspace.place.shared.mkdir(exist_ok=True)
    put_in_place(_noted(workspace), json.dumps(rows if removing else [*rows, own]).encode())


class _Looked(NamedTuple):
    """A file as it is, and as it should be; `copy` is for what it was before the first of ours."""

    place: ClientFile
    found: foreign_file.ForeignFile
    wanted: str | None
    copy: Path

    @property
    def action(self) -> str:
        whole, text = self.place.text, self.found.text
        if text == self.wanted:
            return KEPT if whole and text not in (None, whole) else "unchanged"
        if text is None:
            return "added"
        return "removed" if self.wanted is None else "changed"


def _looked_at(workspace: Workspace, place: ClientFile, *, removing: bool) -> _Looked:
    found, wanted = foreign_file.read(place.path), place.text
    copy = foreign_file.copy_of(place.path, workspace.env, workspace.caller.home)
    if removing:
        wanted = _without(place, found.text, copy)
    elif wanted is None:
        wanted = edited(place.path, found.text or "", place.edits)
    return _Looked(place, found, wanted, copy)


def _without(place: ClientFile, text: str | None, copy: Path) -> str | None:
    """What is left of a file: nothing, if it holds nothing else. An edited one of ours stays."""
    if text is None or place.text is not None:
        return None if text == place.text else text
    left = edited(place.path, text, place.edits, removing=True)
    if left == text:
        return text
    before = foreign_file.read(copy).text
    if before is not None and config_in(place.path, before) == config_in(place.path, left):
        return before
    return None if left.strip() in ("", "{}") else left


def _write(workspace: Workspace, files: Sequence[_Looked], why: str) -> Change:
    """Writes every file; returns the commit of the skill, if any."""
    changed = [file for file in files if file.found.text != file.wanted]
    # All files are checked before the first is written, so that nothing is half connected.
    for file in changed:
        if not file.place.committed:
            foreign_file.refuse_unwritable(file.place.path, file.found)
    made = Change()
    for place, found, wanted, copy in changed:
        if place.committed:
            made = _committed(workspace, place.path, wanted, why)
            continue
        if found.text and place.edits and _without(place, found.text, copy) == found.text:
            # Nothing of ours is in it yet. Kept first, so that a crash loses nothing.
            foreign_file.keep_copy(copy, found.text)
        foreign_file.replace(place.path, found, wanted)
    return made


def _committed(workspace: Workspace, path: Path, text: str | None, why: str) -> Change:
    """Commits the skill, a file of the workspace, so that the change can be undone."""
    did = "remove" if text is None else "add"
    with workspace.change("connect", f"{did} the skill", reason=why) as tx:
        tx.put(path.relative_to(workspace.root).as_posix(), text)
    return tx.outcome


def _touched(file: _Looked) -> Touched:
    path, diff = str(file.place.path), ""
    texts = (file.found.text, file.wanted)
    if texts[0] != texts[1]:
        # No context lines: a config holds keys, and the caller may be an agent.
        names = [path if text is not None else "/dev/null" for text in texts]
        old, new = (masked(text or "").splitlines() for text in texts)
        diff = "\n".join(difflib.unified_diff(old, new, names[0], names[1], n=0, lineterm=""))
    return Touched(path, file.action, diff, str(file.copy) if file.copy.is_file() else None)


# What connecting means for each program


def _claude_code(workspace: Workspace, asked: Connection) -> ConnectPlan:
    """The project's own files: the server in .mcp.json, the hooks in Claude Code's settings for
    this machine.
    """
    project = Path(asked.project or workspace.root)
    if project == workspace.caller.home:
        what = f"{project} is your home folder, not a project."
        raise UsageError(what, hint="Name its folder: --project DIR")
    places = (
        ClientFile(project / ".mcp.json", (_server(workspace, "mcpServers", asked.server),)),
        ClientFile(project / ".claude" / "settings.local.json", tuple(_hooks(workspace))),
    )
    step = f"Start Claude Code in {project}, and allow the server {asked.server} when it asks."
    return ConnectPlan(asked.server, places, step)


def _cursor(workspace: Workspace, asked: Connection) -> ConnectPlan:
    file = Path(asked.project or workspace.caller.home) / ".cursor" / "mcp.json"
    places = (ClientFile(file, (_server(workspace, "mcpServers", asked.server),)),)
    return ConnectPlan(asked.server, places, f"Turn {asked.server} on in its MCP settings.")


def _codex(workspace: Workspace, asked: Connection) -> ConnectPlan:
    folder = Path(asked.project or workspace.caller.home) / ".codex"
    if (named := workspace.env.get("CODEX_HOME", "")) and not asked.project:
        folder = Path(named)
    server = _server(workspace, "mcp_servers", asked.server)
    places = (ClientFile(folder / "config.toml", (server,)),)
    return ConnectPlan(asked.server, places, "Restart Codex; /mcp lists its servers.")


def _openclaw(workspace: Workspace, asked: Connection) -> ConnectPlan:
    """The skill first and the config last, so that what it enables exists already."""
    found, agent, config = _here(workspace)
    name = asked.name or (SERVER if agent == found.agents[0] else f"{SERVER}-{agent.id}")
    root = config_in(config, foreign_file.read(config).text or "")
    server = _server(workspace, "mcp", "servers", name, cwd=str(workspace.root))
    notes = [*found.notes]
    if at(root, _SWITCH) is False:
        notes.append("hooks.internal.enabled is false, so OpenClaw runs no hook.")
    if shutil.which("clawgit", path=workspace.env.get("PATH")) is None:
        notes.append("clawgit is not on PATH; OpenClaw leaves its skill out until it is.")
    # OpenClaw looks in its state for hooks of all agents; a file beside ours says which agent has
    # which workspace.
    hook = found.state / "hooks" / SERVER
    rows, row = hook / "clawgit.json", Entry(("workspaces", agent.id), str(workspace.root))
    templates = resource("templates") / "openclaw"
    skill_text = (templates / "skill" / "SKILL.md").read_text("utf-8")
    skill = ClientFile(workspace.root / SKILL, text=skill_text, committed=True)
    shared = [
        ClientFile(hook / file, text=(templates / "hook" / file).read_text("utf-8"))
        for file in ("HOOK.md", "handler.js")
    ]
    served = ClientFile(rows, (Entry(("command",), _own_command()), row))
    naming, unnaming = _named_hook(root)
    places = (skill, *shared, served, ClientFile(config, (*naming, server)))
    own: Sequence[ClientFile] = (skill, *shared, served, ClientFile(config, (*unnaming, server)))
    if _serves_others(rows, agent.id):
        own = (skill, ClientFile(rows, (row,)), ClientFile(config, (server,)))
    step = "Restart OpenClaw's gateway, so that it loads the hook: openclaw gateway restart"
    return ConnectPlan(name, places, step, notes, own)


def _named_hook(root: Mapping[str, object]) -> tuple[Sequence[Entry], Sequence[Entry]]:
    """What names our hook in OpenClaw's config, and what is taken out again.

    As soon as one hook is named, only named ones run. So if none is named and all run, ours is left
    unnamed: it runs too, and naming it would turn the others off. And with no hook named any more,
    the switch alone would turn on every hook.
    """
    switch = Entry(_SWITCH, value=True)
    named, there = Entry((*_ENTRIES, SERVER), {"enabled": True}), at(root, _ENTRIES) or {}
    runs_all = at(root, _SWITCH) is True and not there
    naming = () if runs_all or at(root, _SWITCH) is False else (switch, named)
    if SERVER not in there:
        return naming, ()
    return naming, (named,) if len(there) > 1 else (switch, named)


def _serves_others(rows: Path, own: str) -> bool:
    """Whether the hook serves another agent, whose workspace is there."""
    workspaces = at(config_in(rows, foreign_file.read(rows).text or ""), ("workspaces",))
    return isinstance(workspaces, dict) and any(
        agent != own and isinstance(folder, str) and Path(folder).is_dir()
        for agent, folder in workspaces.items()
    )


def _server(workspace: Workspace, *keys: str, **more: str) -> Entry:
    command, *arguments = _own_command("-C", str(workspace.root), "mcp")
    value = {"command": command, "args": arguments, **more}
    root = workspace.root.resolve()
    return Entry(
        keys,
        value,
        is_other=lambda folder: Path(folder).is_dir() and Path(folder).resolve() != root,
    )


def _hooks(workspace: Workspace) -> Iterator[JsonHook]:
    # Exit code 2 would block what the user typed, and no failure of clawgit may do that.
    own = shlex.join(_own_command("-C", str(workspace.root)))
    command = f"{own} {EVENT} || exit 1"
    words = (f" -C {shlex.quote(str(workspace.root))} ", f" {EVENT} ")
    for moment, (matcher, seconds) in _MOMENTS.items():
        item: dict[str, object] = {"matcher": matcher} if matcher else {}
        item["hooks"] = [{"type": "command", "command": command, "timeout": seconds}]
        yield JsonHook(("hooks", moment), item, words)


def _own_command(*arguments: str) -> list[str]:
    """How a program starts this clawgit, from any folder and with any PATH."""
    beside = Path(sys.executable).with_name("clawgit")
    return [str(beside), *arguments] if beside.is_file() else [*own_program(*arguments)]


def _here(workspace: Workspace) -> tuple[openclaw.OpenClaw, openclaw.OpenClawAgent, Path]:
    """The OpenClaw of this user, the agent whose workspace this is, and the config."""
    installation = openclaw.find(workspace.caller)
    if installation is None:
        raise NotFoundError(
            "There is no OpenClaw here.",
            hint="Install it, or name its folder: OPENCLAW_STATE_DIR=… clawgit connect openclaw",
        )
    agent = installation.agent_of(workspace.root)
    if agent is None:
        names = [f"{other.id}: {other.workspace}" for other in installation.agents]
        known = ", ".join(names) or "; ".join(installation.notes)
        raise NotFoundError(
            f"No agent of OpenClaw lives in {workspace.root}.",
            hint=f"clawgit -C DIR connect openclaw. Its agents: {known}",
        )
    if installation.config_path is None:
        raise NotFoundError(
            f"OpenClaw has no config in {installation.state} yet.",
            hint="openclaw setup, then run this again",
        )
    return installation, agent, installation.config_path


_PLANS: Mapping[str, Callable[[Workspace, Connection], ConnectPlan]] = {
    "openclaw": _openclaw,
    "claude-code": _claude_code,
    "cursor": _cursor,
    "codex": _codex,
}
"""Program → its plan."""
