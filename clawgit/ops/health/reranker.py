"""Check of the reranker: a search skips one that it cannot load, and says so in a note."""

from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.search.rerankers import Rerankers


def look_at_reranker(site: Site) -> Finding:
    if not Rerankers(site.workspace).load():
        return Finding(True, "none is used")
    return Finding(True, f"{site.workspace.config.settings.reranker} can be used")
