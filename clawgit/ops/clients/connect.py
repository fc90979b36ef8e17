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
from clawgit.domain.clients.insertion import CommentsError, config_in, edited
from clawgit.domain.safety.secrets import masked
from clawgit.errors import ConfigError, NotFoundError
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


class Connections(NamedTuple):
    """The programs that are connected to the workspace."""

    connections: tuple[Owner, ...]


class _Act(NamedTuple):
    """What is done with a plan, and where: its files are connected, or disconnected."""

    workspace: Workspace
    plan: ConnectPlan
    removing: bool

    @property
    def receipts(self) -> Receipts:
        return _receipts(self.workspace)

    @property
    def owner(self) -> Owner:
        project = str(self.plan.asked.project or "")
        root = str(self.workspace.root)
        return Owner(root, self.plan.client, project, self.plan.asked.name)


class _Looked(NamedTuple):
    """A file as it is, and as it should be. `others`: the other connections that need it."""

    place: ClientFile
    found: ForeignFile
    receipt: Receipt | None
    others: tuple[Owner, ...]
    wanted: str | None = None

    @property
    def is_changed(self) -> bool:
        return self.found.text != self.wanted

    @property
    def is_ours(self) -> bool:
        """Whether the file is just as we left it."""
        text, receipt = self.found.text, self.receipt
        return receipt is not None and text is not None and mark_of(text) == receipt.after


def connect(workspace: Workspace, plan: ConnectPlan, *, dry_run: bool = False) -> Connected:
    """Adds what the plan names. A second call changes nothing."""
    return _done(_Act(workspace, plan, removing=False), dry_run=dry_run)


def disconnect(workspace: Workspace, plan: ConnectPlan, *, dry_run: bool = False) -> Connected:
    """Removes what the plan names, and keeps later edits.

    A file that nobody edited since is restored byte for byte.
    """
    plan = plan._replace(steps=(), places=tuple(reversed(plan.places)))
    return _done(_Act(workspace, plan, removing=True), dry_run=dry_run)


def listing(workspace: Workspace) -> Connections:
    """Every connection once, in the order of the files."""
    owners = (owner for _, owner in _receipts(workspace).of(workspace.root))
    return Connections(tuple(dict.fromkeys(owners)))


def command_to_remove(owner: Owner) -> str:
    """What a user types to remove a connection."""
    words = ["clawgit", "connect", owner.client]
    words += ["--project", owner.project] if owner.project else []
    words += ["--name", owner.name] if owner.name else []
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
    for owner in listing(workspace).connections:
        asked = ConnectRequest(owner.name, Path(owner.project) if owner.project else None)
        try:
            plan = PLANS[owner.client](workspace, asked)
            done.append(disconnect(workspace, plan, dry_run=dry_run))
        except (ConfigError, NotFoundError) as error:
            later = command_to_remove(owner)
            kept.append(f"what {owner.client} has: {error.message} Later: {later}")
    files = [file for result in done for file in result.files]
    kept += [f"{file.path}, which was edited" for file in files if file.action == KEPT]
    # The receipts of the files that were taken out are gone by now.
    left = {str(path) for path, _ in _receipts(workspace).of(workspace.root)}
    named = sorted(left.difference(file.path for file in files))
    return tuple(done), (*kept, *(f"{path}, which still names it" for path in named))


def _receipts(workspace: Workspace) -> Receipts:
    return receipts_of(workspace.caller.env, workspace.caller.home)


def _done(act: _Act, *, dry_run: bool) -> Connected:
    plan = act.plan
    looked = [_looked(act, place) for place in plan.places]
    commit, ident = (None, None) if dry_run else _write_all(act, looked)
    files = tuple(_touched(act, file) for file in looked)
    changed = tuple(file.path for file in files if file.diff)
    kept = (
        f"{file.path} was edited, and stays; delete it to have clawgit write it again."
        for file in files
        if file.action == KEPT
    )
    return Connected(
        plan.client,
        plan.name,
        act.workspace.root,
        files,
        (*plan.notes, *missing_extra(), *kept),
        tuple(plan.steps) if changed else (),
        commit,
        ident,
        changed,
        dry_run,
    )


def _looked(act: _Act, place: ClientFile) -> _Looked:
    receipt = act.receipts.get(place.path)
    # One whose folder is gone needs nothing.
    others = tuple(
        owner
        for owner in (receipt.owners if receipt else ())
        if owner != act.owner and Path(owner.root).is_dir()
    )
    file = _Looked(place, read(place.path), receipt, others)
    with naming(place.path):
        return file._replace(wanted=_without(file) if act.removing else _with(file))


