"""Decides whether a process that stays open owns a Chroma, and what that Chroma holds."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.ops.search.embedder_choice import choose
from clawgit.ops.search.indexing import index_state, opened
from clawgit.ops.search.text_vectors import Meaning
from clawgit.ops.search.vector_search import CHROMA_FROM
from clawgit.ops.search.vectors_owner import VectorsOwner, open_shelf
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.embed.contract import Embedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.stores.chroma.backend import Record

_SETTLE = 5.0
"""Seconds without an edit before Chroma is filled again; until then the exact scan answers."""


def owner_of(workspace: Workspace) -> VectorsOwner | None:
    """A Chroma that is filled in the background.

    None if neither the settings nor the size of the memory ask for one, or another process has it.
    """
    embedder = choose(workspace).embedder if _is_wanted(workspace) else None
    if embedder is None or not find_spec("chromadb"):
        return None

    url = workspace.config.settings.chroma_url
    try:
        shelf = open_shelf(
            workspace.place, Meaning(workspace, embedder).family, url, workspace.caller.env
        )
    except ClawgitError:
        return None  # each search that asks for Chroma says so
    owner = VectorsOwner(shelf, lambda: _records(workspace, embedder), settle=_SETTLE)
    owner.begin()
    return owner


def _is_wanted(workspace: Workspace) -> bool:
    settings = workspace.config.settings
    if settings.search_backend == "exact":
        return False
    asked_for = settings.search_backend == "chroma" or bool(settings.chroma_url)
    return asked_for or index_state(workspace).items >= CHROMA_FROM


def _records(workspace: Workspace, embedder: Embedder) -> "Iterator[Record]":
    """A generator, so that the index is opened in the thread that fills, as SQLite demands."""
    with opened(workspace) as index:
        index.refresh()
        meaning = Meaning(workspace, embedder)
        meaning.follow(index)
        yield from meaning.records(index)
