"""Connects another agent's program to clawgit and disconnects it: a few named files, nothing
else.
"""

import difflib
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.safety.secrets import masked
from clawgit.errors import ConfigError, NotFoundError
from clawgit.ops.clients.insertion import CommentsError, config_in, edited
from clawgit.ops.clients.plans import (
    PLANS,
    ClientFile,
    ConnectPlan,
    ConnectRequest,
    missing_extra,
    naming,
)
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.foreign_file import (
    ForeignFile,
    copy_of,
    keep_copy,
    read,
    refuse_unwritable,
    replace,
)
from clawgit.stores.plainfile import put_in_place, read_plain

ADDED = "added"
CHANGED = "changed"
REMOVED = "removed"
SAME = "unchanged"
KEPT = "kept"


class Touched(NamedTuple):
    """`action` is added, changed, removed, unchanged, or kept (somebody edited a file of ours, so
    it stays). In `diff` keys and passwords are masked.
    """

    path: str
    action: str
    diff: str
    backup: str | None


@dataclass(frozen=True, slots=True)
class Connected:
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
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    dry_run: bool = False


class Connection(NamedTuple):
    """A program, its project and the server's name there, "" for the usual ones."""

    client: str
    project: str = ""
    name: str = ""


class Connections(NamedTuple):
    """The programs that are connected to the workspace."""

    connections: tuple[Connection, ...]


class _Looked(NamedTuple):
    """A file as it is, and as it should be."""

    place: ClientFile
    found: ForeignFile
    wanted: str | None

    @property
    def is_changed(self) -> bool:
        return self.found.text != self.wanted

    @property
    def action(self) -> str:
        if not self.is_changed:
            whole = self.place.text
            return KEPT if whole and self.found.text not in (None, whole) else SAME
        if self.found.text is None:
            return ADDED
        return REMOVED if self.wanted is None else CHANGED


def connect(
    workspace: Workspace, plan: ConnectPlan, *, removing: bool = False, dry_run: bool = False
) -> Connected:
    """Adds what the plan names; a second call changes nothing. Or removes it, and keeps what others
    wrote, or need: a config that then says what it said before gets its old bytes back.
    """
    places = reversed(plan.own or plan.places) if removing else plan.places
    files = [_looked(workspace, place, removing=removing) for place in places]
    commit, ident = None, None
    if not dry_run:
        commit, ident = _write_all(workspace, plan, files, removing=removing)
    touched = tuple(_touched(workspace, file) for file in files)
    changed = tuple(file.path for file in touched if file.diff)
    kept = (f"{file.path} was edited, and stays." for file in touched if file.action == KEPT)
    return Connected(
        plan.client,
        plan.name,
        workspace.root,
        touched,
        (*plan.notes, *missing_extra(), *kept),
        tuple(plan.steps) if changed and not removing else (),
        commit,
        ident,
        changed,
        dry_run,
    )


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


def take_out(
    workspace: Workspace, *, dry_run: bool = False
) -> tuple[tuple[Connected, ...], tuple[str, ...]]:
    """Removes all that `connect` added for this workspace, as each program's `--remove` does; says
    also what stays, and why.

    A program that is gone, or whose config cannot be read, stays. A config that cannot be written
    raises.
    """
    done: list[Connected] = []
    kept: list[str] = []
    for row in listing(workspace).connections:
        asked = ConnectRequest(row.name, Path(row.project) if row.project else None)
        try:
            plan = PLANS[row.client](workspace, asked)
            done.append(connect(workspace, plan, removing=True, dry_run=dry_run))
        except (ConfigError, NotFoundError) as error:
            later = command_to_remove(row)
            kept.append(f"what {row.client} has: {error.message} Later: {later}")
    files = [file for result in done for file in result.files]
    kept += [f"{file.path}, which was edited" for file in files if file.action == KEPT]
    return tuple(done), tuple(kept)


def _noted(workspace: Workspace) -> Path:
    return workspace.place.shared / "connected.json"


