"""What a memory file is by its path alone: its tier, which says how long it is meant to last; the
day that it is about, and the path of a day's note; its layer below memory/, and how a new file of
it starts.
"""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from clawgit.core import NamedTuple
from clawgit.core.layout import is_markdown, name_of
from clawgit.core.markdown import frames
from clawgit.language.lazily import lazily

SOUL, CORE, WORKING = TIERS = ("T0", "T1", "T2")

_SOULS = frozenset({"SOUL.md", "IDENTITY.md"})
NOTEBOOKS = ("MEMORY.md", "memory.md")
"""The names of the notebook: the usual one, and OpenClaw's old one."""

NOTES = "memory/"
_DATE = lazily(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_NOTE = lazily(r"memory/\d{4}-\d\d-\d\d(?:[-_]([^/]+))?\.md")
_CLOCK = lazily(r"[0-2][0-9][0-5][0-9]")


@lru_cache(maxsize=4096)  # a write asks it of each file of memory
def tier(path: str) -> str:
    """T0: who the agent is. T1: lasting facts. T2: notes of a day. "": none of these."""
    if path in _SOULS:
        return SOUL
    if path in NOTEBOOKS or _is_memory(path):
        return WORKING if dated(path) else CORE
    return ""


def is_note(path: str) -> bool:
    """Whether it is Markdown below memory/."""
    return path.startswith(NOTES) and is_markdown(path)


def _is_memory(path: str) -> bool:
    """Whether it is a note, neither archived nor hidden."""
    return is_note(path) and not path.startswith("memory/archive/") and "/." not in path


@lru_cache(maxsize=4096)  # a search asks about each line that it ranks, several times
def dated(path: str) -> date | None:
    """The day in the name of a file; None for a file that is about no day."""
    match = _DATE.search(name_of(path))
    try:
        return date.fromisoformat(match[0]) if match else None
    except ValueError:
        return None


class Note(NamedTuple):
    """A note of a day, by its path; `slug` is what it is about, "" for the day's own."""

    day: date
    slug: str
    path: str

    @property
    def heading(self) -> str:
        """The date, and what it is about: `2026-01-03 · api design`, `2026-01-03 · 14:30`."""
        if not self.slug:
            return f"{self.day}"
        if _CLOCK.fullmatch(self.slug):
            return f"{self.day} · {self.slug[:2]}:{self.slug[2:]}"
        return f"{self.day} · {self.slug.replace('-', ' ')}"


def note_of(path: str) -> Note | None:
    """The note that a path names; None for topic files, archives and what lies deeper."""
    match, day = _NOTE.fullmatch(path), dated(path)
    return Note(day, match[1] or "", path) if match and day else None


def note_path(day: date, slug: str = "", folder: str = NOTES) -> str:
    """Where the note of a day is, or the one about a subject."""
    return f"{folder}{day:%Y-%m-%d}{slug and '-'}{slug}.md"


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
    if not is_note(path):
        return ""
    if rest:
        return top if top in LAYERS else ""
    name = top.removesuffix(".md")
    return name if name in _FILES else ""


def opening(path: str, templates: Mapping[str, str], name: str) -> str:
    """The text of a new file before its first entry: its layer's template, else a title."""
    title = name or name_of(path).removesuffix(".md")
    template = templates.get(layer_of(path))
    return template.replace("{name}", title) if template else frames.TITLE.format(title=title)
