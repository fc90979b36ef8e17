"""Check of the reranker: a search skips one that it cannot load, and says so in a note."""

from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.search.narrowed import configured_reranking


def look_at_reranker(site: Site) -> Finding:
    if configured_reranking(site.workspace) is None:
        return Finding(True, "none is set")
    return Finding(True, f"{site.workspace.config.settings.reranker} can be used")
