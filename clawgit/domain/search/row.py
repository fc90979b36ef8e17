"""An item of the index, as a search ranks and shows it."""

from typing import NamedTuple

from clawgit.domain.markdown.comment import Meta


class ItemRow(NamedTuple):
    """An item, and its place in a file and in the index.

    `words` is its length, `first` and `last` are the ids of its file's items. `headings`, `led`,
    `opens` and `key` are explained at `Item`.
    """

    id: int
    path: str
    line: int
    end_line: int
    text: str
    headings: tuple[str, ...]
    led: tuple[str, ...]
    opens: tuple[str, ...]
    kind: str
    key: str
    meta: Meta | None
    source: str
    words: int
    first: int
    last: int
