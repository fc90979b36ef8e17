"""Items to rank."""

from clawgit.core.markdown.item import Item

BARE = Item(1, 1, "", (), "item", path="memory/notes.md", source="memory", words=1)
