"""Reads, checks and writes CHANGELOG.md, which is derived from the history of the soul."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.domain.change.authority import SOULS, joins_only
from clawgit.domain.change.history import DERIVE, Commit, Intent, parse_message, render_message
from clawgit.domain.change.lines import normal
from clawgit.domain.markdown.decoding import exact_bytes, exact_text
from clawgit.domain.soul.changelog import (
    IdentityChange,
    between_markers,
    entries_of,
    newest_first,
    render_markdown,
    replace_between_markers,
)
from clawgit.domain.soul.soul import section_changes
from clawgit.domain.workspace.layout import CHANGELOG
from clawgit.errors import ClawgitError
from clawgit.ops.change.described import Change, described
from clawgit.ops.soul.history import SoulHistory, soul_histories
from clawgit.ops.workspace.changelog_file import changelog_file
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.resources import resource
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import Version
from clawgit.stores.git.place import is_shallow
from clawgit.stores.git.rules import PendingChange

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace

SAME = "same"
STALE = "stale"
UNKNOWN = "unknown"
_SAME = "says what history says"
_STALE = "does not say what history says; the next change to the soul rewrites it"


@dataclass(frozen=True, slots=True)
class Checked:
    """`state` is same, stale or unknown (in a shallow clone).

    `waiting` counts the changes that are not in the file yet; clawgit's next change of the soul
    adds them.
    """

    state: str
    waiting: int = 0
    detail: str = ""

    @property
    def ok(self) -> bool:
        return self.state == SAME


def changelog(workspace: "Workspace") -> tuple[IdentityChange, ...]:
    """The changes of the identity, newest first."""
    return tuple(identity_history(workspace).changes())


def check(workspace: "Workspace") -> Checked:
    """Whether each entry of CHANGELOG.md in HEAD is what history says."""
    # Before anything is compared: without the older history its entries would look made up.
    if is_shallow(workspace.place):
        detail = "unknown: this clone is shallow and lacks the older history"
        return Checked(UNKNOWN, detail=detail)
    name, changes = changelog_file(workspace), identity_history(workspace).changes()
    told = entries_of(between_markers(_read(workspace)) or "")
    known = entries_of(render_markdown(changes))
    waiting = len(known) - len(told)
    if [entry for entry in known if entry in told] != told:
        return Checked(STALE, max(waiting, 0), f"{name} {_STALE}")
    says = f"{_SAME}: {len(told)} changes" if told else "holds nothing yet"
    more = f"; {waiting} more follow with the next change to the soul" if waiting else ""
    return Checked(SAME, waiting, f"{name} {says}{more}")


def write(workspace: "Workspace", *, dry_run: bool = False) -> Change:
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


def follow(workspace: "Workspace") -> Change | None:
    """The same, if the file exists and history is complete. It does not create the file."""
    if is_shallow(workspace.place) or not _read(workspace):
        return None
    return write(workspace)


def _read(workspace: "Workspace") -> str:
    head = workspace.git.head().oid
    return exact_text(workspace.git.read(head, changelog_file(workspace)))


class IdentityHistory:
    """The changes to SOUL.md and IDENTITY.md by commit, since one commit may change both.

    `head` is the commit up to which they were read.
    """

    def __init__(self, head: str | None) -> None:
        self.head = head
        self._changes: dict[str, IdentityChange] = {}

    def add(self, commit: Commit, path: str, before: str, after: str) -> None:
        said = commit.message
        known = self._changes.get(commit.sha) or IdentityChange(
            commit.name, commit.time, commit.actor, said.headline, (), said.reason, said.evidence
        )
        what = (*known.what, (path, section_changes(before, after)))
        begun = known.begun if before else (*known.begun, path)
        self._changes[commit.sha] = known._replace(what=what, begun=begun)

    def changes(self) -> list[IdentityChange]:
        return newest_first(self._changes.values())


def with_changelog(
    workspace: WorkspaceBase, pending: PendingChange, current: bytes | None
) -> bytes:
    """CHANGELOG.md for a commit that is about to be made, with an entry for that commit itself.

    The entry has the change id, which is known before the commit; its hash is not. In a shallow
    clone the file stays as it is, since the older changes are missing there.
    """
    text = template(workspace) if current is None else exact_text(current)
    if is_shallow(workspace.place):
        return exact_bytes(text)
    identity = identity_history(workspace)
    _add_unlanded(workspace, pending.parent, identity)
    # The message as it will be read back from the commit: later the entry is derived from that, and
    # must be the same.
    message = parse_message(render_message(pending.intent, pending.ident))
    # Git stores whole seconds.
    commit = Commit(pending.ident, (), pending.now.replace(microsecond=0), "", message)
    for path in SOULS:
        before, after = map(_text, pending.files.get(path, (None, None)))
        if before != after:
            identity.add(commit, path, before, after)
    return exact_bytes(replace_between_markers(text, render_markdown(identity.changes())))


def identity_history(workspace: WorkspaceBase) -> IdentityHistory:
    """All changes that HEAD reaches."""
    with soul_histories(workspace, SOULS) as histories:
        first = histories[0]
        identity = IdentityHistory(first.index.head)
        for history in histories:
            first.expect(version.oid for version in history.versions)
            for version in history.versions:
                _add_version(identity, history, version)
    return identity


def _add_version(identity: IdentityHistory, history: SoulHistory, version: Version) -> None:
    commit = history.commit(version.oid)
    before, after = history.text_before(version), history.text(version)
    if len(commit.parents) > 1:
        sides = tuple(history.text_at(parent) or "" for parent in commit.parents)
        # The commits of both sides have entries of their own.
        if joins_only(after, sides):
            return
    identity.add(commit, version.path, before, after)


def _add_unlanded(workspace: WorkspaceBase, parent: str | None, identity: IdentityHistory) -> None:
    """Adds the edits of others that are committed just before our change; HEAD does not have them
    yet.
    """
    objects = Batch(workspace.cgit)
    while parent is not None and parent != identity.head:
        commit = objects.read_commits([parent])[0]
        parent = commit.parents[0] if commit.parents else None
        for path in SOULS:
            before = _text(objects.data(f"{parent}:{path}")) if parent else ""
            after = _text(objects.data(f"{commit.sha}:{path}"))
            if before != after:
                identity.add(commit, path, before, after)


def template(workspace: WorkspaceBase) -> str:
    text = (resource("templates") / "workspace" / CHANGELOG).read_text("utf-8")
    return text.replace(f"# {CHANGELOG}", f"# {changelog_file(workspace)}", 1)


def _text(data: bytes | None) -> str:
    return normal(data or b"")