def _note(workspace: Workspace, plan: ConnectPlan, *, removing: bool) -> None:
    """Records a connection, or that it is gone."""
    own = Connection(plan.client, str(plan.asked.project or ""), plan.asked.name)
    rows = [row for row in listing(workspace).connections if row != own]
    workspace.place.shared.mkdir(exist_ok=True)
    put_in_place(_noted(workspace), json.dumps(rows if removing else [*rows, own]).encode())


def _looked(workspace: Workspace, place: ClientFile, *, removing: bool) -> _Looked:
    found = read(place.path)
    with naming(place.path):
        wanted = _without(workspace, place, found.text) if removing else _with(place, found.text)
    return _Looked(place, found, wanted)


def _with(place: ClientFile, text: str | None) -> str:
    if place.text is not None:
        return place.text
    try:
        return edited(text or "", place.edits, toml=place.is_toml)
    except CommentsError as error:
        error.hint = f"Put this in by hand:\n{edited('', place.edits)}"
        raise


def _without(workspace: Workspace, place: ClientFile, text: str | None) -> str | None:
    """What is left of a file: nothing, if it holds nothing else. An edited one of ours stays."""
    if text is None or place.text is not None:
        return None if text == place.text else text
    left = edited(text, place.edits, removing=True, toml=place.is_toml)
    if left == text:
        return text
    before = read(_copy(workspace, place)).text
    if before is not None and _says_same(place, before, left):
        return before
    return None if left.strip() in ("", "{}") else left


def _says_same(place: ClientFile, before: str, left: str) -> bool:
    return config_in(before, toml=place.is_toml) == config_in(left, toml=place.is_toml)


def _write_all(
    workspace: Workspace, plan: ConnectPlan, files: Sequence[_Looked], *, removing: bool
) -> tuple[str | None, str | None]:
    """Writes every file; returns the commit of the skill and its id, if any."""
    changed = [file for file in files if file.is_changed]
    # All files are checked before the first is written, so that nothing is half connected.
    for file in changed:
        if not file.place.committed:
            refuse_unwritable(file.place.path, file.found)
    commit, ident = None, None
    for file in changed:
        if file.place.committed:
            why = f"clawgit connect {plan.client}{' --remove' if removing else ''}"
            commit, ident = _committed(workspace, file, why)
            continue
        text = file.found.text
        if text and file.place.edits and _without(workspace, file.place, text) == text:
            # Nothing of ours is in it yet. Kept first, so that a crash in between loses nothing.
            keep_copy(_copy(workspace, file.place), text)
        replace(file.place.path, file.found, file.wanted)
    _note(workspace, plan, removing=removing)
    return commit, ident


def _committed(workspace: Workspace, file: _Looked, why: str) -> tuple[str | None, str | None]:
    """Commits the skill, which is a file of the workspace, so that the change can be undone."""
    did = "remove" if file.wanted is None else "add"
    intent = Intent(workspace.caller.actor, "connect", f"{did} the skill", reason=why)
    with workspace.git.transaction(intent, workspace.now) as tx:
        tx.put(file.place.path.relative_to(workspace.root).as_posix(), file.wanted)
    return tx.outcome.commit, tx.outcome.id


def _copy(workspace: Workspace, place: ClientFile) -> Path:
    return copy_of(place.path, workspace.caller.env, workspace.caller.home)


def _touched(workspace: Workspace, file: _Looked) -> Touched:
    copy = _copy(workspace, file.place)
    backup = str(copy) if copy.is_file() else None
    return Touched(str(file.place.path), file.action, _diff(file), backup)


def _diff(file: _Looked) -> str:
    if not file.is_changed:
        return ""
    # No context lines: a config holds keys, and the caller may be an agent.
    texts = (file.found.text, file.wanted)
    names = [str(file.place.path) if text is not None else "/dev/null" for text in texts]
    old, new = (masked(text or "").splitlines() for text in texts)
    return "\n".join(difflib.unified_diff(old, new, names[0], names[1], n=0, lineterm=""))
