"""Reads, checks and writes CHANGELOG.md, which is derived from the history of the soul."""

from dataclasses import dataclass

from clawgit.domain.change.history import DERIVE, Intent
from clawgit.domain.markdown.decoding import exact_text
from clawgit.domain.soul.changelog import (
    IdentityChange,
    between_markers,
    is_as_derived,
    render_markdown,
    replace_between_markers,
)
from clawgit.errors import ClawgitError
from clawgit.ops.change.described import Change, described
from clawgit.ops.soul.changelog_text import identity_history, template
from clawgit.ops.soul.history import soul_history
from clawgit.ops.workspace.changelog_file import changelog_file
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.history.pathlog import PathLog
from clawgit.stores.git.place import is_shallow

SAME = "same"
STALE = "stale"
UNKNOWN = "unknown"
_SAME = "says what history says"
_STALE = "does not say what history says; the next change to the soul rewrites it"


@dataclass(frozen=True, slots=True)
class Checked:
    """`state` is same, stale or unknown (in a shallow clone).

    The file is compared with the history up to `upto`, the last commit that wrote it. `waiting`
    counts the changes since; clawgit's next change of the soul adds them.
    """

    state: str
    upto: str | None
    waiting: int = 0
    detail: str = ""

    @property
    def ok(self) -> bool:
        return self.state == SAME


def changelog(
    workspace: Workspace, since: str | None = None, until: str | None = None
) -> tuple[IdentityChange, ...]:
    """The changes of the identity, newest first. `since` and `until` are revisions or dates."""
    git = workspace.cgit
    left_out = set[str]()
    with soul_history(workspace) as history:
        if since and (begin := history.begin(since)):
            left_out.update(git.text("rev-list", begin).split())
        if until:
            left_out.update(git.text("rev-list", f"{history.resolve(until)}..HEAD").split())
    return tuple(identity_history(workspace).changes(left_out))


def check(workspace: Workspace) -> Checked:
    """Whether the derived part of CHANGELOG.md in HEAD agrees with history."""
    git = workspace.git
    text = _read(workspace, git.head().oid)
    with soul_history(workspace) as history:
        upto = _written_by(workspace, history.index, between_markers(text))
    # Before anything is compared: without the older history its entries would look made up.
    if is_shallow(workspace.place):
        detail = "unknown: this clone is shallow and lacks the older history"
        return Checked(UNKNOWN, upto, detail=detail)
    identity, name = identity_history(workspace), changelog_file(workspace)
    if upto is None:
        count = len(identity.changes())
        detail = f"{name} holds nothing yet{_more(count)}"
        return Checked(SAME, None, waiting=count, detail=detail)
    # Changes after the commit that wrote the file are not missing; they wait.
    since = set(workspace.cgit.text("rev-list", f"{upto}..HEAD").split())
    wanted = identity.changes(since)
    waiting = len(identity.changes()) - len(wanted)
    if not is_as_derived(text, wanted):
        return Checked(STALE, upto, waiting, f"{name} {_STALE}")
    detail = f"{name} {_SAME}: {len(wanted)} changes{_more(waiting)}"
    return Checked(SAME, upto, waiting=waiting, detail=detail)


def write(workspace: Workspace, *, dry_run: bool = False) -> Change:
    """Writes CHANGELOG.md now, without waiting for the next change of the soul."""
    if is_shallow(workspace.place):
        raise ClawgitError(
            "This clone is shallow and lacks the older history.", hint="git fetch --unshallow"
        )
    name = changelog_file(workspace)
    intent = Intent(
        workspace.caller.actor, DERIVE, f"write {name} from history", "It is derived from history."
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        body = render_markdown(identity_history(workspace).changes())
        tx.put(name, replace_between_markers(tx.read_text(name) or template(workspace), body))
    return described(tx, dry_run=dry_run)


def follow(workspace: Workspace) -> Change | None:
    """The same, if the file exists and history is complete. It does not create the file."""
    if is_shallow(workspace.place) or not _read(workspace, workspace.git.head().oid):
        return None
    return write(workspace)


def _written_by(workspace: Workspace, index: PathLog, body: str | None) -> str | None:
    """The newest commit that wrote the derived part as it is now."""
    # A commit may have edited the file outside our markers; it did not write that part.
    for oid in index.commits(changelog_file(workspace)):
        parents = workspace.git.commit(oid).parents
        here, before = (
            between_markers(_read(workspace, rev)) for rev in (oid, parents[0] if parents else None)
        )
        if here == body != before:
            return oid
    return None


def _read(workspace: Workspace, oid: str | None) -> str:
    return exact_text(workspace.git.read(oid, changelog_file(workspace)))


def _more(waiting: int) -> str:
    return f"; {waiting} more follow with the next change to the soul" if waiting else ""
