"""What nobody has said: the text of our templates, and the blanks of a form. It answers nothing."""

import re
from functools import cache
from pathlib import Path

from clawgit.domain.markdown.item import Item, items
from clawgit.resources import resource

_FILES = ("MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")
_PARAGRAPH = "para"

_FORMS = ("USER.md", "IDENTITY.md")
"""Pages to be filled in: all of the template is ours, its lists and examples too."""

_BLANK = re.compile(
    r"(?:\*\*[^*\n]{1,60}:\*\*|[^:\n*]{1,60}:)?\s*(?:_[^_]*_|\*[^*]+\*|\([^()]*\))?\s*"
)
"""A label with nothing behind it, or with a hint in italics or brackets."""


@cache
def boilerplate() -> frozenset[str]:
    """The texts of our templates, as the index holds them."""
    templates = resource("templates")
    files = [
        *(templates / "workspace" / name for name in _FILES),
        *sorted((templates / "layers").glob("*.md")),
    ]
    found = (item for file in files for item in _items(file))
    forms = (item for name in _FORMS for item in _items(templates / "workspace" / name))
    openings = (item for item in found if item.kind == _PARAGRAPH)
    return frozenset(item.text for item in (*openings, *forms))


def is_blank(text: str) -> bool:
    """Whether a line of a form was never filled in."""
    return _BLANK.fullmatch(text) is not None


def _items(file: Path) -> tuple[Item, ...]:
    return items(file.name, file.read_text(encoding="utf-8"))
