"""CHANGELOG.md: how the identity grew, made anew from history in each commit that changes the soul,
and checked.
"""

from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime

from clawgit.domain.change.authority import SOULS, joins_only
from clawgit.domain.change.history import DERIVE, Intent, Message, parse_message, render_message
from clawgit.domain.soul.changelog import (
    IdentityChange,
    between_markers,
    compare,
    newest_first,
    render_markdown,
    replace_between_markers,
)
from clawgit.domain.soul.soul import SectionChange, section_changes
from clawgit.domain.workspace.layout import CHANGELOG
from clawgit.errors import ClawgitError
from clawgit.ops.change.changes import Change, described
from clawgit.ops.soul.history import SoulHistory, soul_history
from clawgit.ops.soul.trail import Version
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.pathlog import PathLog
from clawgit.stores.git.rules import Pending

SAME = "same"
STALE = "stale"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Checked:
    """`state` is same, stale or unknown (a shallow clone). Compared is what history was at `upto`,
    the last commit that wrote the derived part; `waiting` counts the changes since, which enter
    with clawgit's next one.
    """

    state: str
    upto: str | None
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    altered: tuple[str, ...]
    waiting: int
    detail: str


class _Told:
    """What has been gathered of each commit, since one may change SOUL.md and IDENTITY.md."""

    def __init__(self) -> None:
        self._commits: dict[str, tuple[str, datetime, str, Message]] = {}
        self._what: dict[str, list[tuple[str, tuple[SectionChange, ...]]]] = {}

    def add(
        self,
        key: str,
        commit: tuple[str, datetime, str, Message],
        path: str,
        before: str,
        after: str,
    ) -> None:
        self._commits[key] = commit
        self._what.setdefault(key, []).append((path, section_changes(before, after)))

    def changes(self, left_out: Container[str] = ()) -> list[IdentityChange]:
        """Newest first, without those of some commits."""
        kept = ((sha, commit) for sha, commit in self._commits.items() if sha not in left_out)
        return newest_first(
            IdentityChange(
                name,
                time,
                actor,
                message.told,
                tuple(self._what[sha]),
                message.reason,
                message.evidence,
            )
            for sha, (name, time, actor, message) in kept
        )


def changelog(
    workspace: Workspace, since: str | None = None, until: str | None = None
) -> tuple[IdentityChange, ...]:
    """Each change of the identity that HEAD reaches, newest first; both ends are revisions or
    dates.
    """
    git = CGit(workspace.root, workspace.caller.env)
    left_out = set[str]()
    with soul_history(workspace) as history:
        if since:
            left_out.update(git.text("rev-list", history.resolve(since)).split())
        if until:
            left_out.update(git.text("rev-list", f"{history.resolve(until)}..HEAD").split())
    return tuple(_gathered(workspace).changes(left_out))


def check(workspace: Workspace) -> Checked:
    """Whether the derived part of CHANGELOG.md, as HEAD has it, is what history gives."""
    git = workspace.git
    text = _read(workspace, git.head().oid)
    with soul_history(workspace) as history:
        upto = _written_by(workspace, history.index, between_markers(text))
    if _is_shallow(workspace):
        return Checked(
            UNKNOWN,
            upto,
            (),
            (),
            (),
            0,
            "unknown: this clone is shallow and lacks the older history",
        )
    told = _gathered(workspace)
    if upto is None:
        count = len(told.changes())
        return Checked(
            SAME, None, (), (), (), count, f"{workspace.changelog} holds nothing yet{_more(count)}"
        )
    since = set(
        CGit(workspace.root, workspace.caller.env).text("rev-list", f"{upto}..HEAD").split()
    )
    wanted = told.changes(since)
    waiting = len(told.changes()) - len(wanted)
    found = compare(text, wanted)
    state, detail = (STALE, f"{workspace.changelog} {_STALE}")
    if not found:
        state, detail = (
            SAME,
            f"{workspace.changelog} {_SAME}: {len(wanted)} changes{_more(waiting)}",
        )
    return Checked(state, upto, found.missing, found.unknown, found.altered, waiting, detail)


