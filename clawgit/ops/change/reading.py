"""Opens the index of history for reading."""

from collections.abc import Iterator
from contextlib import contextmanager

from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import PathLog


@contextmanager
def reading(workspace: Workspace) -> Iterator[PathLog]:
    """The index of history, updated to HEAD."""
    git = workspace.cgit
    log = PathLog(workspace.place, git)
    try:
        head = Batch(git).read(["HEAD"])[0]
        log.refresh(head.oid if head else None)
        yield log
    finally:
        log.close()
