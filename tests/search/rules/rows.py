"""Items to rank."""

from clawgit.search.rules.row import ItemRow

BARE = ItemRow(
    id=0, path="memory/notes.md", line=1, end_line=1, text="", headings=(), led=(), opens=(),
    kind="item", key="", meta=None, source="memory", words=1, first=0, last=0,
)  # fmt: skip
