"""Whether this process, which stays, is to own a Chroma, and what that Chroma is to hold."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.ops.search.indexing import index_state, opened
from clawgit.ops.search.vector_search import CHROMA_FROM, Meaning, choose, family_of
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.ops.search.vectors_owner import VectorsOwner
    from clawgit.stores.chroma.backend import Record
    from clawgit.stores.embed.contract import Embedder

_SETTLE = 5.0
"""Seconds without an edit after which Chroma is filled anew: until then the exact scan answers."""


def owner_of(workspace: Workspace) -> "VectorsOwner | None":
    """A Chroma that is being filled in the background, where the settings or the size of the memory
    ask for one, and no other process has it.
    """
    embedder = choose(workspace).embedder if _is_wanted(workspace) else None
    if embedder is None or not find_spec("chromadb"):
        return None
    from clawgit.ops.search.vectors_owner import VectorsOwner, open_shelf  # noqa: PLC0415 - only where Chroma is wanted

    url = workspace.config.settings.chroma_url
    try:
        shelf = open_shelf(
            workspace.place, family_of(Meaning(workspace, embedder)), url, workspace.caller.env
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


def _records(workspace: Workspace, embedder: "Embedder") -> "Iterator[Record]":
    """Opened where it is asked for: in the thread that fills."""
    with opened(workspace) as index:
        index.refresh()
        meaning = Meaning(workspace, embedder)
        meaning.follow(index)
        yield from meaning.records(index)
