"""What the operator must know of commits: what those of others brought without any hook, or a
snapshot of their edits, and the alerts that are recorded in ours; each is told until it is
acknowledged.

Git runs hooks at `git commit`, but not at a merge, a cherry-pick or `git am`, and whoever commits
can turn them off. So all commits since the last look are read, by one table of rules.
"""

import shlex
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from math import inf

from clawgit.core import NamedTuple
from clawgit.core.config.load import load
from clawgit.core.config.settings import overstepped
from clawgit.core.errors import Alert, ClawgitError
from clawgit.core.layout import SOUL, SOULS
from clawgit.core.markdown.decoding import TextChange, text_of
from clawgit.git.batch import Batch
from clawgit.git.cgit import CGit
from clawgit.git.history.pathlog import PathLog, told
from clawgit.git.history.streams import dropped_by_merges
from clawgit.git.looked import (
    CLAIMING_COMMITS,
    DROPPED,
    LEAKY_COMMITS,
    LOOKED,
    ORDERING_COMMITS,
    OVERSTEPPING_COMMITS,
    PLANTED_COMMITS,
    QUIET,
    RETURNED_COMMITS,
    TAKING_COMMITS,
    TOLD_COMMITS,
    UNCHECKED_COMMITS,
    UNREAD_COMMITS,
    begun,
    keep_noted,
    noted,
    noted_names,
)
from clawgit.git.place import is_commit_id, refs_below
from clawgit.git.revisions import commit_named
from clawgit.git.rules.actors import AGENT, SNAPSHOT, actor_named, is_ours
from clawgit.git.rules.authority import EVOLVE, is_agent
from clawgit.git.rules.history import SAYS, Commit
from clawgit.git.rules.ids import BY_GIT
from clawgit.git.signatures import signed_by
from clawgit.history.rules.record import Forgotten
from clawgit.safety.claimed_words import reworded, unsaid
from clawgit.safety.commit_edits import HIS, changes_in, edits_in
from clawgit.safety.operator import signers_of, signing_since
from clawgit.safety.own_texts import brought, foreign_blocks, keep_as_own
from clawgit.safety.secrets_found import brought as brought_secrets
from clawgit.safety.secrets_found import refused
from clawgit.safety.state_alerts import acknowledged_alerts
from clawgit.safety.taking_back import HEADS, dropped_commits, retold, taken_back_by
from clawgit.safety.trust_store import AT_A_TERMINAL
from clawgit.talk.rules.corrections import CORRECTIONS, holds_corrections
from clawgit.workspace.workspace_base import WorkspaceBase

_MOST_COMMITS = 200
_MOST_BYTES = 1024 * 1024
"""After how much a look reads only the operator's files, about three seconds' work, and after as
much of these no more. It begins with the newest commit."""

_SNAPSHOTS = ("--extended-regexp", f"--grep=^Clawgit-Op: [a-z0-9-]+/{SNAPSHOT}$")
_SECRET = "secret "  # noqa: S105 - no password
"""How the alert about a secret begins that a message holds."""


@dataclass(frozen=True)
class _Foreign:
    """A commit, and what it did to texts."""

    workspace: WorkspaceBase
    sha: str
    texts: list[TextChange]

    @cached_property
    def made(self) -> Commit:
        return next(told(self.workspace.cgit, [self.sha]))

    @cached_property
    def is_signed(self) -> bool:
        """Whether the operator signed it. Asked last: this starts a program."""
        return bool(signed_by(self.workspace.cgit, [self.sha], signers_of(self.workspace)))

    @property
    def has_authority(self) -> bool:
        return not without_authority(self.workspace, [self.made])

    def logs(self) -> list[TextChange]:
        """What it did to corrections, unless it had the authority to do that."""
        logs = [edit for edit in self.texts if holds_corrections(edit.path)]
        if not logs or self.has_authority:
            return []
        if self.made.parents:
            return logs
        # A first commit may hold what another history, which was lost, has proven. That of a
        # branch beside the others may not.
        roots = self.workspace.cgit.text("rev-list", "--max-parents=0", "--branches").split()
        return [] if roots == [self.sha] else logs

    def claims(self) -> Iterator[str]:
        """The ids of the corrections by which it is the first to give words to the operator."""
        if not (logs := self.logs()):
            return
        # What a commit leaves alone says what it said.
        now = text_of(Batch(self.workspace.cgit).data(f"{self.sha}:{CORRECTIONS}"))
        log = next((edit.before for edit in logs if edit.path == CORRECTIONS), now)
        for path, before, after in logs:
            yield from (claim.id for claim in unsaid(self.workspace, path, before, after, log))

    def reworded(self) -> Iterator[str]:
        """The ids of the corrections that it makes say something else."""
        for path, before, after in self.logs():
            yield from reworded(path, before, after)


