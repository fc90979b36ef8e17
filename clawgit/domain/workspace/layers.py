"""The layers of memory below memory/: which file belongs to which, and how a file of it opens."""

from collections.abc import Mapping

from clawgit.domain.markdown import frames

ENTITIES = "memory/entities/"

LAYERS = ("entities", "patterns", "summaries", "events", "structured", "lessons")
"""Each has a template of its name; all but the last are folders."""


def layer_of(path: str) -> str:
    """The layer of a file, "" for what is in none."""
    top, _, rest = path.removeprefix("memory/").partition("/")
    if not path.startswith("memory/") or not path.lower().endswith(".md"):
        return ""
    if not rest:
        return "lessons" if top == "lessons.md" else ""
    return top if top in LAYERS else ""


def opening(path: str, templates: Mapping[str, str], name: str = "") -> str:
    """What a new file says before its first entry: its layer's template, else a headline."""
    title = name or path.rpartition("/")[2].removesuffix(".md")
    template = templates.get(layer_of(path))
    return template.replace("{name}", title) if template else frames.TITLE.format(title=title)
