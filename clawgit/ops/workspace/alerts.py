"""Alerts about the past, each shown until it is acknowledged: in commits, of unchecked
commits, and of commits on no branch. And what waits in the files for the operator's word.

`status` loads this where small files show that there may be something to tell.
"""

from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from clawgit.domain.change.history import SAYS, Commit
from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import (
    corrections,
)
from clawgit.errors import Alert, ClawgitError, NotFoundError, counted
from clawgit.ops.safety.committed_texts import look_at_commits
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.state_alerts import acknowledged_alerts, of_recovery
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.dirt import scan
from clawgit.stores.git.looked import (
    CLAIMING_COMMITS,
    LEAKY_COMMITS,
    LOOKED,
    ORDERING_COMMITS,
    PLANTED_COMMITS,
    QUIET,
    RETURNED_COMMITS,
    TAKING_COMMITS,
    TOLD_COMMITS,
    UNCHECKED_COMMITS,
    UNREAD_COMMITS,
    keep_noted,
    noted,
)
from clawgit.stores.git.place import is_shallow, refs_below

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit status --ack"
_LEAK = "secret "
"""How the alert begins for a commit with a secret."""


class Acknowledged(NamedTuple):
    """The alerts that will not be shown again.

    This is not in the history, so there is no commit.
    """

    acknowledged: tuple[str, ...]
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


class _Note(NamedTuple):
    """A kind of alert: the prefix of the refs that name such commits, what is wrong with each, and
    what to do. `{0}` is the commit.
    """

    prefix: str
    what: str
    step: str


_UNDO_AND_ACK = "clawgit show {0}, clawgit undo {0} if it is wrong, then clawgit status --ack {0}"
_SCAN = "clawgit secrets scan --history, then clawgit status --ack {0}"

_NOTES = (
    _Note(UNCHECKED_COMMITS, "was made with --no-verify: nothing was checked", _UNDO_AND_ACK),
    _Note(
        PLANTED_COMMITS,
        "brought text that looks planted; agents do not see it",
        "clawgit trust, or clawgit undo {0}; then clawgit status --ack {0}",
    ),
    _Note(LEAKY_COMMITS, "brought what looks like a secret, past the hooks", _SCAN),
    _Note(
        RETURNED_COMMITS,
        "brought back words that `clawgit forget` removed",
        "clawgit forget TEXT --history, or clawgit status --ack {0}",
    ),
    _Note(
        TAKING_COMMITS,
        "took back what the operator said, by plain git",
        f"{_UNDO_AND_ACK}; of a merge, clawgit restore FILE --at REV",
    ),
    _Note(
        ORDERING_COMMITS,
        "added a standing order to SOUL.md, which each session reads",
        _UNDO_AND_ACK,
    ),
    _Note(
        CLAIMING_COMMITS,
        "says that the operator corrected something, and nothing that is known here proves it",
        _UNDO_AND_ACK,
    ),
    _Note(
        UNREAD_COMMITS,
        "and those before it brought too much to check",
        "clawgit trust, clawgit secrets scan --history, then clawgit status --ack {0}",
    ),
)


def acknowledge(workspace: WorkspaceBase, name: str = "", *, dry_run: bool = False) -> Acknowledged:
    """Marks one alert of the history or of the state as seen, or all that are shown.

    Alerts are for the operator, so only the operator may acknowledge them.
    """
    require_operator(workspace.caller, "acknowledge an alert", _AT_A_TERMINAL)
    git = workspace.cgit
    head = scan(git, workspace.scope).head
    shown = [*of_recovery(workspace), *of_commits(workspace, git, head)]
    chosen = tuple(
        dict.fromkeys(alert.id for alert in shown if alert.id and name in ("", alert.id))
    )
    if name and not chosen:
        raise NotFoundError(f"There is no alert {name}.", hint="`clawgit status` lists the alerts.")
    if chosen and not dry_run:
        with state_of(workspace) as state:
            for ident in chosen:
                state.acknowledge(ident)
    return Acknowledged(chosen)


