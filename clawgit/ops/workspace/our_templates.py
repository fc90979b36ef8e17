"""The text of our templates. Nobody said it, so no search and no context shows it as memory."""

from collections.abc import Mapping
from functools import cache

from clawgit.domain.markdown.item import items
from clawgit.resources import resource

_NOTEBOOKS = ("MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")

_FORMS = ("USER.md", "IDENTITY.md", "SOUL.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md")
"""All text of these templates is ours, lists and examples too."""

_OTHERS = ("layers", "openclaw")
"""Folders with the notes of a layered memory, and with what is written into an OpenClaw."""

_PARAGRAPH = "para"

_FIRST = 8
"""Words of a text that are looked for in the templates first."""


def template(name: str) -> str:
    """The file that a workspace starts with."""
    return (resource("templates") / "workspace" / name).read_text(encoding="utf-8")


def is_boilerplate(text: str) -> bool:
    """Whether a text of the index is one of the templates."""
    # Nearly every text has a word soon that no template has: then the templates are not even cut.
    return _written().issuperset(text.split(maxsplit=_FIRST)[:_FIRST]) and text in _boilerplate()


@cache
def _files() -> Mapping[str, str]:
    others = [file for folder in _OTHERS for file in (resource("templates") / folder).glob("*.md")]
    return {
        **{name: template(name) for name in (*_FORMS, *_NOTEBOOKS)},
        **{f"{file.parent.name}/{file.name}": file.read_text("utf-8") for file in sorted(others)},
    }


@cache
def _written() -> frozenset[str]:
    return frozenset(word for text in _files().values() for word in text.split())


@cache
def _boilerplate() -> frozenset[str]:
    """The texts of the templates, cut as in the index."""
    cut = ((name, item) for name, text in _files().items() for item in items(name, text))
    # Of others than forms only the paragraphs: lists are examples that somebody may want to stay.
    return frozenset(
        item.text for name, item in cut if name.endswith(_FORMS) or item.kind == _PARAGRAPH
    )
