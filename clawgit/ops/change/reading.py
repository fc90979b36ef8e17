"""Opens the index of history for reading."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import PathLog


@contextmanager
def reading(workspace: WorkspaceBase, head: str = "") -> Iterator[PathLog]:
    """The index of history, updated to HEAD, which a caller that knows it can name."""
    git = workspace.cgit
    with closing(PathLog(workspace.place, git)) as log:
        if not head:
            found = Batch(git).read(["HEAD"])[0]
            head = found.oid if found else ""
        log.refresh(head or None)
        yield log
