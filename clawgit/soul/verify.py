"""Checks whether every change of the soul had authority, under today's policy."""

from collections.abc import Container, Iterator
from datetime import datetime

from clawgit.core import NamedTuple
from clawgit.core.layout import SOUL, SOULS
from clawgit.core.markdown.decoding import decoded
from clawgit.git.dirt import Hidden, scan
from clawgit.git.history.pathlog import Version
from clawgit.git.history.streams import dropped_by_merges
from clawgit.git.revisions import BeforeHistoryError
from clawgit.git.rules.actors import CLAWGIT, OPERATOR, SNAPSHOT
from clawgit.git.rules.authority import (
    EVOLVE,
    is_agent,
    joins_only,
    why_unauthorised,
)
from clawgit.git.rules.history import BACK, Commit, CommitMessage, ToldChange
from clawgit.git.signatures import signed_by
from clawgit.history.log import revision
from clawgit.safety.operator import signers_of, signing_since
from clawgit.soul.identity_rules import policy_in_force
from clawgit.soul.rules.guard import SoulEdit, weakened
from clawgit.soul.versions import SoulHistory, protected_lines, soul_histories
from clawgit.talk.rules.corrections import CORRECTIONS, cited, corrections
from clawgit.workspace.workspace import Workspace


class Unauthorised(NamedTuple):
    """A change without authority, and why."""

    change: ToldChange
    path: str
    reasons: tuple[str, ...]
    next: str


class Verified(NamedTuple):
    """`checked` counts the changes, without the first version of each file.

    `shallow`: older history is missing in this clone. `signers`: keys are set, so a signature can
    prove who made a commit; without keys, the commit's own word counts.
    """

    ok: bool
    policy: str
    checked: int
    shallow: bool
    unauthorised: tuple[Unauthorised, ...]
    signers: bool = False
    hidden: tuple[Hidden, ...] = ()
    """Soul files that git is told to ignore. If one of them was edited, `ok` is false."""


class _Change(NamedTuple):
    """One version to judge. `before` is the text in its first parent, which `base` left so; `sides`
    is that in each parent of a merge.
    """

    commit: Commit
    path: str
    base: Version | None
    before: str
    after: str
    sides: tuple[str, ...]


def verify(workspace: Workspace, since: str | None = None) -> Verified:
    """Names each change without authority, oldest first. `since`: only those after it.

    The actor that a commit names is believed, except "operator" and "clawgit" once an operator key
    is set. A valid signature of that key or of one of `soul_signers` always gives authority.
    """
    policy, since_key = policy_in_force(workspace), signing_since(workspace.caller)
    checked, unauthorised = 0, list[Unauthorised]()
    skipped = _before(workspace, since)
    for history in soul_histories(workspace, SOULS):
        for change, reasons in _judged(history, policy, since_key):
            if change.commit.sha not in skipped:
                checked += 1
                unauthorised += [_unauthorised(change, reasons)] if reasons else []
    git = workspace.cgit
    allowed = signers_of(workspace)
    # Only these are asked about: to check a signature, git starts another program.
    signed = signed_by(git, [finding.change.sha for finding in unauthorised], allowed)
    left = [finding for finding in unauthorised if finding.change.sha not in signed]
    left.sort(key=lambda finding: (finding.change.time, finding.change.sha))
    shallow = workspace.place.is_shallow
    hidden = tuple(file for file in scan(git).hidden if file.path in SOULS)
    # An edit that git is told to overlook is in no commit, so nothing above could find it.
    ok = not left and not any(file.edited for file in hidden)
    return Verified(ok, policy, checked, shallow, tuple(left), bool(allowed), hidden)


