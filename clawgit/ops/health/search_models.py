"""Checks of the models of a search: it goes on without one that it cannot load, and says so in a
note.
"""

from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.search.embedder_choice import opened
from clawgit.ops.search.rerankers import Rerankers
from clawgit.ops.search.vector_search import is_wanted

_NONE = Finding(True, "none is used")


def look_at_embedder(site: Site) -> Finding:
    if not is_wanted(site.workspace):
        return _NONE
    embedder = opened(site.workspace)
    return Finding(True, f"{embedder.provider} can be used")


def look_at_reranker(site: Site) -> Finding:
    rerankers = Rerankers(site.workspace)
    if not rerankers.is_any:
        return _NONE
    rerankers.loaded.knows("")
    return Finding(True, f"{site.workspace.config.settings.reranker} can be used")