def _plants(commit: _Foreign) -> bool:
    """Whether it brought text that looks planted; what the operator signed is recorded as his."""
    blocks = foreign_blocks(commit.workspace, commit.texts)
    if blocks and commit.is_signed:
        keep_as_own(commit.workspace, blocks, f"the signature of commit {commit.sha[:10]}")
        return False
    return bool(blocks)


def _leaks(commit: _Foreign) -> bool:
    """Whether it brought a secret that the operator does not allow, in a text or a name, and does
    not say so itself, as a snapshot does.
    """
    found = (secret for _, secret in brought_secrets(commit.texts))
    if not refused(commit.workspace, found):
        return False
    # Anybody may type an alert, and the id of one that the operator has seen.
    says = any(alert.startswith(_SECRET) for alert in commit.made.alerts)
    seen = acknowledged_alerts(commit.workspace)
    return not says or not {*commit.made.message.ids}.isdisjoint(seen)


def _returns(commit: _Foreign) -> bool:
    """Whether it brings back words that the operator had forgotten: into history if they were
    forgotten there too, else into files that still have them.
    """
    known = commit.workspace.forgotten()
    back = _brought_back(known, commit.texts)
    rewritten = Forgotten(tuple(act for act in known if act.first))
    if not back or _brought_back(rewritten, back):
        return bool(back)
    newest = Batch(commit.workspace.cgit).read([f"HEAD:{edit.path}" for edit in back])
    return any(known.holds(text_of(blob.data)) for blob in newest if blob)


def _brought_back(known: Forgotten, texts: Iterable[TextChange]) -> list[TextChange]:
    return [edit for edit in texts if known.is_back(edit.before, edit.after)]


def _takes_back(commit: _Foreign, parent: str = "") -> bool:
    """Whether a commit by others takes back what the operator said. `parent` is one of a merge."""
    edits = {edit.path: (edit.before, edit.after) for edit in commit.texts}
    at = parent or next(iter(commit.made.parents), "")
    if not any(taken_back_by(commit.workspace, AGENT, edits, at=at)):
        return not commit.has_authority and any(retold(commit.workspace, edits, at))
    return bool(parent) or not commit.has_authority


def _oversteps(commit: _Foreign) -> bool:
    """Whether somebody else changed what only the operator may: a setting, or the soul while its
    policy does not let agents.
    """
    his = any(edit.before and _is_his(commit.workspace, *edit) for edit in commit.texts)
    return his and not commit.has_authority


def _is_his(workspace: WorkspaceBase, path: str, before: str, after: str) -> bool:
    if path == workspace.config_file:
        return bool(overstepped(load(before).settings, load(after).settings))
    return path in SOULS and workspace.settings.soul_policy != EVOLVE


def _orders(commit: _Foreign) -> bool:
    """Whether an agent's commit adds a line to the soul, or one that only says that it is the
    operator's: each is a standing order.
    """
    souls = [edit for edit in commit.texts if edit.path == SOUL and edit.before]
    if not any({*edit.after.split("\n")} - {*edit.before.split("\n")} for edit in souls):
        return False
    message = commit.made.message
    if message.by_operator:
        return not commit.has_authority
    return is_agent(message) and not is_ours(actor_named(message.actor_slug))


class _Rule(NamedTuple):
    """A kind of alert: the prefix of the refs that name such commits, what is wrong with each, what
    to do (`{0}` is the commit), and whether it is so; git's hooks or a look note the others.
    """

    prefix: str
    what: str
    step: str
    is_so: Callable[[_Foreign], bool] | None = None


_UNDO_AND_ACK = "clawgit show {0}, clawgit undo {0} if it is wrong, then clawgit status --ack {0}"
_SCAN = "clawgit secrets scan --history, then clawgit status --ack {0}"

