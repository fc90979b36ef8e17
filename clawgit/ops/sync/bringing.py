"""Brings a remote's branch in: by a fast-forward if possible, else by a merge."""

from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.authority import SOULS
from clawgit.errors import ClawgitError, ConflictError
from clawgit.ops.change.after_merge import after_merge
from clawgit.ops.soul import changelog
from clawgit.ops.soul.verify import verify
from clawgit.ops.sync.forgetful import without_forgotten
from clawgit.ops.sync.routes import Route
from clawgit.ops.workspace.alerts import of_commits
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.remotes.joining import Joined
from clawgit.stores.git.remotes.meeting import MEETING, RESCUE
from clawgit.stores.git.transaction import Outcome
from clawgit.values import NamedTuple

_KEPT = 10
_KEPT_FOR = timedelta(days=30)


class UnrelatedError(ClawgitError):
    """Two histories that never had a commit in common."""

    kind = "unrelated"


class Brought(NamedTuple):
    """What came in. `rescue` is the ref of what was there before."""

    outcome: Outcome
    rescue: str
    alerts: tuple[str, ...]


def bring_in(workspace: Workspace, route: Route, tip: str) -> Brought:
    """Brings a branch in by one transaction, and follows it up.

    ConflictError if somebody must decide; nothing has changed then.
    """
    git, before = workspace.git, workspace.git.head().oid
    known = _alerts(workspace, before)
    rescue = _rescue_name(workspace, before or "")
    with git.transaction(MEETING, workspace.now) as tx:
        joined = joined_or_refused(workspace, route, tip)
        # Before anything moves; if nothing moves in the end, it does no harm.
        git.set_ref(rescue, tx.head.oid or "")
        tx.join(tip, without_forgotten(workspace, route, tip, joined.edits))
    _expire(workspace)
    _follow_up(workspace, before or "", tx.outcome.changed)
    alerts = [text for text in _alerts(workspace, git.head().oid) if text not in known]
    if before and not set(SOULS).isdisjoint(tx.outcome.changed):
        alerts += _without_authority(workspace, before)
    return Brought(tx.outcome, rescue, (*tx.outcome.alerts, *alerts))


def joined_or_refused(workspace: Workspace, route: Route, tip: str) -> Joined:
    """What the branch changes in the files; raises if the two sides cannot be joined."""
    joined = workspace.git.joined(tip)
    if joined is None:
        raise UnrelatedError(
            f"{route.name} has no history in common with {route.branch}.",
            hint="Is it the right remote? To join the two anyway: git merge "
            f"--allow-unrelated-histories {route.name}",
        )
    if joined.conflicts:
        raise ConflictError(
            "\n".join(f"{path}: {why}" for path, why in joined.conflicts),
            hint=f"git merge {route.name}, edit the lines that git marks, git commit -a; then "
            "clawgit sync",
            conflicts=[{"path": path, "why": why} for path, why in joined.conflicts],
        )
    return joined


def _follow_up(workspace: Workspace, since: str, changed: Iterable[str]) -> None:
    """Writes what a merge of single files cannot: the new conflicts, and the history of the
    soul.
    """
    after_merge(workspace, workspace.cgit, since)
    if not set(SOULS).isdisjoint(changed):
        ours = Workspace(workspace.place, workspace.caller._replace(actor=CLAWGIT))
        with closing(ours):
            changelog.follow(ours)


def _rescue_name(workspace: Workspace, head: str) -> str:
    return f"{_rescues(workspace)}{_stamp(workspace.now)}-{head[:10]}"


def _rescues(workspace: Workspace) -> str:
    return f"{RESCUE}{workspace.place.worktree}/"


def _expire(workspace: Workspace) -> None:
    prefix = _rescues(workspace)
    names = sorted(workspace.git.refs_below(prefix), reverse=True)
    oldest = f"{prefix}{_stamp(workspace.now - _KEPT_FOR)}"
    workspace.git.delete_refs(
        name for number, name in enumerate(names) if number >= _KEPT or (number and name < oldest)
    )


def _stamp(time: datetime) -> str:
    """A time as text, so that names with it sort by time."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H%M%S}"


def _alerts(workspace: Workspace, head: str | None) -> list[str]:
    """Looks at all commits that came in; returns what the operator should see."""
    return [alert.message for alert in of_commits(workspace, workspace.cgit, head)]


def _without_authority(workspace: Workspace, since: str) -> list[str]:
    """The changes of the identity that came in without authority."""
    return [
        f"{change.path} changed without authority by {change.id or change.sha[:10]}: "
        f"{change.reasons[0]}"
        for change in verify(workspace, since).unauthorised
    ]
