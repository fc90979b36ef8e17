"""`watch`: commits edits on its own, once they have settled."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from clawgit.errors import BusyError, MassDeletionError, MissingExtraError
from clawgit.ops.change.changes import snapshot
from clawgit.ops.workspace.workspace import Workspace

try:
    import watchfiles
except ImportError:  # an extra; only the command `watch` needs it
    watchfiles = None  # type: ignore[assignment]

_PATIENCE = 30
"""Settle times after which a snapshot is taken even if the edits never pause."""

Batch = frozenset[str]
"""Paths that changed. An empty batch is a tick: some time passed without a change."""


@dataclass(frozen=True, slots=True)
class WatchedSnapshot:
    """One snapshot, a commit for each actor; `commit`, `id` and `actor` are of the last one."""

    time: datetime
    commit: str | None
    id: str | None
    actor: str | None
    changed: tuple[str, ...]
    alerts: tuple[str, ...]
    commits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Watched:
    """All snapshots of one `watch`, reported when it ends."""

    workspace: Path
    snapshots: tuple[WatchedSnapshot, ...]


def batches(root: Path, settle: float) -> Iterator[Batch]:
    """Yields changes below `root` without end, and four ticks in each settle time.

    Git's own files do not count.
    """
    if watchfiles is None:
        raise MissingExtraError(
            "`clawgit run --watch` needs the package watchfiles.",
            hint="pip install 'clawgit[watch]'",
        )
    root = root.resolve()  # macOS names what changed by its real path
    tick = max(10, int(settle * 1000 / 4))
    found = watchfiles.watch(root, watch_filter=None, rust_timeout=tick, yield_on_timeout=True)
    return (frozenset(path for _, path in batch if _is_content(root, path)) for batch in found)


def _is_content(root: Path, path: str) -> bool:
    return ".git" not in Path(path).relative_to(root).parts


def settled(
    changes: Iterable[Batch], settle: float, seconds: Callable[[], float]
) -> Iterator[None]:
    """Yields when nothing has changed for `settle` seconds after a change.

    Edits from before the start count as one. If edits never pause, it yields after `_PATIENCE`.
    """
    first = last = seconds()
    pending = True
    for batch in changes:
        now = seconds()
        if batch:
            first, last, pending = (first if pending else now), now, True
        if pending and (now - last >= settle or now - first >= settle * _PATIENCE):
            pending = False
            yield


def snapshots(
    workspace: Workspace,
    moments: Iterable[None],
    clock: Callable[[], datetime],
    tell: Callable[[str], None],
) -> Iterator[WatchedSnapshot]:
    """A snapshot at each moment, if there is something to commit.

    If one fails, the reason is reported once, and the next moment tries again.
    """
    told = ""
    for _ in moments:
        now = clock()
        try:
            taken = snapshot(workspace._replace(caller=workspace.caller._replace(now=now)))
        except (BusyError, MassDeletionError) as error:
            if error.message != told:
                tell(f"{error.message} {error.hint}")
            told = error.message
            continue
        told = ""
        if taken.commits:
            commits = tuple(one.commit for one in taken.commits)
            yield WatchedSnapshot(
                now, taken.commit, taken.id, taken.actor, taken.changed, taken.alerts, commits
            )
