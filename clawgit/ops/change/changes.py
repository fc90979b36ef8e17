"""Snapshot, undo, redo and restore."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from clawgit.domain.change.actors import AGENT, OPERATOR, SNAPSHOT, UNKNOWN
from clawgit.domain.change.authority import without_derived
from clawgit.domain.change.history import REDO, REMEMBER, UNDO, Commit, Intent
from clawgit.domain.change.merge import MergedFile
from clawgit.domain.change.undoing import LastUndo, in_words, last_undo, undo_targets
from clawgit.domain.markdown.entry import entries
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.change.history import first_parents, reading, revision
from clawgit.ops.change.merging import Clash, refuse_conflicts, settle, take_out
from clawgit.ops.safety.secrets_found import as_skipped, held_back
from clawgit.ops.soul.rules import entry_warnings
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Edit, Outcome, Transaction
from clawgit.stores.git.worktree import relative_path


@dataclass(frozen=True, slots=True)
class Change:
    """What a writing command did.

    `commit` is None if nothing had to change, and in a dry run; `preview` is then the diff.
    `parked`: git is busy, and the change is applied afterwards.
    """

    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    parked: bool = False
    dry_run: bool = False
    preview: str = ""
    of: str = ""
    """What it was done to, as a user names it: a change that was undone, a conflict."""
    held: tuple[str, ...] = ()
    """Why the change waits for the operator, as the proposal `id`."""
    warnings: tuple[str, ...] = ()


class Undid(NamedTuple):
    """The change that was undone or redone. `also`: its other commits. `against`: the first parent
    of a merge, which it is compared with.
    """

    id: str
    actor: str
    summary: str
    also: tuple[str, ...] = ()
    against: str = ""


@dataclass(frozen=True, slots=True)
class Undone(Change):
    """What undo and redo did. `uncommitted`: it was an edit that was not committed yet."""

    undid: Undid | None = None
    uncommitted: bool = False


@dataclass(frozen=True, slots=True)
class Snapshotted:
    """One snapshot commit for each actor; the first three fields are those of the last."""

    commit: str | None
    id: str | None
    actor: str | None
    changed: tuple[str, ...]
    alerts: tuple[str, ...]
    commits: tuple["SnapshotCommit", ...]
    skipped: tuple[tuple[str, str], ...]
    dry_run: bool = False
    warnings: tuple[str, ...] = ()
    """Faults of entries that it committed nevertheless."""


@dataclass(frozen=True, slots=True)
class SnapshotCommit:
    commit: str
    id: str | None
    actor: str
    summary: str


def snapshot(
    workspace: Workspace,
    message: str = "",
    *,
    accept_deletions: bool = False,
    dry_run: bool = False,
) -> Snapshotted:
    """Commits everything that changed without clawgit. With a message, the caller is its author."""
    outcome, dirt = workspace.git.snapshot(
        workspace.now,
        note=message,
        actor=workspace.caller.actor,
        accept_deletions=accept_deletions,
        dry_run=dry_run,
    )
    if dry_run:
        dirt = dirt.without(as_skipped(held_back(workspace, dirt.new)))
    held = tuple(f"{one.reason}: the file stays uncommitted" for one in outcome.withheld)
    commits = tuple(_snapshot_commit(workspace.git.commit(sha)) for sha in outcome.snapshots)
    last = commits[-1] if commits else None
    return Snapshotted(
        commit=last.commit if last else None,
        id=last.id if last else None,
        actor=last.actor if last else None,
        changed=dirt.paths if commits or dry_run else (),
        alerts=(*outcome.alerts, *held),
        commits=commits,
        skipped=dirt.skipped,
        dry_run=dry_run,
        warnings=_odd_entries(workspace, outcome.snapshots),
    )


def undo(workspace: Workspace, rev: str | None = None, *, dry_run: bool = False) -> Undone:
    """Undoes a change by a new commit, whatever came after it.

    Without `rev`, the newest change that is not undone yet. Uncommitted edits come first. A program
    undoes only its own changes.
    """
    if rev is not None:
        target = workspace.git.commit(revision(workspace, rev))
        return _take_back(workspace, (target,), UNDO, dry_run=dry_run)
    actor = _whose(workspace)
    if actor is None and (done := _undo_edits(workspace, dry_run=dry_run)):
        return done
    for targets in undo_targets(_in_scope(workspace), actor):
        # If a merge or another tool has undone it already, nothing changes: try the next one.
        done = _take_back(workspace, targets, UNDO, dry_run=dry_run)
        if done.changed or done.held:
            return done
    whose = f"no change of {actor} left" if actor else "nothing left"
    raise NotFoundError(
        f"There is {whose} to undo since clawgit came to this workspace.",
        hint="`clawgit log` lists all changes; take one back by its id: clawgit undo ID",
    )


def redo(workspace: Workspace, *, dry_run: bool = False) -> Undone:
    """Undoes the last undo, unless there was a new change since."""
    actor = _whose(workspace)
    last = last_undo(_in_scope(workspace), actor)
    edits = workspace.git.dirt().paths if actor is None else ()
    if last.undo is None or last.since or edits:
        raise _nothing_to_redo(last, edits)
    return _take_back(workspace, (last.undo,), REDO, dry_run=dry_run)


def restore(
    workspace: Workspace, path: str, at: str | None = None, *, dry_run: bool = False
) -> Change:
    """Restores a file as of a revision; without one, a deleted file as it last was."""
    path = relative_path(workspace.root, path)
    git, now = workspace.git, workspace.now
    rev = revision(workspace, at) if at else _last_with(workspace, path)
    data = git.read(rev, path)
    if data is None:
        raise NotFoundError(
            f"{path} did not exist at {at}.",
            hint=f"`clawgit log '{path}'` lists the changes that touched it.",
        )
    commit = git.commit(rev)
    intent = Intent(
        actor=workspace.caller.actor,
        verb="restore",
        summary=f"{path} as of {commit.name}",
        reason=f"The text of {commit.time:%Y-%m-%d %H:%M} ({commit.message.summary}).",
        evidence=(commit.name,),
    )
    with git.transaction(intent, now, dry_run=dry_run) as tx:
        tx.put(path, data)
    return described(tx, dry_run=dry_run, of=commit.name)


def described(tx: Transaction, *, dry_run: bool = False, of: str = "") -> Change:
    """What a transaction did, as the result of a writing command."""
    outcome: Outcome = tx.outcome
    shown = diff_of(tx.edits.values()) if dry_run else ""
    fields = (
        outcome.commit,
        outcome.id,
        outcome.changed,
        outcome.snapshots,
        outcome.alerts,
        outcome.parked,
    )
    return Change(
        *fields, dry_run=dry_run, preview=shown, of=of, held=outcome.held, warnings=outcome.warnings
    )


def diff_of(edits: Iterable[Edit]) -> str:
    """The edits of a transaction as a unified diff."""
    parts: list[str] = []
    for edit in sorted(edits, key=lambda one: one.path):
        if edit.before != edit.after:
            old, new = (f"a/{edit.path}", f"b/{edit.path}")
            parts += difflib.unified_diff(
                _lines(edit.before),
                _lines(edit.after),
                old if edit.before is not None else "/dev/null",
                new if edit.after is not None else "/dev/null",
            )
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in parts
    )


def _whose(workspace: Workspace) -> str | None:
    """Whose changes `undo` and `redo` consider: for the operator all (None), else the actor's."""
    actor = workspace.caller.actor
    if actor == AGENT:
        raise UsageError(
            "A program that does not say its name must say which change is meant.",
            hint="clawgit undo ID (`clawgit log` lists the ids), or name the program: clawgit "
            "undo --actor NAME",
        )
    return None if actor == OPERATOR else actor.slug