def write(workspace: Workspace, *, dry_run: bool = False) -> Change:
    """Makes CHANGELOG.md anew without waiting for the next change of the soul."""
    if _is_shallow(workspace):
        raise ClawgitError(
            "This clone is shallow and lacks the older history.", hint="git fetch --unshallow"
        )
    name = workspace.changelog
    intent = Intent(
        workspace.caller.actor, DERIVE, f"{name} as history tells it", "It is derived from history."
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        body = render_markdown(_gathered(workspace).changes())
        tx.put(name, replace_between_markers(tx.read_text(name) or _template(workspace), body))
    return described(tx, dry_run=dry_run)


def with_changelog(workspace: Workspace, pending: Pending, found: bytes | None) -> bytes:
    """CHANGELOG.md as it belongs into a commit that is about to be made, its own entry included. A
    commit can hold its own change id, which is drawn before; it could not hold its own hash. A
    shallow clone, which would forget the older changes, leaves it alone.
    """
    text = _template(workspace) if found is None else found.decode("utf-8", "surrogateescape")
    if _is_shallow(workspace):
        return text.encode("utf-8", "surrogateescape")
    told = _gathered(workspace)
    _add_unlanded(workspace, pending.parent, told)
    message = parse_message(render_message(pending.intent, pending.ident))
    time = pending.now.replace(microsecond=0)
    for path in SOULS:
        before, after = map(_text, pending.files.get(path, (None, None)))
        if before != after:
            told.add(
                pending.ident,
                (pending.ident, time, message.actor_slug, message),
                path,
                before,
                after,
            )
    return replace_between_markers(text, render_markdown(told.changes())).encode(
        "utf-8", "surrogateescape"
    )


def _gathered(workspace: Workspace) -> _Told:
    """All changes that HEAD reaches."""
    told = _Told()
    for path in SOULS:
        with soul_history(workspace, path) as history:
            history.expect(version.oid for version in history.versions)
            for version in history.versions:
                _add_version(told, history, version)
    return told


def _add_version(told: _Told, history: SoulHistory, version: Version) -> None:
    commit = history.commit(version.oid)
    before, after = history.text_before(version) or "", history.text(version) or ""
    if len(commit.parents) > 1:
        sides = tuple(history.text_at(parent) or "" for parent in commit.parents)
        if joins_only(after, sides):
            return
    told.add(
        commit.sha,
        (commit.name, commit.time, commit.actor, commit.message),
        version.path,
        before,
        after,
    )


def _add_unlanded(workspace: Workspace, parent: str | None, told: _Told) -> None:
    """What others changed and is committed just before our own change: HEAD does not reach it
    yet.
    """
    git, head = workspace.git, workspace.git.head().oid
    while parent is not None and parent != head:
        commit = git.commit(parent)
        parent = commit.parents[0] if commit.parents else None
        for path in SOULS:
            before, after = _text(git.read(parent, path)), _text(git.read(commit.sha, path))
            if before != after:
                told.add(
                    commit.sha,
                    (commit.name, commit.time, commit.actor, commit.message),
                    path,
                    before,
                    after,
                )


def _written_by(workspace: Workspace, index: PathLog, body: str | None) -> str | None:
    """The newest commit that gave the derived part the text that it has."""
    for oid in index.commits(workspace.changelog):
        parents = workspace.git.commit(oid).parents
        here, before = (
            between_markers(_read(workspace, one)) for one in (oid, parents[0] if parents else None)
        )
        if here == body != before:
            return oid
    return None


def _read(workspace: Workspace, oid: str | None) -> str:
    return (workspace.git.read(oid, workspace.changelog) or b"").decode("utf-8", "surrogateescape")


def _template(workspace: Workspace) -> str:
    text = (resource("templates") / "workspace" / CHANGELOG).read_text("utf-8")
    return text.replace(f"# {CHANGELOG}", f"# {workspace.changelog}", 1)


def _more(waiting: int) -> str:
    return f"; {waiting} more enter with the next change of the soul" if waiting else ""


def _is_shallow(workspace: Workspace) -> bool:
    return (workspace.place.common_dir / "shallow").exists()


_SAME = "says what history says"
_STALE = "does not say what history says; `clawgit soul changelog --write` makes it anew"


def _text(data: bytes | None) -> str:
    """As the versions of a soul are compared: one kind of line end."""
    return (data or b"").decode("utf-8", "surrogateescape").replace("\r\n", "\n")
