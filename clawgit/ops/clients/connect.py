"""Connects another agent's program to clawgit and disconnects it: a few named files, nothing
else.
"""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.clients.insertion import Insertion, WholeFile, is_empty
from clawgit.domain.safety.secrets import masked
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.foreign_file import (
    ForeignFile,
    missing_folders,
    read,
    refuse_unwritable,
    remove_empty,
    replace,
)
from clawgit.stores.receipts import Receipt, Receipts, mark_of, receipts_of

ADDED = "added"
CHANGED = "changed"
REMOVED = "removed"
SAME = "unchanged"
KEPT = "kept"


class ClientFile(NamedTuple):
    """A file and what clawgit puts into it.

    `committed`: it is a file of the workspace, written by its transaction.
    """

    path: Path
    parts: Sequence[Insertion]
    committed: bool = False


class ConnectPlan(NamedTuple):
    """What connecting means for one program. Files come in the order in which they are written."""

    client: str
    name: str
    places: Sequence[ClientFile]
    notes: Sequence[str] = ()
    steps: Sequence[str] = ()


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
    it was before. `model` is the language model that was set with it, null if none was.
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
    model: str | None = None


class _Looked(NamedTuple):
    """A file as it is, and as it should be."""

    place: ClientFile
    found: ForeignFile
    wanted: str | None
    receipt: Receipt | None

    @property
    def path(self) -> Path:
        return self.place.path

    @property
    def is_changed(self) -> bool:
        return self.found.text != self.wanted


class _Act(NamedTuple):
    """What is done with a plan, and where: its files are connected, or disconnected."""

    workspace: Workspace
    plan: ConnectPlan
    receipts: Receipts
    removing: bool

    @property
    def root(self) -> str:
        return str(self.workspace.root)


def connect(workspace: Workspace, plan: ConnectPlan, *, dry_run: bool = False) -> Connected:
    """Adds what the plan names. A second call changes nothing."""
    act = _Act(workspace, plan, _receipts(workspace), removing=False)
    return _done(act, [_added(place, act.receipts) for place in plan.places], dry_run=dry_run)


def disconnect(workspace: Workspace, plan: ConnectPlan, *, dry_run: bool = False) -> Connected:
    """Removes what the plan names, and keeps later edits.

    A file that nobody edited since is restored byte for byte.
    """
    act = _Act(workspace, plan._replace(steps=()), _receipts(workspace), removing=True)
    looked = [_taken(place, act.receipts, act.root) for place in reversed(plan.places)]
    return _done(act, looked, dry_run=dry_run)


def _receipts(workspace: Workspace) -> Receipts:
    return receipts_of(workspace.caller.env, workspace.caller.home)


def _added(place: ClientFile, receipts: Receipts) -> _Looked:
    file, receipt = read(place.path), receipts.get(place.path)
    text, ours = file.text, _is_ours(file, receipt)
    with naming(place.path):
        for part in place.parts:
            text = part.added(text, ours=ours)
    return _Looked(place, file, text, receipt)


def _taken(place: ClientFile, receipts: Receipts, root: str) -> _Looked:
    file, receipt = read(place.path), receipts.get(place.path)
    has_others = bool(_others(receipt, root))
    if receipt and _is_ours(file, receipt) and not has_others:
        # Nobody edited the file since, so the old bytes are restored: that is safer than an edit.
        return _Looked(place, file, receipt.before, receipt)
    before = receipt.before if receipt else None
    text = file.text
    with naming(place.path):
        for part in _removable(place, has_others=has_others):
            text = part.taken(text, before, ours=False)
    if _is_left_empty(text, receipt):
        text = None
    return _Looked(place, file, text, receipt)


def _removable(place: ClientFile, *, has_others: bool) -> list[Insertion]:
    """The parts to take out, last first: other workspaces still need the shared ones."""
    return [part for part in reversed(place.parts) if not (part.shared and has_others)]


