"""The state of the index, as the search and `status` show it."""

from typing import NamedTuple


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
