"""The word index of a workspace: opens it for a question, rebuilds it, and reports its state."""

from typing import NamedTuple

from clawgit.core.errors import counted
from clawgit.git.place import head_of
from clawgit.search.index.live import as_it_stands, behind, file_of
from clawgit.workspace.reach import reach_of
from clawgit.workspace.workspace import Workspace


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


def index_state(workspace: Workspace) -> IndexState:
    """The state of the index. Reads only."""
    file = file_of(workspace.place)
    index = as_it_stands(file)
    if index is None:
        return IndexState()
    with index:
        late = behind(index, reach_of(workspace))
    said = f"{index.count:,} items in {index.searched:,} files"
    if late:
        said += f", {counted(late, 'file')} behind; the next search indexes them"
    head = head_of(workspace.place)
    return IndexState(said, index.searched, index.count, late, head, file.stat().st_size)