def _is_left_empty(text: str | None, receipt: Receipt | None) -> bool:
    """Whether a file that clawgit created has nothing in it any more."""
    if text is None or receipt is None or receipt.before is not None:
        return False
    return is_empty(text)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Puts the path in front of the message of an error."""
    try:
        yield
    except ClawgitError as error:
        error.message = f"{path}: {error.message}"
        error.args = (error.message,)
        raise


def _is_ours(file: ForeignFile, receipt: Receipt | None) -> bool:
    return receipt is not None and file.text is not None and mark_of(file.text) == receipt.after


def _others(receipt: Receipt | None, root: str) -> tuple[str, ...]:
    """The other workspaces that need this file. One whose folder is gone needs nothing."""
    owners = receipt.owners if receipt else ()
    return tuple(owner for owner in owners if owner != root and Path(owner).is_dir())


def _done(act: _Act, looked: Sequence[_Looked], *, dry_run: bool) -> Connected:
    plan = act.plan
    commit, ident = (None, None) if dry_run else _write_all(act, looked)
    changed = tuple(str(file.path) for file in looked if file.is_changed)
    files = tuple(_touched(act, file) for file in looked)
    return Connected(
        client=plan.client,
        name=plan.name,
        workspace=act.workspace.root,
        files=files,
        notes=(*plan.notes, *_kept_notes(files)),
        steps=tuple(plan.steps) if changed else (),
        commit=commit,
        id=ident,
        changed=changed,
        dry_run=dry_run,
    )


def _write_all(act: _Act, looked: Sequence[_Looked]) -> tuple[str | None, str | None]:
    """Writes every file and its receipt; returns the commit of the skill and its id, if any."""
    # All files are checked before the first is written, so that nothing is half connected.
    for file in looked:
        if file.is_changed and not file.place.committed:
            refuse_unwritable(file.path, file.found)
    commit, ident = None, None
    for file in looked:
        # Asked before the write, which makes these folders.
        made = missing_folders(file.path)
        if file.is_changed and file.place.committed:
            commit, ident = _committed(act, file)
        elif file.is_changed:
            _keep(act, file, made)
            replace(file.path, file.found, file.wanted)
        _settle(act, file, made)
    return commit, ident


def _committed(act: _Act, file: _Looked) -> tuple[str | None, str | None]:
    """Commits the skill, which is a file of the workspace, so that the change can be undone."""
    workspace = act.workspace
    path = file.path.relative_to(workspace.root).as_posix()
    did = "remove the skill" if act.removing else "add the skill"
    reason = f"clawgit connect {act.plan.client}{' --remove' if act.removing else ''}"
    with workspace.git.transaction(
        Intent(workspace.caller.actor, "connect", did, reason=reason), workspace.now
    ) as tx:
        tx.put(path, file.wanted)
    return tx.outcome.commit, tx.outcome.id


def _keep(act: _Act, file: _Looked, made: tuple[Path, ...]) -> None:
    """Saves a copy of the file before the first write, so that a crash in between loses nothing."""
    if file.receipt is None and not act.removing:
        receipt = Receipt(file.found.text, "", (act.root,), tuple(map(str, made)))
        act.receipts.put(file.path, receipt)


def _settle(act: _Act, file: _Looked, made: tuple[Path, ...]) -> None:
    """Records what the file is after the write, and which workspaces need it."""
    others, old = _others(file.receipt, act.root), file.receipt
    if act.removing and not others:
        _forget(act.receipts, file)
        return
    owners = others if act.removing else (*others, act.root)
    if old is not None:
        fresh = old._replace(after=_mark_after(file, old), owners=owners)
    elif file.is_changed:
        fresh = Receipt(file.found.text, mark_of(file.wanted), owners, tuple(map(str, made)))
    else:
        return  # the file had it all before: there is nothing to restore
    if fresh != old:
        act.receipts.put(file.path, fresh)


def _forget(receipts: Receipts, file: _Looked) -> None:
    """Drops the receipt, and the folders that were made for a file that is gone now."""
    if file.wanted is None and file.receipt:
        remove_empty(tuple(map(Path, file.receipt.made)))
    receipts.drop(file.path)


def _mark_after(file: _Looked, old: Receipt) -> str:
    """The mark of the file after the write, "" if somebody else's edits are in it."""
    if not file.is_changed:
        return old.after
    if _is_ours(file.found, old):
        return mark_of(file.wanted)
    # Without a mark, a later removal edits the file and does not restore the old bytes.
    return ""


def _touched(act: _Act, file: _Looked) -> Touched:
    copy = act.receipts.copy_of(file.path)
    action = _action(file, removing=act.removing)
    return Touched(str(file.path), action, _diff(file), str(copy) if copy.is_file() else None)


def _action(file: _Looked, *, removing: bool) -> str:
    before, after = file.found.text, file.wanted
    if not file.is_changed:
        is_kept = before is not None and _is_edited(file, removing=removing)
        return KEPT if is_kept else SAME
    if before is None:
        return ADDED
    return REMOVED if after is None else CHANGED


def _is_edited(file: _Looked, *, removing: bool) -> bool:
    whole = [part for part in file.place.parts if isinstance(part, WholeFile)]
    return any(part.text != file.found.text or (removing and not part.shared) for part in whole)


def _kept_notes(files: Iterable[Touched]) -> Iterable[str]:
    return (
        f"{file.path} was edited, and stays; delete it to have clawgit write it again."
        for file in files if file.action == KEPT
    )  # fmt: skip


def _diff(file: _Looked) -> str:
    if not file.is_changed:
        return ""
    # No context lines: a config holds keys, and the caller may be an agent.
    before, after = file.found.text, file.wanted
    names = [str(file.path) if text is not None else "/dev/null" for text in (before, after)]
    old, new = (masked(text or "").splitlines() for text in (before, after))
    return "\n".join(difflib.unified_diff(old, new, names[0], names[1], n=0, lineterm=""))
