"""Check of the merge driver: whether plain `git merge` and `git pull` merge memory by meaning."""

from functools import partial

from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.hooks.merge_driver import look, put_in


def look_at_merging(site: Site) -> Finding:
    """A clone comes without the driver: git takes neither settings nor attributes along."""
    state = look(site.workspace)
    if not state.faults:
        return Finding(True, "plain git merges memory by meaning")
    detail = f"plain git merges memory line by line: {several([*state.faults])} is not clawgit's"
    if state.absent:
        detail = "plain git merges memory line by line, as in every new clone"
    mend = Mend("have plain git merge memory by meaning", partial(put_in, site.workspace))
    return Finding(False, detail, "`clawgit doctor --fix` puts the merge driver in.", (mend,))