def _judged(
    history: SoulHistory, policy: str, since_key: datetime | None
) -> Iterator[tuple[_Change, tuple[str, ...]]]:
    """Each change, oldest first, with the reasons why it had no authority."""
    his, keyed = set[str](), False
    for change in _changes(history):
        message = change.commit.message
        # A commit may claim any date. One that follows a commit from after the key was set was
        # made after it too.
        keyed = keyed or _is_after(change, since_key)
        if not (change.sides and joins_only(change.after, change.sides)):
            yield change, tuple(_reasons(history, change, policy, his, keyed=keyed))
        if any(map(cited, message.evidence)) or message.by_operator:
            his.update(filter(None, (change.commit.sha[:10], *message.ids)))
    for change in _left_out(history):
        keyed = _is_after(change, since_key)
        yield change, tuple(_reasons(history, change, policy, his, keyed=keyed))


def _is_after(change: _Change, since_key: datetime | None) -> bool:
    return since_key is not None and change.commit.time >= since_key


def _changes(history: SoulHistory) -> Iterator[_Change]:
    """The versions, oldest first. The very first one is not a change: there was no soul before."""
    history.expect(version.oid for version in history.versions)
    for number, version in enumerate(reversed(history.versions)):
        if number or any(version.before):
            commit = history.commit(version.oid)
            base = next(history.versions.older(version), None)
            before, after = history.text_before(version), history.text(version)
            yield _Change(commit, history.path, base, before, after, history.sides(version))


def _left_out(history: SoulHistory) -> Iterator[_Change]:
    """Merges with the soul of one side, though the other had changed it: they take that change
    back, without being a version themselves.
    """
    head = history.index.head
    for dropped in dropped_by_merges(history.index.git, (history.path,), head) if head else ():
        commit = history.commit(dropped.commit)
        base, before = history.version_at(dropped.parent), history.text_at(dropped.parent) or ""
        after = history.text_at(dropped.commit) or ""
        yield _Change(commit, history.path, base, before, after, ())


def _reasons(
    history: SoulHistory, change: _Change, policy: str, his: Container[str], *, keyed: bool
) -> Iterator[str]:
    """Why a change had no authority. `keyed`: the operator key must confirm who made it."""
    message = change.commit.message
    if lacking := why_unauthorised(message, policy):
        yield lacking
    if policy == EVOLVE and not _names_another(message):
        undone = next(filter(his.__contains__, message.evidence), "")
        if undone and message.verb in BACK:
            yield f"takes back {undone}, which the operator made"
        for objection in weakened(_edit(history, change)):
            yield objection.message
    if keyed and (who := _CLAIMS.get(message.actor_slug)):
        yield f"says that {who} made it, and the operator key did not sign it"


def _names_another(message: CommitMessage) -> bool:
    """Whether a commit says that somebody made it who is no agent."""
    is_edit = message.verb == SNAPSHOT and not message.by_operator
    return bool(message.op) and not is_agent(message) and not is_edit


def _edit(history: SoulHistory, change: _Change) -> SoulEdit:
    commit = change.commit
    known = history.data_at(commit.sha, CORRECTIONS) if commit.message.evidence else None
    return SoulEdit(
        change.path,
        change.before,
        change.after,
        evidence=commit.message.evidence,
        protected=protected_lines(history, change.base),
        corrections=corrections(decoded(known) or ""),
    )


_CLAIMS = {OPERATOR.slug: "the operator", CLAWGIT.slug: "clawgit"}
"""With a key, a commit's own claim is no proof. What clawgit writes into the soul, for instance at
`init`, it writes for the operator, and signs."""


def _unauthorised(change: _Change, reasons: tuple[str, ...]) -> Unauthorised:
    name, flag = change.commit.name, "" if change.path == SOUL else " --identity"
    step = f"clawgit show {name}, then perhaps clawgit soul revert {name}{flag}"
    return Unauthorised(change.commit.told, change.path, reasons, step)


def _before(workspace: Workspace, since: str | None) -> frozenset[str]:
    """A commit and all its ancestors; none for a day before all history."""
    if not since:
        return frozenset()
    try:
        begin = revision(workspace, since)
    except BeforeHistoryError:
        return frozenset()
    return frozenset(workspace.cgit.text("rev-list", begin).split())
