"""The layers of memory below memory/: which files belong to each, and how a new file starts."""

from collections.abc import Mapping

from clawgit.domain.markdown import frames

ENTITIES = "memory/entities/"


INDEXED = ("entities", "patterns", "summaries", "events")
"""The folders whose files memory/INDEX.md counts, and that `memory search --tag` knows by name."""

_FILES = ("lessons",)
"""Layers that are a file."""

# The classes of facts stand for `structured`: the index and the search name each of them.
LAYERS = (*INDEXED, "structured", *_FILES)
"""Each has a template of the same name."""


def layer_of(path: str) -> str:
    """The layer of a file; "" if it is in none."""
    top, _, rest = path.removeprefix("memory/").partition("/")
    if not path.startswith("memory/") or not path.lower().endswith(".md"):
        return ""
    if rest:
        return top if top in LAYERS else ""
    name = top.removesuffix(".md")
    return name if name in _FILES else ""


def opening(path: str, templates: Mapping[str, str], name: str = "") -> str:
    """The text of a new file before its first entry: its layer's template, else a title."""
    title = name or path.rpartition("/")[2].removesuffix(".md")
    template = templates.get(layer_of(path))
    return template.replace("{name}", title) if template else frames.TITLE.format(title=title)
