"""The text of our templates, which nobody has said: no search and no context shows it as memory."""

from collections.abc import Iterator
from functools import cache

from clawgit.domain.markdown.item import Item, items
from clawgit.resources import resource

_NOTEBOOKS = ("MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")

_FORMS = ("USER.md", "IDENTITY.md")
"""Pages to be filled in: all of the template is ours, its lists and examples too."""

_PARAGRAPH = "para"


def template(name: str) -> str:
    """The file that a workspace starts with."""
    return (resource("templates") / "workspace" / name).read_text(encoding="utf-8")


@cache
def boilerplate() -> frozenset[str]:
    """What the templates say, text by text as the index holds them."""
    texts = {item.text for name in _FORMS for item in items(name, template(name))}
    # Of the others only the paragraphs: a list in them is an example that somebody may keep.
    texts |= {item.text for item in _of_notebooks() if item.kind == _PARAGRAPH}
    return frozenset(texts)


def _of_notebooks() -> Iterator[Item]:
    for name in _NOTEBOOKS:
        yield from items(name, template(name))
    for file in sorted((resource("templates") / "layers").glob("*.md")):
        yield from items(file.name, file.read_text(encoding="utf-8"))
