"""Opens history for reading."""

from collections.abc import Iterator
from contextlib import contextmanager

from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import PathLog


@contextmanager
def reading(workspace: WorkspaceBase, head: str = "") -> Iterator[PathLog]:
    """History as HEAD sees it, which a caller that knows it can name."""
    git = workspace.cgit
    if not head:
        found = Batch(git).read(["HEAD"])[0]
        head = found.oid if found else ""
    yield PathLog(git, head or None)
