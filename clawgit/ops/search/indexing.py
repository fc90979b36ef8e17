"""The word index of a workspace: opens it for a question, rebuilds it, and reports its state."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import counted
from clawgit.ops.search.vector_search import is_wanted
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index import opening, searching
from clawgit.stores.index.discover import discover
from clawgit.stores.index.searching import Freshness, SearchIndex, open_index
from clawgit.stores.index.shelf import Chunking
from clawgit.stores.index.sources import DEFAULT_SOURCES, SourceFile

_OURS = "e5"
"""Its name stands here, since loading an embedder would cost each `status`."""


class IndexState(NamedTuple):
    """The search index as it is on disk.

    `behind` files differ from it; the next search reads them. `indexed_at` is the commit of HEAD.
    """

    state: str = "not built yet; the first search builds it"
    files: int = 0
    items: int = 0
    behind: int = 0
    indexed_at: str = ""
    bytes: int = 0


def reindex(workspace: Workspace) -> Freshness:
    """Reads what changed."""
    with opened(workspace) as index:
        return index.refresh()


def opened(workspace: Workspace, sources: frozenset[str] = DEFAULT_SOURCES) -> SearchIndex:
    """The index of a workspace, to be refreshed and asked."""
    return open_index(workspace.place, reach_of(workspace), chunking_of(workspace), sources=sources)


def chunking_of(workspace: Workspace) -> Chunking:
    # A service is paid for each text that changes, so it is given no headings.
    headed = workspace.config.settings.embedder == _OURS and is_wanted(workspace)
    return Chunking(headed=headed)


def found_files(workspace: Workspace) -> dict[str, SourceFile]:
    """All files that a search can cover, as they are on disk."""
    return discover(reach_of(workspace))


def index_state(workspace: Workspace, found: Mapping[str, SourceFile] | None = None) -> IndexState:
    """The state of the index. Reads only. `found` are the files, if they are known already."""
    files = found_files(workspace) if found is None else found
    seen = searching.peek(workspace.place, files, chunking_of(workspace))
    if seen is None:
        return IndexState()
    said = f"{seen.items:,} items in {seen.files:,} files"
    if seen.behind:
        said += f", {counted(seen.behind, 'file')} behind; the next search indexes them"
    taken = sum(_size(file) for file in opening.files_of(workspace.place))
    return IndexState(said, seen.files, seen.items, seen.behind, seen.indexed_at, taken)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