def _in_scope(workspace: Workspace) -> Iterator[Commit]:
    """The first parents of HEAD, without commits that changed only files outside of the scope."""
    git = workspace.git
    for commit in first_parents(workspace):
        paths = git.changed_paths(next(iter(commit.parents), None), commit.sha)
        if not paths or any(map(git.scope.covers, paths)):
            yield commit


def _undo_edits(workspace: Workspace, *, dry_run: bool) -> Undone | None:
    """Commits the uncommitted edits and undoes that commit at once, so that `redo` works."""
    git = workspace.git
    if git.head().oid is None:
        # Before the first commit there is nothing to go back to.
        return None
    if dry_run:
        return _rehearse_undoing_edits(workspace)
    outcome, _ = git.snapshot(workspace.now)
    if not outcome.snapshots:
        return None
    targets = tuple(git.commit(sha) for sha in reversed(outcome.snapshots))
    done = _take_back(workspace, targets, UNDO)
    snapshots = (*outcome.snapshots, *done.snapshots)
    return replace(done, snapshots=snapshots, uncommitted=True) if done.changed else None


def _rehearse_undoing_edits(workspace: Workspace) -> Undone | None:
    git = workspace.git
    dirt = git.dirt()
    dirt = dirt.without(as_skipped(held_back(workspace, dirt.new)))
    paths = _paths(dirt.paths)
    if not paths:
        return None
    with git.transaction(
        Intent(workspace.caller.actor, UNDO, ""), workspace.now, dry_run=True
    ) as tx:
        for path in paths:
            settle(tx, path, MergedFile(git.read(dirt.head, path), ()))
    return _undone(described(tx, dry_run=True), None, uncommitted=True)


