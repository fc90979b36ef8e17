"""Turns what the operator names into the words to forget: a text itself, or what an entry says."""

import re
from collections.abc import Iterator

from clawgit.domain.forgetting.needle import Needle, needle_of
from clawgit.domain.markdown.comment import is_id
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.domain.markdown.tags import untagged
from clawgit.errors import NotFoundError
from clawgit.ops.facts.entries import named
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import every_object
from clawgit.values import NamedTuple

_CONTENT_KEY = re.compile(r"h[0-9a-f]{7}")
_PLACE = re.compile(r"[^\s:]+:\d+")
_ITEM = re.compile(r"\n(?=[-+*#] |\d+[.)] )")
_NESTED = re.compile(r"\s*(?:[-+*]|\d+[.)])\s")
_BLOB = "blob"
_FORGET = "forget"
"""What the operator types to confirm if no entry was named."""


class Target(NamedTuple):
    """The words to forget, and the name that the operator types to confirm a rewrite."""

    needles: frozenset[Needle]
    word: str


def target_of(workspace: Workspace, what: str, *, history: bool) -> Target:
    """With `history`, an entry means all that it ever said, even if it is gone already."""
    what = what.strip()
    if not _is_address(what):
        return Target(frozenset({needle_of(what)}), _FORGET)
    said: list[str] = []
    ident = what
    try:
        entry = named(workspace, what).entry
        said.append(_said(entry))
        ident = entry.key
    except NotFoundError:
        if not is_id(what):
            raise
    if history and is_id(ident):
        said += _ever_said(workspace, ident)
    if not said:
        # Six letters that are no entry's id are just a word.
        return Target(frozenset({needle_of(what)}), _FORGET)
    return Target(frozenset(map(needle_of, said)), ident)


def _is_address(what: str) -> bool:
    return bool(is_id(what) or _CONTENT_KEY.fullmatch(what) or _PLACE.fullmatch(what))


def _said(entry: Entry) -> str:
    """The first paragraph of an entry without its tags; what is nested goes with the entry."""
    lines = entry.text.split("\n")
    nested = (at for at, line in enumerate(lines) if at and (not line or _NESTED.match(line)))
    return untagged(" ".join(lines[: next(nested, len(lines))]))


def _ever_said(workspace: Workspace, ident: str) -> Iterator[str]:
    """What the entry with an id said in any version of any file."""
    for item in sorted(_items(workspace, f"claw:{ident}")):
        for entry in entries(item):
            if entry.meta and entry.meta.id == ident:
                yield _said(entry)


def _items(workspace: Workspace, mark: str) -> frozenset[str]:
    """The items with a mark, each once: most versions of a file have the same items."""
    found: set[str] = set()
    for held in every_object(workspace.cgit):
        if held.kind == _BLOB and mark.encode() in held.data:
            found.update(item for item in _ITEM.split(text_of(held.data)) if mark in item)
    return frozenset(found)
