"""Keeps a notebook within its limits while something is written into it."""

from collections.abc import Iterator
from contextlib import suppress

from clawgit.core.errors import PathRefusedError
from clawgit.core.markdown.entry import MovedBlock, fits, move_notice
from clawgit.core.tiers import NOTEBOOKS
from clawgit.git.transaction import Transaction
from clawgit.workspace.workspace import Workspace


def keep_room(workspace: Workspace, tx: Transaction, notebook: str) -> tuple[MovedBlock, ...]:
    """Moves what no longer fits out of a notebook that this transaction changes; returns it."""
    if fits(tx.read_text(notebook) or ""):
        return ()
    from clawgit.memory.upkeep import make_room  # noqa: PLC0415 - 25 ms of each write

    return make_room(workspace, tx, notebook)


def keep_rooms(workspace: Workspace, tx: Transaction) -> Iterator[str]:
    """The same for whichever notebook is changed; says what moved."""
    for path in NOTEBOOKS:
        with suppress(PathRefusedError):  # it is not UTF-8
            if path in tx.edits and (moved := keep_room(workspace, tx, path)):
                yield move_notice(path, moved)
