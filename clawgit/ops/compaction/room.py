"""Keeps a notebook within its limits while something is written into it."""

from clawgit.domain.compaction.moved import MovedBlock
from clawgit.domain.markdown.notebook import fits
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Transaction


def keep_room(workspace: Workspace, tx: Transaction, notebook: str) -> tuple[MovedBlock, ...]:
    """Moves what no longer fits out of a notebook that this transaction changes; returns it."""
    if fits(tx.read_text(notebook) or ""):
        return ()
    from clawgit.ops.compaction.tidy import make_room  # noqa: PLC0415 - 25 ms of each write

    return make_room(workspace, tx, notebook)