def _nothing_to_redo(last: LastUndo, edits: tuple[str, ...]) -> NotFoundError:
    if last.undo is None:
        return NotFoundError("There is nothing to redo.", hint="`clawgit log` lists what was done.")
    if edits:
        newer = f"{', '.join(edits[:_FEW])}{' and more' if len(edits) > _FEW else ''} changed"
    else:
        newer = f"{last.since.name} was made" if last.since else ""
    return NotFoundError(
        f"There is nothing to redo: {newer} after the last undo.",
        hint=f"To take that undo back all the same: clawgit undo {last.undo.name}",
    )


def _paths(changed: Iterable[str]) -> list[str]:
    """The files of a change that undo and redo take back: all that are not derived."""
    return without_derived(changed)


def _take_back(
    workspace: Workspace, targets: tuple[Commit, ...], verb: str, *, dry_run: bool = False
) -> Undone:
    """Takes commits back by one new commit. They come newest first, as the parts of one change."""
    newest = targets[0]
    _refuse_the_first(targets)
    undid = _redone(workspace, newest) if verb == REDO else _undid(workspace, targets)
    git = workspace.git
    # A merge is taken back against its first parent: the side that it came to.
    changed = [(target, git.changed_paths(target.parents[0], target.sha)) for target in targets]
    inside, left = _reachable(workspace, {path for _, touched in changed for path in touched})
    if left and not inside:
        raise _out_of_reach(newest, left)
    intent = _intent(workspace, targets, verb, undid)
    conflicts: list[Clash] = []
    with git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        for target, touched in changed:
            paths = [path for path in _paths(touched) if path in inside]
            conflicts += _take_out(workspace, tx, target, paths)
        # Raised inside of the transaction: then nothing is written.
        refuse_conflicts(f"{newest.name} cannot be taken back", conflicts)
    done = described(tx, dry_run=dry_run, of=newest.name)
    done = replace(done, warnings=(*done.warnings, *left))
    if not done.changed:
        done = replace(done, commit=None)
    return _undone(done, undid)


def _refuse_the_first(targets: tuple[Commit, ...]) -> None:
    """A first commit has no parent to go back to."""
    if not all(target.parents for target in targets):
        raise UsageError(
            f"{targets[0].name} began the history; it cannot be taken back.",
            hint="`clawgit restore PATH --at REV` brings single files back.",
        )


def _take_out(
    workspace: Workspace, tx: Transaction, target: Commit, paths: Iterable[str]
) -> Iterator[Clash]:
    for path in paths:
        after = workspace.git.read(target.sha, path)
        before = workspace.git.read(target.parents[0], path)
        yield from take_out(tx, path, after, before)


def _out_of_reach(target: Commit, notes: tuple[str, ...]) -> UsageError:
    what = f"{target.name} cannot be taken back, since it changed nothing that clawgit may write."
    hint = (
        f"`git revert {target.sha[:10]}` takes it back; `clawgit doctor` says why clawgit does not."
    )
    return UsageError(f"{what} {' '.join(notes)}", hint=hint)


