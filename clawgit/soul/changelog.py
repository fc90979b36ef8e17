"""Reads, checks and writes CHANGELOG.md, which is derived from the history of the soul."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from clawgit.core import NamedTuple
from clawgit.core.errors import counted
from clawgit.core.layout import CHANGELOG, SOULS
from clawgit.core.markdown.decoding import exact_bytes, exact_text
from clawgit.core.resources import resource
from clawgit.git.commit_rules import PendingChange
from clawgit.git.rules.actors import CLAWGIT
from clawgit.git.rules.authority import joins_only
from clawgit.git.rules.history import DERIVE, Commit, Intent, parse_message, render_message
from clawgit.git.rules.lines import normal
from clawgit.safety.own_files import changelog_file
from clawgit.soul.rules.changelog import (
    IdentityChange,
    between_markers,
    entries_of,
    newest_first,
    render_markdown,
    replace_between_markers,
)
from clawgit.soul.rules.soul import section_changes
from clawgit.soul.versions import soul_histories
from clawgit.workspace.workspace_base import WorkspaceBase

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


SAME, STALE, UNKNOWN = "same", "stale", "unknown"


class Checked(NamedTuple):
    """`state` is same, stale or unknown (in a shallow clone). `waiting` counts the changes that
    clawgit's next change of the soul adds to the file.
    """

    state: str
    detail: str
    waiting: int = 0

    @property
    def ok(self) -> bool:
        return self.state == SAME


def check(workspace: "Workspace") -> Checked:
    """Whether each entry of CHANGELOG.md in HEAD is what history says."""
    name = changelog_file(workspace)
    # Before anything is compared: without the older history its entries would look made up.
    if workspace.place.is_shallow:
        return Checked(UNKNOWN, f"{name}: this clone is shallow and lacks the older history")
    text = exact_text(workspace.git.read(workspace.git.tip, name))
    told = entries_of(between_markers(text) or "")
    known = entries_of(render_markdown(changelog(workspace)))
    waiting = max(len(known) - len(told), 0)
    if [entry for entry in known if entry in told] != told:
        what = "does not say what history says; the next change to the soul rewrites it"
        return Checked(STALE, f"{name} {what}", waiting)
    more = f"; {waiting} more follow with the next change to the soul" if waiting else ""
    says = f"{name} says what history says: {counted(len(told), 'change')}"
    return Checked(SAME, f"{says}{more}", waiting)


def follow(workspace: "Workspace") -> None:
    """Writes CHANGELOG.md now, without waiting for the next change of the soul, if the file exists
    and history is complete.
    """
    git, name = workspace.git, changelog_file(workspace)
    if workspace.place.is_shallow or git.read(git.tip, name) is None:
        return
    intent = Intent(CLAWGIT, DERIVE, f"write {name} from history")
    with git.transaction(intent, workspace.now) as tx:
        body = render_markdown(changelog(workspace))
        tx.put(name, replace_between_markers(tx.read_text(name) or template(workspace), body))


def with_changelog(
    workspace: WorkspaceBase, pending: PendingChange, current: bytes | None
) -> bytes:
    """CHANGELOG.md for a commit that is about to be made, with an entry for that commit itself.

    The entry has the change id, which is known before the commit; its hash is not. In a shallow
    clone the file stays as it is, since the older changes are missing there.
    """
    text = template(workspace) if current is None else exact_text(current)
    if workspace.place.is_shallow:
        return exact_bytes(text)
    # The message as it will be read back from the commit: later the entry is derived from that, and
    # must be the same.
    message = parse_message(render_message(pending.intent, pending.ident))
    # Git stores whole seconds.
    commit = Commit(pending.ident, (), pending.now.replace(microsecond=0), "", message)
    no_text = (None, None)
    files = [(path, *(normal(data) for data in pending.files.get(path, no_text))) for path in SOULS]
    # The edits of others that are committed just before our change are not in HEAD yet.
    known = changelog(workspace, pending.parent) if pending.parent else ()
    changed = [(path, before, after) for path, before, after in files if before != after]
    body = render_markdown([*([_told(commit, changed)] if changed else []), *known])
    return exact_bytes(replace_between_markers(text, body))


def changelog(workspace: WorkspaceBase, at: str = "HEAD") -> tuple[IdentityChange, ...]:
    """All changes to SOUL.md and IDENTITY.md that a commit reaches, newest first."""
    files: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    histories = soul_histories(workspace, SOULS, at=at)
    histories[0].expect(version.oid for history in histories for version in history.versions)
    for history in histories:
        for version in history.versions:
            before, after = history.text_before(version), history.text(version)
            # The commits of both sides of a merge have entries of their own.
            sides = history.sides(version)
            if not (sides and joins_only(after, sides)):
                files[version.oid].append((history.path, before, after))
    told = (_told(histories[0].commit(oid), each) for oid, each in files.items())
    return tuple(newest_first(told))


def _told(commit: Commit, files: Sequence[tuple[str, str, str]]) -> IdentityChange:
    """A commit, with what it did to each file, of which the text before and after it is given."""
    return IdentityChange(
        commit.name,
        commit.time,
        commit.actor,
        commit.message.headline,
        tuple((path, section_changes(before, after)) for path, before, after in files),
        commit.message.reason,
        commit.message.evidence,
        tuple(path for path, before, _ in files if not before),
    )


def template(workspace: WorkspaceBase) -> str:
    text = (resource("templates") / "workspace" / CHANGELOG).read_text("utf-8")
    return text.replace(f"# {CHANGELOG}", f"# {changelog_file(workspace)}", 1)
