"""Snapshot and restore."""

from collections.abc import Mapping
from datetime import datetime

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.core.layout import GITIGNORE
from clawgit.git.revisions import State
from clawgit.git.rules.actors import OPERATOR, SNAPSHOT
from clawgit.git.rules.history import RESTORE, Commit
from clawgit.git.transaction import Change
from clawgit.git.worktree import relative_path
from clawgit.history.log import past, state
from clawgit.history.merging import writable
from clawgit.safety.committed_texts import alerts_of, keep_commit
from clawgit.safety.own_files import changelog_file
from clawgit.safety.secrets_found import without_held
from clawgit.safety.taking_back import operators_changes
from clawgit.workspace.workspace import Workspace


class SnapshotCommit(NamedTuple):
    commit: str
    id: str | None
    actor: str
    summary: str


class Snapshotted(NamedTuple):
    """One snapshot commit for each actor; the first three fields are those of the last."""

    commit: str | None
    id: str | None
    actor: str | None
    changed: tuple[str, ...]
    alerts: tuple[str, ...]
    commits: tuple[SnapshotCommit, ...]
    skipped: tuple[tuple[str, str], ...]
    time: datetime
    dry_run: bool = False


def snapshot(
    workspace: Workspace, message: str = "", *, accept_deletions: bool = False
) -> Snapshotted:
    """Commits all edits that clawgit did not make. With a message, the caller is their author.

    What the operator commits so is his, whatever it says.
    """
    git = workspace.git
    outcome, dirt = git.snapshot(
        workspace.now,
        note=message,
        actor=workspace.actor,
        accept_deletions=accept_deletions,
        dry_run=workspace.dry_run,
    )
    if workspace.dry_run:
        dirt = without_held(workspace, dirt)
    held = tuple(f"{one.reason}: the file stays uncommitted" for one in dirt.withheld)
    commits = [git.commit(sha) for sha in outcome.snapshots]
    for made in commits:
        if made.actor == OPERATOR.slug:
            keep_commit(workspace, made.sha)
    last = commits[-1] if commits else None
    return Snapshotted(
        commit=last and last.sha,
        id=last and last.id,
        actor=last and last.actor,
        changed=dirt.paths if commits or workspace.dry_run else (),
        alerts=(*outcome.alerts, *alerts_of(workspace, outcome.snapshots), *held),
        commits=tuple(map(_as_listed, commits)),
        skipped=dirt.skipped,
        time=workspace.now,
        dry_run=workspace.dry_run,
    )


def _as_listed(commit: Commit) -> SnapshotCommit:
    summary = commit.message.summary.removeprefix(f"{SNAPSHOT}: ")
    return SnapshotCommit(commit.sha, commit.id, commit.actor, summary)


def restore(workspace: Workspace, path: str, at: str | None = None, *, reason: str = "") -> Change:
    """Restores a file as of a revision; without one, a deleted file as it last was.

    A time before all history means the first state of the file.
    """
    path = relative_path(workspace.root, path)
    if (workspace.root / path).is_dir():
        raise UsageError(
            f"{path} is a folder; files are restored one by one, or all at once.",
            hint=f"clawgit restore '{path}/FILE' --at REV; or clawgit restore --all --at REV",
        )
    then = state(workspace, at, path) if at else State(_last_with(workspace, path))
    if workspace.git.read(then.oid, path) is None:
        raise NotFoundError(
            f"{path} did not exist at {at}.",
            hint=f"`clawgit log '{path}'` lists the changes that touched it.",
        )
    return _restored(workspace, then, {path: then.oid}, path, reason, (path,))


def restore_all(workspace: Workspace, at: str) -> Change:
    """Restores every file of the scope as of a revision, by one commit; later files are deleted.

    Settings and files derived from history stay as they are; a missing one comes back as it last
    was.
    """
    git, then = workspace.git, state(workspace, at)
    head, dirty = git.tip or "", without_held(workspace, git.dirt()).paths
    stays = {workspace.config_file, changelog_file(workspace), GITIGNORE.lstrip("/")}
    differing = {*git.changed_paths(head, then.oid), *dirty}
    differing -= {path for path in stays if (workspace.root / path).exists()}
    inside, left = writable(workspace, filter(git.scope.covers, differing), (then.oid,))
    source = {path: head if path in stays else then.oid for path in inside}
    done = _restored(workspace, then, source, "the whole memory")
    return done._replace(warnings=(*done.warnings, *left))


def _restored(
    workspace: Workspace,
    then: State,
    source: Mapping[str, str],
    what: str,
    reason: str = "",
    limit: tuple[str, ...] = (),
) -> Change:
    """Puts each file as it was in a commit."""
    git, commit = workspace.git, workspace.git.commit(then.oid)
    takes = operators_changes(workspace, "HEAD", f"^{commit.sha}", "--", *limit)
    with workspace.change(
        RESTORE,
        f"{what} as of {commit.name}",
        reason or f"As of {commit.time:%Y-%m-%d %H:%M} ({commit.message.summary}).",
        (commit.name,),
        takes=takes,
    ) as tx:
        for path, oid in sorted(source.items()):
            tx.put(path, git.read(oid, path))
    return tx.outcome._replace(of=commit.name, note=then.note)


def _last_with(workspace: Workspace, path: str) -> str:
    """The newest commit that still had a file that is now deleted."""
    git = workspace.git
    if (workspace.root / path).exists():
        raise UsageError(
            f"{path} exists; say which version you want.",
            hint=f"clawgit restore '{path}' --at yesterday",
        )
    made = past(workspace).read(path)
    for oid in (git.tip, *(parent for commit in made for parent in commit.parents)):
        if git.read(oid, path) is not None:
            return str(oid)
    raise NotFoundError(f"{path} never existed here.", hint="`clawgit log` lists what there was.")
