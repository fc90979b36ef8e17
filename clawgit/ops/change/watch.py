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

_IDLE = 60_000
"""Milliseconds after which it looks again though nothing has changed, for what failed before."""


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


def settled(root: Path, settle: float) -> Iterator[None]:
    """Yields at the start, when edits below `root` paused for `settle` seconds, and now and then
    meanwhile. Git's own files do not count.
    """
    if watchfiles is None:
        raise MissingExtraError(
            "`clawgit run --watch` needs the package watchfiles.",
            hint="pip install 'clawgit[watch]'",
        )
    yield
    root = root.resolve()  # macOS names what changed by its real path
    pause = max(10, int(settle * 1000))
    for _ in watchfiles.watch(
        root,
        watch_filter=lambda _, path: ".git" not in Path(path).relative_to(root).parts,
        step=pause,
        debounce=pause * _PATIENCE,
        rust_timeout=_IDLE,
        yield_on_timeout=True,
    ):
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
