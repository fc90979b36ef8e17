"""Finds a template's text about how to fill a file in, so that a context can leave it out."""

from collections.abc import Iterable
from datetime import date
from functools import cache, lru_cache

from clawgit.domain.change.authority import SOUL
from clawgit.domain.context.passage import ContextPassage, passages
from clawgit.domain.context.unfilled import filled_in, key
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.ops.workspace.our_templates import template
from clawgit.resources import resource

FORMS = (SOUL, "IDENTITY.md", "USER.md")
"""Files that a template asks to be filled in."""

_NAMES = {"IDENTITY.md": "IDENTITY.md", "USER.md": "USER.md"}
_NAMES |= dict.fromkeys(NOTEBOOKS, "MEMORY.md")
"""A file of the workspace → its template."""

_COMMENT = "#"


@lru_cache(maxsize=32)
def filled_in_passages(path: str, text: str, today: date) -> tuple[ContextPassage, ...]:
    """The passages of a file without those of its template.

    Cached, since a server reads files again.
    """
    written = passages(path, text, today)
    return tuple(filled_in(written, template_keys(path), is_form=path in FORMS))


@cache
def template_keys(path: str) -> frozenset[str]:
    """The keys of the passages of a file's templates: ours, and OpenClaw's."""
    if path == SOUL:
        # The lines of our soul template count as content; only a paragraph below a heading explains
        # a section.
        soul = _ours(SOUL)
        return _keys(passage for passage in soul if passage.kind == "para" and passage.heads[1:])
    if path not in _NAMES:
        return frozenset()
    return _keys(_ours(_NAMES[path])) | _openclaws()


def _ours(name: str) -> tuple[ContextPassage, ...]:
    return passages(name, template(name), date.min)


def _keys(read: Iterable[ContextPassage]) -> frozenset[str]:
    return frozenset(map(key, read))


@cache
def _openclaws() -> frozenset[str]:
    listed = (resource("templates") / "openclaw" / "forms.txt").read_text("utf-8").splitlines()
    return frozenset(line.partition(" ")[0] for line in listed if not line.startswith(_COMMENT))
