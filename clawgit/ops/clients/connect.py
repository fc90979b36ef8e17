"""Connects another agent's program to clawgit and disconnects it: a few named files, nothing
else.
"""

import difflib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.clients.insertion import CommentsError, WholeFile, is_empty
from clawgit.domain.safety.secrets import masked
from clawgit.errors import ClawgitError
from clawgit.ops.clients.plans import (
    PLANS,
    ClientFile,
    ConnectPlan,
    ConnectRequest,
    naming,
)
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.foreign_file import (
    ForeignFile,
    missing_folders,
    read,
    refuse_unwritable,
    remove_empty,
    replace,
)
from clawgit.stores.receipts import Owner, Receipt, Receipts, mark_of, receipts_of

ADDED = "added"
CHANGED = "changed"
REMOVED = "removed"
SAME = "unchanged"
KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Touched:
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
    it was before.
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
    """A program that is connected to a workspace. `name` is the server's, "" for the default."""

    client: str
    project: Path | None = None
    name: str = ""

    @property
    def command(self) -> str:
        """What a user types to remove it."""
        words = ["clawgit", "connect", self.client]
        words += ["--project", str(self.project)] if self.project else []
        words += ["--name", self.name] if self.name else []
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


class _Looked(NamedTuple):
    """A file as it is, and as it should be. `others`: the other connections that need it."""

    place: ClientFile
    found: ForeignFile
    wanted: str | None
    receipt: Receipt | None
    others: tuple[Owner, ...]

    @property
    def path(self) -> Path:
        return self.place.path

    @property
    def is_changed(self) -> bool:
        return self.found.text != self.wanted

    @property
    def is_ours(self) -> bool:
        """Whether the file is just as we left it."""
        return _is_ours(self.found, self.receipt)


class _Act(NamedTuple):
    """What is done with a plan, and where: its files are connected, or disconnected."""

    workspace: Workspace
    plan: ConnectPlan
    receipts: Receipts
    removing: bool

    @property
    def owner(self) -> Owner:
        asked = self.plan.asked
        project = str(asked.project) if asked.project else ""
        return Owner(str(self.workspace.root), self.plan.client, project, asked.name)


def connect(workspace: Workspace, plan: ConnectPlan, *, dry_run: bool = False) -> Connected:
    """Adds what the plan names. A second call changes nothing."""
    return _done(_Act(workspace, plan, _receipts(workspace), removing=False), dry_run=dry_run)


def disconnect(workspace: Workspace, plan: ConnectPlan, *, dry_run: bool = False) -> Connected:
    """Removes what the plan names, and keeps later edits.

    A file that nobody edited since is restored byte for byte.
    """
    plan = plan._replace(steps=(), places=tuple(reversed(plan.places)))
    return _done(_Act(workspace, plan, _receipts(workspace), removing=True), dry_run=dry_run)


def connections(workspace: Workspace) -> tuple[Connection, ...]:
    """Every connection once, in the order of the files."""
    owners = (owner for _, owner in _receipts(workspace).of(workspace.root))
    return tuple(dict.fromkeys(_connection(owner) for owner in owners))


def take_out(workspace: Workspace, *, dry_run: bool = False) -> TakenOut:
    """Removes all that `connect` added for this workspace, as each program's `--remove` does.

    A program that is gone, or whose config cannot be read, is listed in `kept`. A config that
    cannot be written raises.
    """
    done: list[Connected] = []
    kept: list[str] = []
    for connection in connections(workspace):
        client, project, name = connection
        try:
            plan = PLANS[client](workspace, ConnectRequest(name, project, removing=True))
        except ClawgitError as error:
            kept.append(_later(connection, error))
            continue
        try:
            done.append(disconnect(workspace, plan, dry_run=dry_run))
        except CommentsError as error:
            kept.append(_later(connection, error))
    return _taken_out(workspace, done, kept)


def _later(connection: Connection, error: ClawgitError) -> str:
    return f"what {connection.client} has: {error.message} Later: {connection.command}"


