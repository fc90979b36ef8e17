"""The text of our templates. Nobody said it, so no search and no context shows it as memory."""

from collections.abc import Iterator
from functools import cache

from clawgit.domain.markdown.item import Item, items
from clawgit.resources import resource

_NOTEBOOKS = ("MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")

_FORMS = ("USER.md", "IDENTITY.md")
"""Templates to be filled in: all their text is ours, lists and examples too."""

_PARAGRAPH = "para"


def template(name: str) -> str:
    """The file that a workspace starts with."""
    return (resource("templates") / "workspace" / name).read_text(encoding="utf-8")


@cache
def boilerplate() -> frozenset[str]:
    """The texts of the templates, cut as in the index."""
    texts = {item.text for name in _FORMS for item in items(name, template(name))}
    # Of the others only the paragraphs: lists are examples that somebody may want to stay.
    texts |= {item.text for item in _of_notebooks() if item.kind == _PARAGRAPH}
    return frozenset(texts)


def _of_notebooks() -> Iterator[Item]:
    for name in _NOTEBOOKS:
        yield from items(name, template(name))
    for file in sorted((resource("templates") / "layers").glob("*.md")):
        yield from items(file.name, file.read_text(encoding="utf-8"))
