"""Whether the files of a reranker are there, without loading it."""

from pathlib import Path

from clawgit.config.settings import BUILT_IN
from clawgit.ops.workspace.reach import expanded
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.reranker import lacking


def lacking_file(workspace: Workspace, named: str) -> Path | None:
    """The first file that is not there of those that the setting `reranker` needs."""
    if not named or named in BUILT_IN:
        return None
    return lacking(expanded(workspace, named))