def undecided(corrected: str, conflicting: str) -> Iterator[tuple[str, str]]:
    """What waits in CORRECTIONS.md and CONFLICTS.md for the operator's word, and what shows it."""
    if count := sum(correction.waits for correction in corrections(corrected)):
        what = f"{counted(count, 'correction')} {'asks' if count == 1 else 'ask'} what is right"
        yield what, "clawgit corrections list --open"
    if count := sum(conflict.open for conflict in conflicts(conflicting)):
        words = counted(count, "conflict of memory", "conflicts of memory")
        yield (
            f"{words} {'waits' if count == 1 else 'wait'} for the operator",
            "clawgit conflicts list",
        )


def recorded_alerts(workspace: WorkspaceBase, git: CGit, head: str | None) -> list[Alert]:
    """The alerts in commits, newest first, without those that were acknowledged."""
    if head is None:
        return []
    oids = workspace.past(head).with_alerts(noted(workspace.place, QUIET))
    unseen = [*_unseen(workspace, git, oids)] if oids else []
    if not unseen:
        # Of a shallow clone more may be fetched, and HEAD stays.
        if not is_shallow(workspace.place):
            keep_noted(workspace.place, QUIET, head)
        return []
    return [_alert(commit, alert) for commit in unseen for alert in commit.alerts]


def _alert(commit: Commit, alert: str) -> Alert:
    name = commit.id or commit.sha
    is_secret = alert.removeprefix(SAYS).startswith(_LEAK)
    return Alert(name, commit.time, alert, (_SCAN if is_secret else _UNDO_AND_ACK).format(name))


def of_commits(workspace: WorkspaceBase, git: CGit, head: str | None) -> list[Alert]:
    look_at_new(workspace, git, head)
    return [
        *recorded_alerts(workspace, git, head),
        *(alert for _, alert in noted_alerts(workspace, git, head)),
    ]


def look_at_new(workspace: WorkspaceBase, git: CGit, head: str | None) -> None:
    """Looks at the commits since the last look: hooks see only `git commit`."""
    if head is None or noted(workspace.place, LOOKED) == head:
        return
    # If nothing can be written, for instance on a read-only disk, the look is skipped.
    with suppress(ClawgitError, OSError):
        look_at_commits(workspace, git, head)


def noted_alerts(
    workspace: WorkspaceBase, git: CGit, head: str | None, only: Container[str] = TOLD_COMMITS
) -> Iterator[tuple[str, Alert]]:
    """Alerts about commits by plain git that our refs name, each with the hash of its commit."""
    for note in _NOTES:
        if note.prefix not in only:
            continue
        for commit in _noted(workspace, git, head, note):
            name = commit.sha[:10]
            what = f"commit {name} {note.what}"
            yield commit.sha, Alert(name, commit.time, what, note.step.format(name))


def _noted(workspace: WorkspaceBase, git: CGit, head: str | None, note: _Note) -> Iterator[Commit]:
    """The commits of HEAD that the references of a note name, newest first.

    Without those that were acknowledged. An undo settles none: anybody may write a commit that says
    that it is one.
    """
    if head is None or not refs_below(workspace.place, note.prefix):
        return
    shape = ("--sort=-committerdate", "--format=%(objectname)")
    oids = git.text("for-each-ref", f"--merged={head}", *shape, note.prefix).split()
    if not oids:
        return
    acknowledged = {*acknowledged_alerts(workspace)}
    for commit in Batch(git).read_commits(oids):
        # Not by its id, which anybody may type into a message: it could be one that was seen.
        if acknowledged.isdisjoint((commit.sha, commit.sha[:10])):
            yield commit


def _names(commit: Commit) -> tuple[str, ...]:
    """What an undo may call it: git's hooks give an id to commits by hand, too."""
    return (commit.sha, commit.sha[:10], *commit.message.ids)


def _unseen(workspace: WorkspaceBase, git: CGit, oids: Iterable[str]) -> Iterator[Commit]:
    """The commits whose alerts the operator has not acknowledged."""
    acknowledged = {*acknowledged_alerts(workspace)}
    for commit in Batch(git).read_commits(oids):
        if commit.alerts and acknowledged.isdisjoint(_names(commit)):
            yield commit
