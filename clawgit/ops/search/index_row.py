"""How the index stands, in a row: what the search and the status both say of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexState:
    """The search index as it lies there. `behind` files differ from what it holds; the next search
    takes them in.

    `indexed_at` is the commit of HEAD.
    """

    state: str = "not built yet; the first search builds it"
    files: int = 0
    items: int = 0
    behind: int = 0
    indexed_at: str = ""
    bytes: int = 0