def _taken_out(workspace: Workspace, done: Sequence[Connected], kept: list[str]) -> TakenOut:
    gone: list[str] = []
    covered: set[str] = set()
    commit, ident = None, None
    for result in done:
        for file in result.files:
            covered.add(file.path)
            if file.action == KEPT:
                kept.append(f"{file.path}, which was edited")
            elif file.action in (CHANGED, REMOVED):
                gone.append(f"{result.client}: {file.path}")
        # One skill serves all programs, so at most one of the results has a commit.
        if result.commit:
            commit, ident = result.commit, result.id
    kept += _left(workspace, covered)
    changed = [path for result in done for path in result.changed]
    return TakenOut(_unique(gone), tuple(kept), _unique(changed), commit, ident)


def _left(workspace: Workspace, covered: set[str]) -> list[str]:
    """Files with a receipt that no plan covered."""
    # Read again: the receipts of the files that were taken out are gone by now.
    paths = (str(path) for path, _ in _receipts(workspace).of(workspace.root))
    return [f"{path}, which still names it" for path in paths if path not in covered]


def _unique(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


def _connection(owner: Owner) -> Connection:
    return Connection(owner.client, Path(owner.project) if owner.project else None, owner.name)


def _receipts(workspace: Workspace) -> Receipts:
    return receipts_of(workspace.caller.env, workspace.caller.home)


def _done(act: _Act, *, dry_run: bool) -> Connected:
    plan = act.plan
    looked = [_looked(act, place) for place in plan.places]
    commit, ident = (None, None) if dry_run else _write_all(act, looked)
    changed = tuple(str(file.path) for file in looked if file.is_changed)
    files = tuple(_touched(act, file) for file in looked)
    kept = (
        f"{file.path} was edited, and stays; delete it to have clawgit write it again."
        for file in files
        if file.action == KEPT
    )
    return Connected(
        client=plan.client,
        name=plan.name,
        workspace=act.workspace.root,
        files=files,
        notes=(*plan.notes, *kept),
        steps=tuple(plan.steps) if changed else (),
        commit=commit,
        id=ident,
        changed=changed,
        dry_run=dry_run,
    )


def _looked(act: _Act, place: ClientFile) -> _Looked:
    file, receipt = read(place.path), act.receipts.get(place.path)
    # One whose folder is gone needs nothing.
    others = tuple(
        owner
        for owner in (receipt.owners if receipt else ())
        if owner != act.owner and Path(owner.root).is_dir()
    )
    with naming(place.path):
        if act.removing:
            wanted = _without(place, file, receipt, is_shared=bool(others))
        else:
            wanted = _with(place, file, receipt)
    return _Looked(place, file, wanted, receipt, others)


def _with(place: ClientFile, file: ForeignFile, receipt: Receipt | None) -> str | None:
    is_ours = _is_ours(file, receipt)
    try:
        return _added(place, file.text, ours=is_ours)
    except CommentsError as error:
        error.hint = f"Put this in by hand:\n{_added(place, None, ours=is_ours)}"
        raise


def _added(place: ClientFile, text: str | None, *, ours: bool) -> str | None:
    for part in place.parts:
        text = part.added(text, ours=ours)
    return text


def _without(
    place: ClientFile, file: ForeignFile, receipt: Receipt | None, *, is_shared: bool
) -> str | None:
    if receipt and _is_ours(file, receipt) and not is_shared:
        # Nobody edited the file since, so the old bytes are restored: that is safer than an edit.
        return receipt.before
    text = _without_parts(place, file.text, receipt, is_shared=is_shared)
    is_made = receipt is not None and receipt.before is None
    return None if is_made and is_empty(text or "") else text


def _without_parts(
    place: ClientFile, text: str | None, receipt: Receipt | None, *, is_shared: bool
) -> str | None:
    """Takes the parts out, the last first. Other workspaces still need what is shared."""
    before = receipt.before if receipt else None
    for part in reversed(place.parts):
        if text is None:
            break
        if not part.shared or not is_shared:
            text = part.taken(text, before)
    return text


def _is_ours(file: ForeignFile, receipt: Receipt | None) -> bool:
    return receipt is not None and file.text is not None and mark_of(file.text) == receipt.after


def _write_all(act: _Act, looked: Sequence[_Looked]) -> tuple[str | None, str | None]:
    """Writes every file and its receipt; returns the commit of the skill and its id, if any."""
    # All files are checked before the first is written, so that nothing is half connected.
    for file in looked:
        if file.is_changed and not file.place.committed:
            refuse_unwritable(file.path, file.found)
    commit, ident = None, None
    for file in looked:
        # Asked before the write, which makes these folders.
        made = tuple(map(str, missing_folders(file.path)))
        if file.is_changed and file.place.committed:
            commit, ident = _committed(act, file)
        elif file.is_changed:
            if file.receipt is None and not act.removing:
                # A copy before the first write, so that a crash in between loses nothing.
                act.receipts.put(file.path, Receipt(file.found.text, "", (act.owner,), made))
            replace(file.path, file.found, file.wanted)
        _settle(act, file, made)
    return commit, ident


def _committed(act: _Act, file: _Looked) -> tuple[str | None, str | None]:
    """Commits the skill, which is a file of the workspace, so that the change can be undone."""
    workspace = act.workspace
    path = file.path.relative_to(workspace.root).as_posix()
    did = "remove the skill" if act.removing else "add the skill"
    reason = f"clawgit connect {act.plan.client}{' --remove' if act.removing else ''}"
    intent = Intent(workspace.caller.actor, "connect", did, reason=reason)
    with workspace.git.transaction(intent, workspace.now) as tx:
        tx.put(path, file.wanted)
    return tx.outcome.commit, tx.outcome.id


def _settle(act: _Act, file: _Looked, made: tuple[str, ...]) -> None:
    """Records what the file is after the write, and which connections need it."""
    old = file.receipt
    if act.removing and not file.others:
        if file.wanted is None and old:
            remove_empty(tuple(map(Path, old.made)))
        act.receipts.drop(file.path)
        return
    owners = file.others if act.removing else (*file.others, act.owner)
    if old is not None:
        after = old.after
        if file.is_changed:
            # Without a mark, a later removal edits the file and does not restore the old bytes.
            after = mark_of(file.wanted) if file.is_ours else ""
        act.receipts.put(file.path, old._replace(after=after, owners=owners))
    elif file.is_changed:
        fresh = Receipt(file.found.text, mark_of(file.wanted), owners, made)
        act.receipts.put(file.path, fresh)


def _touched(act: _Act, file: _Looked) -> Touched:
    copy = act.receipts.copy_of(file.path)
    backup = str(copy) if copy.is_file() else None
    return Touched(str(file.path), _action(file, removing=act.removing), _diff(file), backup)


def _action(file: _Looked, *, removing: bool) -> str:
    if not file.is_changed:
        return KEPT if _is_edited(file, removing=removing) else SAME
    if file.found.text is None:
        return ADDED
    return REMOVED if file.wanted is None else CHANGED


def _is_edited(file: _Looked, *, removing: bool) -> bool:
    """Whether a file that is wholly ours stays because somebody edited it."""
    text = file.found.text
    whole = [part for part in file.place.parts if isinstance(part, WholeFile)]
    left = [part for part in whole if part.text != text or (removing and not part.shared)]
    return text is not None and bool(left)


def _diff(file: _Looked) -> str:
    if not file.is_changed:
        return ""
    # No context lines: a config holds keys, and the caller may be an agent.
    before, after = file.found.text, file.wanted
    names = [str(file.path) if text is not None else "/dev/null" for text in (before, after)]
    old, new = (masked(text or "").splitlines() for text in (before, after))
    return "\n".join(difflib.unified_diff(old, new, names[0], names[1], n=0, lineterm=""))