_RULES = (
    _Rule(UNCHECKED_COMMITS, "was made with --no-verify: nothing was checked", _UNDO_AND_ACK),
    _Rule(
        PLANTED_COMMITS,
        "brought text that looks planted; agents do not see it",
        "clawgit trust, or clawgit undo {0}; then clawgit status --ack {0}",
        _plants,
    ),
    _Rule(LEAKY_COMMITS, "brought what looks like a secret, past the hooks", _SCAN, _leaks),
    _Rule(
        RETURNED_COMMITS,
        "brought back words that `clawgit forget` removed",
        "clawgit forget TEXT --history, or clawgit status --ack {0}",
        _returns,
    ),
    _Rule(
        TAKING_COMMITS,
        "took back what the operator said",
        f"{_UNDO_AND_ACK}; of a merge, clawgit restore FILE --at REV",
        _takes_back,
    ),
    _Rule(
        OVERSTEPPING_COMMITS,
        "changed what only the operator may, in the settings or the soul",
        _UNDO_AND_ACK,
        _oversteps,
    ),
    _Rule(
        ORDERING_COMMITS,
        "added a standing order to SOUL.md, which each session reads",
        _UNDO_AND_ACK,
        _orders,
    ),
    _Rule(
        CLAIMING_COMMITS,
        "says that the operator corrected something, and nothing that is known here proves it",
        _UNDO_AND_ACK,
        # Of what is reworded, the alert above says enough.
        lambda commit: not {*commit.claims()} <= {*commit.reworded()},
    ),
    _Rule(
        UNREAD_COMMITS,
        "and those before it brought too much to check",
        "clawgit trust, clawgit secrets scan --history, then clawgit status --ack {0}",
    ),
)


def look_at_commits(workspace: WorkspaceBase, head: str) -> None:
    """Looks at all commits of HEAD since the last look, and records what the operator must know.

    If the last look is unknown, only HEAD and the snapshots are looked at, and in a clone or a
    restored backup what was committed there.
    """
    looked = noted(workspace.place, LOOKED)
    if not head or looked == head:
        return
    span = _span(workspace, looked, head)
    _look_at_merges(workspace, span)
    _look_at_dropped(workspace, span, head)
    left, unread, most = _MOST_BYTES, "", f"--max-count={_MOST_COMMITS + 1}"
    listed = edits_in(workspace, most, *span)
    if f"^{looked}" not in span:
        listed |= edits_in(workspace, most, *_SNAPSHOTS, head)
    for number, (commit, edits) in enumerate(listed.items()):
        if number == _MOST_COMMITS or left < -_MOST_BYTES:
            unread = unread or commit
            break
        texts, is_whole = changes_in(workspace, edits, left)
        unread = unread or ("" if is_whole else commit)
        left -= sum(len(edit.after) for edit in texts)
        _look(_Foreign(workspace, commit, texts))
    if unread:
        _note(workspace.cgit, UNREAD_COMMITS, unread)
    keep_noted(workspace.place, LOOKED, head)


def _look(commit: _Foreign) -> None:
    for rule in _RULES:
        if rule.is_so and rule.is_so(commit):
            _note(commit.workspace.cgit, rule.prefix, commit.sha)


def _note(git: CGit, name: str, commit: str) -> None:
    git.run("update-ref", f"{name}{commit}", commit)


def settle_commits(workspace: WorkspaceBase) -> None:
    """Drops the records of commits if all their text is the operator's now."""
    _settle(workspace, PLANTED_COMMITS, lambda it: foreign_blocks(workspace, it.texts))


def settle_returned(workspace: WorkspaceBase) -> None:
    """Drops the records of commits that brought forgotten words back, once these are gone again."""
    _settle(workspace, RETURNED_COMMITS, _returns)


def _settle(workspace: WorkspaceBase, prefix: str, is_so: Callable[[_Foreign], object]) -> None:
    git = workspace.cgit
    rows = git.text("for-each-ref", "--format=%(refname) %(objectname)", prefix)
    for name, _, commit in (row.partition(" ") for row in rows.splitlines()):
        if not is_so(_foreign(workspace, commit)):
            git.run("update-ref", "-d", name)


