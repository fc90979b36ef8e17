"""`watch`: commits edits on its own, once they have settled."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.errors import BusyError, MassDeletionError, MissingExtraError
from clawgit.history.changes import Snapshotted, snapshot
from clawgit.workspace.workspace import Workspace

try:
    import watchfiles
except ImportError:  # an extra; only the command `watch` needs it
    watchfiles = None  # type: ignore[assignment]

_PATIENCE = 30
"""Settle times after which a snapshot is taken even if the edits never pause."""

_IDLE = 60_000
"""Milliseconds after which it looks again though nothing has changed, for what failed before."""


class Watched(NamedTuple):
    """All snapshots of one `watch`, reported when it ends."""

    workspace: Path
    snapshots: tuple[Snapshotted, ...]


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
) -> Iterator[Snapshotted]:
    """A snapshot at each moment, if there is something to commit.

    If one fails, the reason is reported once, and the next moment tries again.
    """
    told = ""
    for _ in moments:
        try:
            taken = snapshot(workspace.at(clock()))
        except (BusyError, MassDeletionError) as error:
            if error.message != told:
                tell(error.with_hint)
            told = error.message
            continue
        told = ""
        if taken.commits:
            yield taken