def _reachable(
    workspace: Workspace, changed: Iterable[str]
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The files of a change that may be written, and a warning about the others."""
    inside, outside = workspace.git.scope.split(sorted(changed))
    filtered = workspace.git.untouchable(inside)
    notes = [f"{path} stays as it is: it is {why}." for path, why in sorted(filtered.items())]
    if outside:
        notes.append(f"Left as it is, outside of the scope: {_first_of(outside)}.")
    return frozenset(inside) - filtered.keys(), tuple(notes)


def _first_of(paths: list[str]) -> str:
    more = f" and {len(paths) - _FEW} more" if len(paths) > _FEW else ""
    return ", ".join(paths[:_FEW]) + more


def _undone(done: Change, undid: Undid | None, *, uncommitted: bool = False) -> Undone:
    values = {one.name: getattr(done, one.name) for one in fields(done)}
    return Undone(**values, undid=undid, uncommitted=uncommitted)


def _intent(workspace: Workspace, targets: tuple[Commit, ...], verb: str, undid: Undid) -> Intent:
    newest, names = targets[0], tuple(target.name for target in targets)
    if verb == REDO:
        did, reason = f"bring back {undid.id}", f"Takes back the undo {newest.name}"
    else:
        did, reason = f"take back {', '.join(names)}", f"Takes back {', '.join(names)}"
    if undid.against:
        reason += f", a merge, against {undid.against}, the side that it came to"
    reason += (
        f": of {newest.time:%Y-%m-%d %H:%M}, made by "
        f"{undid.actor if verb == UNDO else newest.actor}."
    )
    return Intent(workspace.caller.actor, verb, f"{did} ({undid.summary})", reason, evidence=names)


def _undid(workspace: Workspace, targets: Iterable[Commit]) -> Undid:
    """The commits of a change in words."""
    parts = list(targets)
    newest, *more = parts
    summaries = [in_words(part.message, grew=_grew(workspace, part)) for part in parts]
    actors = dict.fromkeys(map(_maker, parts))
    against = workspace.git.commit(newest.parents[0]).name if len(newest.parents) > 1 else ""
    return Undid(
        newest.name,
        ", ".join(actors),
        ", ".join(summaries),
        tuple(part.name for part in more),
        against,
    )


def _maker(commit: Commit) -> str:
    """Who made a change: the actor, or git's author if a commit by plain git names no actor."""
    by_git = commit.actor == UNKNOWN.slug and commit.message.verb != SNAPSHOT
    return replace(commit, message=replace(commit.message, op="")).actor if by_git else commit.actor


def _redone(workspace: Workspace, undo: Commit) -> Undid:
    """The change that an undo had taken back, and that redoing brings back."""
    git, found = workspace.git, []
    for name in undo.message.evidence:
        try:
            found.append(git.commit(revision(workspace, name)))
        except NotFoundError:
            # The commit may be gone, for instance after a rebase. The undo still describes it.
            return _undid(workspace, [undo])
    return _undid(workspace, found or [undo])


def _grew(workspace: Workspace, commit: Commit) -> bool:
    """Whether a change added an entry. `memory add` may only have counted one that was there."""
    if commit.message.verb != REMEMBER:
        return True
    git, more = workspace.git, 0
    for path in git.changed_paths(commit.parents[0], commit.sha):
        before, after = (git.read(rev, path) or b"" for rev in (commit.parents[0], commit.sha))
        more += len(entries(_text(after))) - len(entries(_text(before)))
    return more > 0


def _last_with(workspace: Workspace, path: str) -> str:
    """The newest commit that still had a file that is now deleted."""
    git = workspace.git
    if (workspace.root / path).exists():
        raise UsageError(
            f"{path} is there; say which version you want.",
            hint=f"clawgit restore '{path}' --at yesterday",
        )
    if git.read(git.head().oid, path) is not None:
        return str(git.head().oid)
    with reading(workspace) as log:
        for commit in map(git.commit, log.commits(path)):
            for parent in commit.parents:
                if git.read(parent, path) is not None:
                    return parent
    raise NotFoundError(f"{path} was never here.", hint="`clawgit log` lists what there was.")


def _odd_entries(workspace: Workspace, snapshots: tuple[str, ...]) -> tuple[str, ...]:
    if not snapshots:
        return ()
    git, new = workspace.git, snapshots[-1]
    old = next(iter(git.commit(snapshots[0]).parents), None)
    return entry_warnings(
        {
            path: (git.read(old, path) if old else None, git.read(new, path))
            for path in git.changed_paths(old, new)
        }
    )


def _snapshot_commit(commit: Commit) -> SnapshotCommit:
    return SnapshotCommit(
        commit.sha, commit.id, commit.actor, commit.message.summary.removeprefix(f"{SNAPSHOT}: ")
    )


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


_FEW = 3
