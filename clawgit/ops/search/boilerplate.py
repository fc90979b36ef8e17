"""The paragraphs with which our own templates open a file: they are no answer to a question."""

from functools import cache

from clawgit.domain.markdown.item import items
from clawgit.resources import resource

_FILES = ("MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")
_PARAGRAPH = "para"


@cache
def boilerplate() -> frozenset[str]:
    """Their texts, as the index holds them."""
    templates = resource("templates")
    files = [
        *(templates / "workspace" / name for name in _FILES),
        *sorted((templates / "layers").glob("*.md")),
    ]
    found = (items(file.name, file.read_text(encoding="utf-8")) for file in files)
    return frozenset(item.text for page in found for item in page if item.kind == _PARAGRAPH)
