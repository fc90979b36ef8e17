"""Which file the setting `reranker` names, without loading it."""

from pathlib import Path

from clawgit.config.settings import BUILT_IN
from clawgit.ops.workspace.reach import expanded
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.reranker import lacking


def named_file(workspace: Workspace, named: str) -> Path | None:
    """The file of a reranker; None for the built-in one, and for none."""
    return expanded(workspace, named) if named and named not in BUILT_IN else None


def lacking_file(workspace: Workspace, named: str) -> Path | None:
    """The first file that is not there of those that such a reranker needs."""
    file = named_file(workspace, named)
    return lacking(file) if file else None
