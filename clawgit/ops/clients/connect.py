"""Making clawgit known to another agent's tool, and taking that out again: a few named files,
nothing else.
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
    """A file and what we put into it. `committed`: it is a file of the workspace, written by its
    transaction.
    """

    path: Path
    parts: Sequence[Insertion]
    committed: bool = False


class ConnectPlan(NamedTuple):
    """What connecting means for one program. Files come in the order in which they are written."""

    client: str
    name: str
    places: Sequence[ClientFile]
    era: str | None = None
    notes: Sequence[str] = ()
    steps: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Touched:
    """`action` is added, changed, removed, unchanged, or kept: somebody edited a file of ours, and
    it stays. In `diff` keys and passwords are masked.
    """

    path: str
    action: str
    diff: str
    backup: str | None


@dataclass(frozen=True, slots=True)
class Connected:
    """What lies where now; `name` is the server's name in the tool's config. The commit is that of
    the skill: all other files lie outside the history, and `backup` holds each as it was before.
    `model` is the language model that was set with it, null where none was.
    """

    client: str
    name: str
    workspace: Path
    era: str | None
    files: tuple[Touched, ...]
    notes: tuple[str, ...]
    steps: tuple[str, ...]
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    dry_run: bool = False
    model: str | None = None


class _Looked(NamedTuple):
    """A file as it is, and as it is to be."""

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


def connect(workspace: Workspace, plan: ConnectPlan, *, dry_run: bool = False) -> Connected:
    """Puts in what the plan names. Twice is once."""
    receipts = _receipts(workspace)
    looked = [_added(place, receipts) for place in plan.places]
    return _done(workspace, plan, receipts, looked, dry_run=dry_run)


def disconnect(workspace: Workspace, plan: ConnectPlan, *, dry_run: bool = False) -> Connected:
    """Takes out what the plan names: files that nobody touched since are again as they were, to the
    byte, and edits that came later stay.
    """
    receipts = _receipts(workspace)
    looked = [_taken(place, receipts, workspace.root) for place in reversed(plan.places)]
    return _done(
        workspace, plan._replace(steps=()), receipts, looked, removing=True, dry_run=dry_run
    )


def _receipts(workspace: Workspace) -> Receipts:
    return receipts_of(workspace.caller.env, workspace.caller.home)


def _added(place: ClientFile, receipts: Receipts) -> _Looked:
    found, receipt = read(place.path), receipts.get(place.path)
    text, ours = found.text, _is_ours(found, receipt)
    with naming(place.path):
        for part in place.parts:
            text = part.added(text, ours=ours)
    return _Looked(place, found, text, receipt)


def _taken(place: ClientFile, receipts: Receipts, root: Path) -> _Looked:
    found, receipt = read(place.path), receipts.get(place.path)
    text, ours = found.text, _is_ours(found, receipt)
    others = _others(receipt, root)
    if receipt and ours and not others:
        return _Looked(place, found, receipt.before, receipt)
    before = receipt.before if receipt else None
    with naming(place.path):
        for part in reversed(place.parts):
            if not (part.shared and others):
                text = part.taken(text, before, ours=ours and not others)
    was_there = receipt is None or receipt.before is not None
    gone = text is not None and is_empty(text) and not was_there
    return _Looked(place, found, None if gone else text, receipt)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """An error in a file says in which."""
    try:
        yield
    except ClawgitError as error:
        error.message = f"{path}: {error.message}"
        error.args = (error.message,)
        raise


def _is_ours(found: ForeignFile, receipt: Receipt | None) -> bool:
    return receipt is not None and found.text is not None and mark_of(found.text) == receipt.after


def _others(receipt: Receipt | None, root: Path) -> tuple[str, ...]:
    """The other workspaces that rely on it. One whose folder is gone relies on nothing."""
    owners = receipt.owners if receipt else ()
    return tuple(one for one in owners if one != str(root) and Path(one).is_dir())


def _done(
    workspace: Workspace,
    plan: ConnectPlan,
    receipts: Receipts,
    looked: Sequence[_Looked],
    *,
    removing: bool = False,
    dry_run: bool,
) -> Connected:
    changed = [one for one in looked if one.is_changed]
    commit, ident = None, None
    if not dry_run:
        for one in changed:
            if not one.place.committed:
                refuse_unwritable(one.path, one.found)
        for one in looked:
            made = missing_folders(one.path)
            if one.is_changed and one.place.committed:
                commit, ident = _committed(workspace, plan, one, removing=removing)
            elif one.is_changed:
                _keep(receipts, one, workspace.root, made, removing=removing)
                replace(one.path, one.found, one.wanted)
            _settle(receipts, one, workspace.root, made, removing=removing)
    files = tuple(_touched(one, receipts, removing=removing) for one in looked)
    notes = (*plan.notes, *_kept_notes(files))
    return Connected(
        plan.client, plan.name, workspace.root, plan.era, files, notes,
            tuple(plan.steps) if changed else (),
        commit, ident, tuple(str(one.path) for one in changed), dry_run,
    )  # fmt: skip


def _committed(
    workspace: Workspace, plan: ConnectPlan, one: _Looked, *, removing: bool
) -> tuple[str | None, str | None]:
    """The skill is a file of the workspace: its change is a commit like any other, and can be
    undone.
    """
    path = one.path.relative_to(workspace.root).as_posix()
    did = "take the skill out" if removing else "put the skill in"
    reason = f"clawgit connect {plan.client}{' --remove' if removing else ''}"
    with workspace.git.transaction(
        Intent(workspace.caller.actor, "connect", did, reason=reason), workspace.now
    ) as tx:
        if one.wanted is None:
            tx.delete(path)
        else:
            tx.put(path, one.wanted)
    return tx.outcome.commit, tx.outcome.id


def _keep(
    receipts: Receipts, one: _Looked, root: Path, made: tuple[Path, ...], *, removing: bool
) -> None:
    """A copy of the file before it is written for the first time: a crash in between loses
    nothing.
    """
    if one.receipt is None and not removing:
        receipts.put(one.path, Receipt(one.found.text, "", (str(root),), tuple(map(str, made))))


def _settle(
    receipts: Receipts, one: _Looked, root: Path, made: tuple[Path, ...], *, removing: bool
) -> None:
    """Notes how the file was left, and for whom."""
    others, old = _others(one.receipt, root), one.receipt
    if removing and not others:
        if one.wanted is None and old:
            remove_empty(tuple(map(Path, old.made)))
        receipts.drop(one.path)
        return
    if old is None and not one.is_changed:
        return  # it stood there before we came: there is nothing to bring back
    before = one.found.text if old is None else old.before
    known = old is None or _is_ours(one.found, old)
    after = (
        mark_of(one.wanted)
        if one.is_changed and known
        else old.after
        if old and not one.is_changed
        else ""
    )
    owners = others if removing else (*others, str(root))
    folders = old.made if old else tuple(map(str, made))
    fresh = Receipt(before, after, owners, folders)
    if fresh != old:
        receipts.put(one.path, fresh)


def _touched(one: _Looked, receipts: Receipts, *, removing: bool) -> Touched:
    copy = receipts.copy_of(one.path)
    action = _action(one, removing=removing)
    return Touched(str(one.path), action, _diff(one), str(copy) if copy.is_file() else None)


def _action(one: _Looked, *, removing: bool) -> str:
    before, after = one.found.text, one.wanted
    if not one.is_changed:
        is_kept = before is not None and _is_edited(one, removing=removing)
        return KEPT if is_kept else SAME
    if before is None:
        return ADDED
    return REMOVED if after is None else CHANGED


def _is_edited(one: _Looked, *, removing: bool) -> bool:
    whole = [part for part in one.place.parts if isinstance(part, WholeFile)]
    return any(part.text != one.found.text or (removing and not part.shared) for part in whole)


def _kept_notes(files: Iterable[Touched]) -> Iterable[str]:
    return (
        f"{one.path} is not as clawgit wrote it, and stays; delete it to have it written anew."
        for one in files if one.action == KEPT
    )  # fmt: skip


def _diff(one: _Looked) -> str:
    if not one.is_changed:
        return ""
    # Of the lines around nothing is shown: a config holds keys, and an agent may have asked.
    before, after = one.found.text, one.wanted
    names = [str(one.path) if text is not None else "/dev/null" for text in (before, after)]
    old, new = (masked(text or "").splitlines() for text in (before, after))
    return "\n".join(difflib.unified_diff(old, new, names[0], names[1], n=0, lineterm=""))
