"""Alerts about the past, each shown until it is acknowledged or undone.

They are alerts in commits, commits that were not checked or are on no branch, and recoveries of a
damaged state.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from clawgit.domain.change.history import parse_message
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.pathlog import PathLog
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.stranded import stranded_commits
from clawgit.stores.state import repository_state, state_file
from clawgit.stores.state_recovery import recoveries

_UNCHECKED = "refs/clawgit/unchecked/"
"""The commits that were made here with `--no-verify`; post-commit names them."""

_LEAK = "secret "
"""How the alert of a commit begins that brought a secret in."""

_UNDO = "^Clawgit-Op: [^/]+/(undo|redo|revert)$"


@dataclass(frozen=True, slots=True)
class Alert:
    """What the operator should look at. `status --ack` takes the `id`.

    Without an `id`, the alert disappears when its cause is repaired.
    """

    id: str | None
    time: datetime | None
    message: str
    next: str


def recorded_alerts(workspace: Workspace, git: CGit, head: str | None) -> list[Alert]:
    """The alerts in commits, newest first, without those that were acknowledged or undone."""
    if head is None:
        return []
    log = PathLog(workspace.place, git)
    log.refresh(head)
    oids = log.with_alerts()
    if not oids:
        return []
    return list(
        _unsettled(git, oids, set(acknowledged_alerts(workspace)), _undone(git, oids[-1], head))
    )


def of_commits(workspace: Workspace, git: CGit, head: str | None) -> list[Alert]:
    return [
        *recorded_alerts(workspace, git, head),
        *_unchecked(workspace, git, head),
        *_stranded(workspace, git),
    ]


def of_state_recovery(workspace: Workspace) -> Iterator[Alert]:
    """Recoveries of a damaged state.db that the operator has not acknowledged."""
    if not any(workspace.place.shared.glob("state.recovered-*.json")):
        return
    settled = set(acknowledged_alerts(workspace))
    for recovery in recoveries(state_file(workspace.place)):
        if recovery.id not in settled:
            yield Alert(
                recovery.id, recovery.time, recovery.told, f"clawgit status --ack {recovery.id}"
            )


def refs_below(place: RepoPlace, prefix: str) -> list[str]:
    """The names of our own references that begin with `prefix`, loose or packed."""
    folder = place.common_dir / prefix.rpartition("/")[0]
    loose = (
        f"{prefix.rpartition('/')[0]}/{file.relative_to(folder).as_posix()}"
        for file in _files_below(folder)
    )
    try:
        packed = [
            line.partition(" ")[2]
            for line in (place.common_dir / "packed-refs").read_text().splitlines()
        ]
    except FileNotFoundError:
        packed = []
    return sorted(
        {
            name
            for name in (*loose, *packed)
            if name.startswith(prefix) and not name.endswith(".lock")
        }
    )


def acknowledged_alerts(workspace: Workspace) -> Iterable[str]:
    if not state_file(workspace.place).exists():
        return ()
    with repository_state(
        workspace.place, workspace.caller.env, workspace.caller.home, workspace.now
    ) as state:
        return state.acknowledged()


def _stranded(workspace: Workspace, git: CGit) -> Iterator[Alert]:
    """Commits of clawgit on no branch."""
    lost = stranded_commits(workspace.place, git)
    # The state is opened only if there is something to acknowledge: `status` is called often.
    seen = set(acknowledged_alerts(workspace)) if lost else set()
    for commit in lost:
        # Whoever acknowledged it may have typed either name.
        if seen.isdisjoint((commit.oid, commit.name)):
            what = f"{commit.name} is on no branch: {commit.summary}"
            yield Alert(
                commit.name,
                commit.time,
                what,
                f"clawgit doctor --fix, or clawgit status --ack {commit.name}",
            )


def _unchecked(workspace: Workspace, git: CGit, head: str | None) -> Iterator[Alert]:
    """Commits made with `--no-verify`, without those that an amend or rebase has replaced."""
    if head is None or not refs_below(workspace.place, _UNCHECKED):
        return
    shape = "--format=%(objectname) %(committerdate:iso-strict)"
    rows = git.text(
        "for-each-ref", f"--merged={head}", "--sort=-committerdate", shape, _UNCHECKED
    ).splitlines()
    unchecked = [
        (sha, datetime.fromisoformat(time)) for sha, _, time in (row.partition(" ") for row in rows)
    ]
    # The rows come newest first. Whatever undoes one of these commits came after the oldest.
    settled = (
        {*acknowledged_alerts(workspace), *_undone(git, unchecked[-1][0], head)}
        if unchecked
        else set()
    )
    for sha, time in unchecked:
        name = sha[:10]
        if settled.isdisjoint((sha, name)):
            step = f"clawgit show {name}, then clawgit undo {name} or clawgit status --ack {name}"
            yield Alert(
                name, time, f"commit {name} was made with --no-verify: nothing was checked", step
            )


def _unsettled(
    git: CGit, oids: Iterable[str], acknowledged: set[str], undone: set[str]
) -> Iterator[Alert]:
    """An undo settles everything but a secret, which stays in history."""
    listed = "".join(f"{oid}\n" for oid in oids).encode()
    texts = git.run(
        "log", "--no-walk=unsorted", "-z", "--format=%H%n%cI%n%B", "--stdin", stdin=listed
    )
    for text in texts.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        sha, time, body = text.split("\n", 2)
        message = parse_message(body)
        name = message.ids[0] if message.ids else sha
        names = (sha, sha[:10], *message.ids)
        for alert in message.alerts if acknowledged.isdisjoint(names) else ():
            if alert.startswith(_LEAK):
                step = f"clawgit secrets scan --history, then clawgit status --ack {name}"
            elif undone.isdisjoint(names):
                step = (
                    f"clawgit show {name}, then clawgit undo {name} or clawgit status --ack {name}"
                )
            else:
                continue
            yield Alert(name, datetime.fromisoformat(time), alert, step)


def _undone(git: CGit, oldest: str, head: str) -> set[str]:
    """The ids that were undone, unless the undo was undone itself."""
    bodies = git.text(
        "log", "-z", "--format=%B", "--extended-regexp", f"--grep={_UNDO}", f"{oldest}..{head}"
    )
    undone: set[str] = set()
    # Newest first: an undo of an undo is read before the undo that it cancels.
    for message in map(parse_message, bodies.split("\0")[:-1]):
        if undone.isdisjoint(message.ids):
            undone.update(message.evidence)
    return undone


def _files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
