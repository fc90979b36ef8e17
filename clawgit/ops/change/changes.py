"""Snapshot and restore."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from clawgit.domain.change.actors import OPERATOR, SNAPSHOT
from clawgit.domain.change.history import RESTORE, Commit, Intent
from clawgit.domain.workspace.layout import GITIGNORE
from clawgit.errors import NotFoundError, PathRefusedError, UsageError
from clawgit.ops.change.described import Change, described
from clawgit.ops.change.history import state
from clawgit.ops.change.reading import reading
from clawgit.ops.safety.committed_texts import keep_commit
from clawgit.ops.safety.secrets_found import without_held
from clawgit.ops.soul.rules import entry_warnings
from clawgit.ops.soul.taking_back import operators_changes
from clawgit.ops.workspace.own_files import changelog_file
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.revisions import State
from clawgit.stores.git.worktree import read_file, refuse_unwritable, relative_path

_LOOKED_AT = 1_000
"""How many files a snapshot checks for faulty entries. `clawgit doctor` checks all."""


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
    """Commits all edits that clawgit did not make. With a message, the caller is their author.

    What the operator commits so is his, whatever it says.
    """
    outcome, dirt = workspace.git.snapshot(
        workspace.now,
        note=message,
        actor=workspace.caller.actor,
        accept_deletions=accept_deletions,
        dry_run=dry_run,
    )
    if dry_run:
        dirt = without_held(workspace, dirt)
    held = tuple(f"{one.reason}: the file stays uncommitted" for one in outcome.withheld)
    commits = tuple(_snapshot_commit(workspace.git.commit(sha)) for sha in outcome.snapshots)
    for made in commits:
        if made.actor == OPERATOR.slug:
            keep_commit(workspace, workspace.cgit, made.commit)
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


def restore(
    workspace: Workspace,
    path: str,
    at: str | None = None,
    *,
    reason: str = "",
    dry_run: bool = False,
) -> Change:
    """Restores a file as of a revision; without one, a deleted file as it last was.

    A time before all history means the first state of the file.
    """
    path = relative_path(workspace.root, path)
    git = workspace.git
    then = state(workspace, at, path=path) if at else State(_last_with(workspace, path))
    data = git.read(then.oid, path)
    if data is None:
        raise NotFoundError(
            f"{path} did not exist at {at}.",
            hint=f"`clawgit log '{path}'` lists the changes that touched it.",
        )
    commit = git.commit(then.oid)
    intent = restoring(workspace, path, "The text", commit, reason, (path,))
    with git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        tx.put(path, data)
    return replace(described(tx, dry_run=dry_run, of=commit.name), note=then.note)


def restore_all(workspace: Workspace, at: str, *, dry_run: bool = False) -> Change:
    """Restores every file of the scope as of a revision, by one commit; later files are deleted.

    Settings and files derived from history stay as they are; a missing one comes back as it last
    was.
    """
    git, then = workspace.git, state(workspace, at)
    head, commit = git.head().oid, git.commit(then.oid)
    stays = {workspace.config_file, changelog_file(workspace), GITIGNORE.lstrip("/")}
    differing = _differing(workspace, head, commit.sha)
    left = _left_alone(workspace, differing)
    left |= {
        path: f"{path} stays as it is: it was a symlink or a submodule."
        for path in git.links([commit.sha], differing)
    }
    left |= dict.fromkeys((path for path in stays if (workspace.root / path).exists()), "")
    intent = restoring(workspace, "the whole memory", "All files", commit)
    with git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        for path in differing:
            if path not in left:
                tx.put(path, git.read(head if path in stays else commit.sha, path))
    done: Change = described(tx, dry_run=dry_run, of=commit.name)
    settings = _settings_stay(workspace, left.keys() & differing, commit, at)
    warnings = filter(None, (*done.warnings, *left.values(), settings))
    return replace(done, note=then.note, warnings=tuple(warnings))


def _differing(workspace: Workspace, head: str | None, then: str) -> list[str]:
    """The files of the scope that may differ from a commit, uncommitted ones too."""
    git = workspace.git
    dirt = without_held(workspace, git.dirt())
    inside, _ = git.scope.split(sorted({*git.changed_paths(head, then), *dirt.paths}))
    return inside


def restoring(
    workspace: Workspace,
    what: str,
    texts: str,
    commit: Commit,
    reason: str = "",
    paths: tuple[str, ...] = (),
) -> Intent:
    """The intent to bring something back as it was in a commit: these files, or all."""
    return Intent(
        actor=workspace.caller.actor,
        verb=RESTORE,
        summary=f"{what} as of {commit.name}",
        reason=reason or f"{texts} of {commit.time:%Y-%m-%d %H:%M} ({commit.message.summary}).",
        evidence=(commit.name,),
        takes=operators_changes(workspace, "HEAD", f"^{commit.sha}", "--", *paths),
    )


def _left_alone(workspace: Workspace, paths: Iterable[str]) -> dict[str, str]:
    """Those of the files that clawgit must not write, and why."""
    filtered = workspace.git.untouchable(paths)
    left = {path: f"{path} stays as it is: it is {why}." for path, why in filtered.items()}
    for path in paths:
        try:
            read_file(workspace.root, path)
            refuse_unwritable(workspace.root, path)
        except PathRefusedError as refused:
            left[path] = f"{path} stays as it is. {refused.message}"
    return left


def _settings_stay(workspace: Workspace, left: Iterable[str], then: Commit, at: str) -> str:
    """A warning if the settings differ from those of the revision and were left alone."""
    name = workspace.config_file
    if name not in left or workspace.git.read(then.sha, name) is None:
        return ""
    return f"{name} stays as it is: `clawgit restore {name} --at '{at}'` brings the settings back."


def _last_with(workspace: Workspace, path: str) -> str:
    """The newest commit that still had a file that is now deleted."""
    git = workspace.git
    if (workspace.root / path).exists():
        raise UsageError(
            f"{path} exists; say which version you want.",
            hint=f"clawgit restore '{path}' --at yesterday",
        )
    if git.read(git.head().oid, path) is not None:
        return str(git.head().oid)
    with reading(workspace) as log:
        for commit in map(git.commit, log.commits(path)):
            for parent in commit.parents:
                if git.read(parent, path) is not None:
                    return parent
    raise NotFoundError(f"{path} never existed here.", hint="`clawgit log` lists what there was.")


def _odd_entries(workspace: Workspace, snapshots: tuple[str, ...]) -> tuple[str, ...]:
    if not snapshots:
        return ()
    git, new = workspace.git, snapshots[-1]
    old = next(iter(git.commit(snapshots[0]).parents), None)
    differing = git.differences(old, new)
    looked_at = list(islice(differing, _LOOKED_AT))
    warnings = entry_warnings(looked_at)
    if next(differing, None) is None:
        return warnings
    return (*warnings, f"only the entries of {_LOOKED_AT:,} files were checked")


def _snapshot_commit(commit: Commit) -> SnapshotCommit:
    return SnapshotCommit(
        commit.sha, commit.id, commit.actor, commit.message.summary.removeprefix(f"{SNAPSHOT}: ")
    )
