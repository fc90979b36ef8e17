"""The layers of memory below memory/: which files belong to each, and how a new file starts."""

from collections.abc import Mapping
from typing import NamedTuple

from clawgit.domain.markdown import frames

ENTITIES = "memory/entities/"


class Layer(NamedTuple):
    """One layer, with a template of the same name.

    `is_indexed`: memory/INDEX.md counts its files, and `memory search --tag` knows its name.
    """

    name: str
    is_folder: bool = True
    is_indexed: bool = True


LAYER_ROWS = (
    Layer("entities"),
    Layer("patterns"),
    Layer("summaries"),
    Layer("events"),
    # The classes of facts stand for the folder: the index and the search name each of them.
    Layer("structured", is_indexed=False),
    Layer("lessons", is_folder=False, is_indexed=False),
)
"""A new layer is a new row here, and a template."""

LAYERS = tuple(layer.name for layer in LAYER_ROWS)
INDEXED = tuple(layer.name for layer in LAYER_ROWS if layer.is_indexed)


def layer_of(path: str) -> str:
    """The layer of a file; "" if it is in none."""
    top, _, rest = path.removeprefix("memory/").partition("/")
    if not path.startswith("memory/") or not path.lower().endswith(".md"):
        return ""
    if rest:
        return top if top in LAYERS else ""
    name = top.removesuffix(".md")
    return name if any(name == layer.name for layer in LAYER_ROWS if not layer.is_folder) else ""


def opening(path: str, templates: Mapping[str, str], name: str = "") -> str:
    """The text of a new file before its first entry: its layer's template, else a title."""
    title = name or path.rpartition("/")[2].removesuffix(".md")
    template = templates.get(layer_of(path))
    return template.replace("{name}", title) if template else frames.TITLE.format(title=title)
