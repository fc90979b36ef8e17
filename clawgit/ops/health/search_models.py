"""Checks of the models of a search: it goes on without one that it cannot load, and says so in a
note.
"""

from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.search.embedder_choice import opened
from clawgit.ops.search.reranker_choice import WorkspaceReranker
from clawgit.ops.search.vector_search import is_wanted

_NONE = Finding(True, "none is used")


def look_at_embedder(site: Site) -> Finding:
    if not is_wanted(site.workspace):
        return _NONE
    embedder = opened(site.workspace)
    return Finding(True, f"{embedder.provider} can be used")


def look_at_reranker(site: Site) -> Finding:
    reranker = WorkspaceReranker(site.workspace)
    if not reranker.is_any:
        is_lacking = is_wanted(site.workspace) and reranker.lacks
        return Finding(True, reranker.lacks) if is_lacking else _NONE
    reranker.loaded.knows("")
    return Finding(True, f"{site.workspace.config.settings.reranker} can be used")
