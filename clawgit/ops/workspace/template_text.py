"""The text of templates, ours and OpenClaw's. Nobody said it, so no search and no context shows it
as memory.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from clawgit.domain.markdown.item import items
from clawgit.domain.markdown.placeholders import FORMS, is_form, text_key
from clawgit.resources import resource

_NOTEBOOKS = ("MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")

_OTHERS = ("layers", "openclaw")
"""Folders with the notes of a layered memory, and with what is written into an OpenClaw."""

_PARAGRAPH = "para"

_FIRST = 8
"""Words of a text that are looked for in the templates first."""

_COMMENT = "#"


def template(name: str) -> str:
    """The file that a workspace starts with."""
    return (resource("templates") / "workspace" / name).read_text(encoding="utf-8")


def is_boilerplate(path: str, text: str) -> bool:
    """Whether a text of the index, which stands in this file, is one of a template.

    OpenClaw's are left out only in files that have one: elsewhere somebody may have written a line
    as short as one of theirs.
    """
    if _is_ours(text):
        return True
    return is_form(path) and text_key(text) in openclaws(path.rpartition("/")[2])


@cache
def openclaws(name: str) -> frozenset[str]:
    """The keys of OpenClaw's text in a file of that name: what explains it, and samples. The rules
    of its soul and its AGENTS.md are not among them: the agent is held to these.
    """
    rows = (row.split() for row in _rows())
    return frozenset(key for key, of in rows if of == name)


def _is_ours(text: str) -> bool:
    # Nearly every text has a word soon that no template has: then the templates are not even cut.
    return _written().issuperset(text.split(maxsplit=_FIRST)[:_FIRST]) and text in _boilerplate()


def _rows() -> Iterator[str]:
    listed = (resource("templates") / "openclaw" / "forms.txt").read_text("utf-8").splitlines()
    return (row for row in listed if not row.startswith(_COMMENT))


@cache
def _files() -> Mapping[str, str]:
    others = [file for folder in _OTHERS for file in (resource("templates") / folder).glob("*.md")]
    return {
        **{name: template(name) for name in (*FORMS, *_NOTEBOOKS)},
        **{f"{file.parent.name}/{file.name}": file.read_text("utf-8") for file in sorted(others)},
    }


@cache
def _written() -> frozenset[str]:
    return frozenset(word for text in _files().values() for word in text.split())


@cache
def _boilerplate() -> frozenset[str]:
    """The texts of our templates, cut as in the index."""
    cut = ((name, item) for name, text in _files().items() for item in items(name, text))
    # Of a form all text is ours, lists and examples too. Of others only the paragraphs: lists are
    # examples that somebody may want to stay.
    return frozenset(item.text for name, item in cut if is_form(name) or item.kind == _PARAGRAPH)
