"""Check of the reranker: a search does without one that it cannot use."""

from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.search.narrowed import set_reranking


def look_at_reranker(site: Site) -> Finding:
    if set_reranking(site.workspace) is None:
        return Finding(True, "none is set")
    return Finding(True, f"{site.workspace.config.settings.reranker} can be used")