def _with(file: _Looked) -> str | None:
    text, place = file.found.text, file.place
    if place.text is not None:
        return place.text if text is None or file.is_ours else text
    try:
        return _added(place, text or "")
    except CommentsError as error:
        error.hint = f"Put this in by hand:\n{_added(place, '')}"
        raise


def _added(place: ClientFile, text: str) -> str:
    return edited(text, place.edits, lambda edit, root: edit.put(root), toml=place.is_toml)


def _without(file: _Looked) -> str | None:
    """The text without ours. Other workspaces still need what is shared."""
    text, receipt = file.found.text, file.receipt
    if text is None:
        return None
    if receipt and file.is_ours and not file.others:
        # Nobody edited the file since, so the old bytes are restored: that is safer than an edit.
        return receipt.before
    return _taken(file, text) if file.place.text is None else _left(file, text)


def _left(file: _Looked, text: str) -> str | None:
    """What stays of a file that is wholly ours: nothing, unless it was edited or is needed."""
    if text != file.place.text or (file.place.shared and file.others):
        return text
    return None


def _taken(file: _Looked, text: str) -> str | None:
    """The text of a config without our edits; None for one that we made, if nothing is left."""
    receipt, toml = file.receipt or Receipt("", "", ()), file.place.is_toml
    before = config_in(receipt.before or "", toml=toml)
    edits = [edit for edit in reversed(file.place.edits) if not (edit.shared and file.others)]
    left = edited(text, edits, lambda edit, root: edit.take(root, before), toml=toml)
    if receipt.before is None and left.strip() in ("", "{}"):
        return None
    return left


def _write_all(act: _Act, looked: Sequence[_Looked]) -> tuple[str | None, str | None]:
    """Writes every file and its receipt; returns the commit of the skill and its id, if any."""
    # All files are checked before the first is written, so that nothing is half connected.
    for file in looked:
        if file.is_changed and not file.place.committed:
            refuse_unwritable(file.place.path, file.found)
    commit, ident = None, None
    for file in looked:
        path = file.place.path
        # Asked before the write, which makes these folders.
        made = tuple(map(str, missing_folders(path)))
        if file.is_changed and file.place.committed:
            commit, ident = _committed(act, file)
        elif file.is_changed:
            if file.receipt is None and not act.removing:
                # A copy before the first write, so that a crash in between loses nothing.
                act.receipts.put(path, Receipt(file.found.text, "", (act.owner,), made))
            replace(path, file.found, file.wanted)
        _settle(act, file, made)
    return commit, ident


def _committed(act: _Act, file: _Looked) -> tuple[str | None, str | None]:
    """Commits the skill, which is a file of the workspace, so that the change can be undone."""
    workspace = act.workspace
    did, flag = ("remove", " --remove") if act.removing else ("add", "")
    reason = f"clawgit connect {act.plan.client}{flag}"
    intent = Intent(workspace.caller.actor, "connect", f"{did} the skill", reason=reason)
    with workspace.git.transaction(intent, workspace.now) as tx:
        tx.put(file.place.path.relative_to(workspace.root).as_posix(), file.wanted)
    return tx.outcome.commit, tx.outcome.id


def _settle(act: _Act, file: _Looked, made: tuple[str, ...]) -> None:
    """Records what the file is after the write, and which connections need it."""
    old, path = file.receipt, file.place.path
    if act.removing and not file.others:
        if file.wanted is None and old:
            remove_empty(tuple(map(Path, old.made)))
        act.receipts.drop(path)
        return
    owners = file.others if act.removing else (*file.others, act.owner)
    after = mark_of(file.wanted)
    if old is None:
        if file.is_changed:
            act.receipts.put(path, Receipt(file.found.text, after, owners, made))
        return
    if not file.is_changed:
        after = old.after
    elif not file.is_ours:
        # Without a mark, a later removal edits the file and does not restore the old bytes.
        after = ""
    act.receipts.put(path, old._replace(after=after, owners=owners))


def _touched(act: _Act, file: _Looked) -> Touched:
    path, copy = file.place.path, act.receipts.copy_of(file.place.path)
    backup = str(copy) if copy.is_file() else None
    return Touched(str(path), _action(file), _diff(file), backup)


def _action(file: _Looked) -> str:
    text, whole = file.found.text, file.place.text
    if not file.is_changed:
        return KEPT if whole and text and text != whole else SAME
    if text is None:
        return ADDED
    return REMOVED if file.wanted is None else CHANGED


def _diff(file: _Looked) -> str:
    if not file.is_changed:
        return ""
    # No context lines: a config holds keys, and the caller may be an agent.
    texts = (file.found.text, file.wanted)
    names = [str(file.place.path) if text is not None else "/dev/null" for text in texts]
    old, new = (masked(text or "").splitlines() for text in texts)
    return "\n".join(difflib.unified_diff(old, new, names[0], names[1], n=0, lineterm=""))