def keep_commit(workspace: WorkspaceBase, commit: str) -> None:
    """Records that what a commit brought is the operator's, who made it at a terminal."""
    # The commit is made. Without a row, `clawgit trust` asks about its texts.
    with suppress(ClawgitError):
        keep_as_own(workspace, brought(_foreign(workspace, commit).texts), AT_A_TERMINAL)


def doubts(
    workspace: WorkspaceBase, head: str, files: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The ids of the corrections in doubt, of these files with corrections, and what to do: which
    nothing proves, in a commit under an open alert or in what is not committed.
    """
    look_at_new(workspace, head)
    for commit, told_of in noted_alerts(workspace, head, (CLAIMING_COMMITS, TAKING_COMMITS)):
        made = _foreign(workspace, commit)
        for ident in (*made.claims(), *made.reworded()):
            yield ident, told_of.next
    committed = Batch(workspace.cgit).read(f"{head}:{path}" for path in (CORRECTIONS, *files))
    log, *before = ["" if blob is None else text_of(blob.data) for blob in committed]
    for (path, now), then in zip(files.items(), before, strict=True):
        if now != then:
            claims = (claim.id for claim in unsaid(workspace, path, then, now, log))
            for ident in (*claims, *reworded(path, then, now)):
                yield ident, f"clawgit diff {shlex.quote(path)}, then clawgit snapshot"


def without_authority(workspace: WorkspaceBase, commits: Iterable[Commit]) -> Collection[str]:
    """The commits that neither clawgit made, by its own rules, nor the operator. Since an operator
    key is set, only a signature shows that one is the operator's.
    """
    git, since = workspace.cgit, signing_since(workspace.caller)
    known = {commit.sha: commit for commit in commits}
    # The signature first: the time of one without is looked up in the whole history.
    signed = signed_by(git, [*known], signers_of(workspace)) if since else ()
    left = [sha for sha in known if sha not in signed and not _is_believed(git, known[sha], since)]
    return left if since else {*left} - signed_by(git, left, signers_of(workspace))


def _is_believed(git: CGit, commit: Commit, since: datetime | None) -> bool:
    """Whether a commit needs no signature: what it says of itself is enough."""
    message = commit.message
    if not message.ids or not message.op:
        return False
    if message.by_operator:
        return since is None or _newest(git, commit) < since
    author = actor_named(message.actor_slug).name
    return message.verb not in (BY_GIT, SNAPSHOT) and commit.author == author


def _newest(git: CGit, commit: Commit) -> datetime:
    """When a commit or one before it was made, the latest: it may claim any date."""
    times = git.text("log", "--format=%ct", commit.sha).split()
    return datetime.fromtimestamp(max(map(int, times)), UTC)


def _look_at_merges(workspace: WorkspaceBase, span: Iterable[str]) -> None:
    """Records the merges that lost what the operator said on one of their sides."""
    git = workspace.cgit
    for dropped in dropped_by_merges(git, HIS, *span):
        named = [f"{side}:{dropped.path}" for side in (dropped.parent, dropped.commit)]
        before, after = (text_of(blob.data) if blob else "" for blob in Batch(git).read(named))
        texts = [TextChange(dropped.path, before, after)]
        if _takes_back(_Foreign(workspace, dropped.commit, texts), dropped.parent):
            _note(git, TAKING_COMMITS, dropped.commit)


def _look_at_dropped(workspace: WorkspaceBase, span: Sequence[str], head: str) -> None:
    """Records the operator's commits that somebody reset or amended since the last look."""
    # HEAD itself, if nothing is known of a look.
    if lost := dropped_commits(workspace, span[-1].removeprefix("^"), head):
        names = *noted_names(workspace.place, DROPPED), *lost
        keep_noted(workspace.place, DROPPED, " ".join(names))


def _span(workspace: WorkspaceBase, looked: str, head: str) -> tuple[str, ...]:
    """The commits since the last look, or since history was brought here; else only HEAD."""
    ends = filter(None, (looked, begun(workspace.place)))
    end = next((one for one in ends if commit_named(workspace.cgit, one)), head)
    return ("--max-count=1", head) if end == head else (head, f"^{end}")


def _foreign(workspace: WorkspaceBase, commit: str) -> _Foreign:
    edits = edits_in(workspace, "--no-walk", commit).get(commit, [])
    return _Foreign(workspace, commit, changes_in(workspace, edits, inf)[0])


# The alerts.


def of_commits(workspace: WorkspaceBase, head: str | None) -> list[Alert]:
    look_at_new(workspace, head)
    notes = (alert for _, alert in noted_alerts(workspace, head))
    return [*recorded_alerts(workspace, head), *notes, *_dropped_alerts(workspace, head)]


def alerts_of(workspace: WorkspaceBase, made: Sequence[str]) -> tuple[str, ...]:
    """What is to be said of the commits that a snapshot has just made."""
    names = {commit[:10] for commit in made}
    found = of_commits(workspace, made[-1]) if made else ()
    return tuple(alert.message for alert in found if alert.id in names)


def look_at_new(workspace: WorkspaceBase, head: str | None) -> None:
    """Looks at the commits since the last look: hooks see only `git commit`."""
    # If nothing can be written, for instance on a read-only disk, the look is skipped.
    with suppress(ClawgitError, OSError):
        look_at_commits(workspace, head or "")


def recorded_alerts(workspace: WorkspaceBase, head: str | None) -> list[Alert]:
    """The alerts in commits, newest first, without those that were acknowledged."""
    if head is None:
        return []
    oids = PathLog(workspace.cgit, head).with_alerts(noted(workspace.place, QUIET))
    # What an undo may call it: git's hooks give an id to commits by hand, too.
    unseen = _unseen(workspace, oids, lambda commit: commit.message.ids)
    alerts = [_alert(commit, alert) for commit in unseen for alert in commit.alerts]
    # Of a shallow clone more may be fetched, and HEAD stays.
    if not alerts and not workspace.place.is_shallow:
        keep_noted(workspace.place, QUIET, head)
    return alerts


def _alert(commit: Commit, alert: str) -> Alert:
    name = commit.id or commit.sha
    is_secret = alert.removeprefix(SAYS).startswith(_SECRET)
    return Alert(name, commit.time, alert, (_SCAN if is_secret else _UNDO_AND_ACK).format(name))


def noted_alerts(
    workspace: WorkspaceBase, head: str | None, only: Container[str] = TOLD_COMMITS
) -> Iterator[tuple[str, Alert]]:
    """Alerts about commits of HEAD by plain git that our refs name, newest first, each with the
    hash of its commit. An undo settles none: anybody may write a commit that says that it is one.
    """
    for rule in _RULES:
        if head is None or rule.prefix not in only or not refs_below(workspace.place, rule.prefix):
            continue
        shape = ("--sort=-committerdate", "--format=%(objectname)")
        named = workspace.cgit.text("for-each-ref", f"--merged={head}", *shape, rule.prefix)
        # Not by its id, which anybody may type into a message: it could be one that was seen.
        for commit in _unseen(workspace, named.split(), lambda _: ()):
            name = commit.sha[:10]
            what = f"commit {name} {rule.what}"
            yield commit.sha, Alert(name, commit.time, what, rule.step.format(name))


def _dropped_alerts(workspace: WorkspaceBase, head: str | None) -> list[Alert]:
    """Alerts about such commits, until a branch has them again or the operator has seen them."""
    names = [*filter(is_commit_id, noted_names(workspace.place, DROPPED))]
    if not names or not head:
        return []
    kept = ("--ignore-missing", *names, "--not", head, *HEADS)
    gone = {*names}.intersection(workspace.cgit.text("rev-list", *kept).split())
    alerts = []
    for commit in _unseen(workspace, gone, lambda _: ()):
        name = commit.sha[:10]
        what = f"commit {name} of the operator's is in no branch any more"
        step = f"git cherry-pick {name} if it is missed, then clawgit status --ack {name}"
        alerts.append(Alert(name, commit.time, what, step))
    # From now on `status` need not look.
    if not alerts:
        keep_noted(workspace.place, DROPPED, "")
    return alerts


def _unseen(
    workspace: WorkspaceBase, oids: Collection[str], more: Callable[[Commit], Iterable[str]]
) -> Iterator[Commit]:
    """The commits that the operator has not acknowledged, by their hash or one of more names."""
    # The state may be unreadable, and `status` has to say so.
    acknowledged = {*acknowledged_alerts(workspace)} if oids else set()
    for commit in told(workspace.cgit, oids):
        if acknowledged.isdisjoint((commit.sha, commit.sha[:10], *more(commit))):
            yield commit
