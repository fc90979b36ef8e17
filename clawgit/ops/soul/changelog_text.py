"""Derives the text of CHANGELOG.md from the history of the soul."""

from collections.abc import Container

from clawgit.domain.change.authority import SOULS, joins_only
from clawgit.domain.change.history import Commit, parse_message, render_message
from clawgit.domain.change.lines import normal
from clawgit.domain.markdown.decoding import exact_bytes, exact_text
from clawgit.domain.soul.changelog import (
    IdentityChange,
    newest_first,
    render_markdown,
    replace_between_markers,
)
from clawgit.domain.soul.soul import SectionChange, section_changes
from clawgit.domain.workspace.layout import CHANGELOG
from clawgit.ops.soul.history import SoulHistory, soul_histories
from clawgit.ops.workspace.changelog_file import changelog_file
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.resources import resource
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import Version
from clawgit.stores.git.place import is_shallow
from clawgit.stores.git.rules import PendingChange


class IdentityHistory:
    """The changes to SOUL.md and IDENTITY.md by commit, since one commit may change both.

    `head` is the commit up to which they were read.
    """

    def __init__(self, head: str | None) -> None:
        self.head = head
        self._commits: dict[str, Commit] = {}
        self._what: dict[str, list[tuple[str, tuple[SectionChange, ...]]]] = {}
        self._begun: dict[str, set[str]] = {}

    def add(self, commit: Commit, path: str, before: str, after: str) -> None:
        self._commits[commit.sha] = commit
        self._what.setdefault(commit.sha, []).append((path, section_changes(before, after)))
        if not before:
            self._begun.setdefault(commit.sha, set()).add(path)

    def changes(self, left_out: Container[str] = ()) -> list[IdentityChange]:
        """The changes, newest first, without those of some commits."""
        return newest_first(
            IdentityChange(
                commit.name,
                commit.time,
                commit.actor,
                commit.message.headline,
                tuple(self._what[sha]),
                commit.message.reason,
                commit.message.evidence,
                frozenset(self._begun.get(sha, ())),
            )
            for sha, commit in self._commits.items()
            if sha not in left_out
        )


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
        # Two calls of git in place of two for each version in the loop below; a third one for the
        # versions under earlier names.
        first.expect(version.oid for path in SOULS for version in first.index.versions(path))
        versions = [version for history in histories for version in history.versions]
        first.expect(version.oid for version in versions)
        first.expect_texts(versions)
        for history in histories:
            for version in history.versions:
                _add_version(identity, history, version)
    return identity


def _add_version(identity: IdentityHistory, history: SoulHistory, version: Version) -> None:
    commit = history.commit(version.oid)
    before, after = history.text_before(version) or "", history.text(version) or ""
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
