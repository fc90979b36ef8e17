"""Checks of merging: is the driver in for plain git, and have merges left anything to do?"""

from functools import partial

from clawgit.ops.change.after_merge import after_merge, left_by_merges
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


def look_at_merges(site: Site) -> Finding:
    """Where no hooks are in, nothing of ours runs after a merge by plain git."""
    if left_by_merges(site.workspace, site.git).is_nothing:
        return Finding(True, "no merge has left anything to do")
    follow = partial(after_merge, site.workspace, site.git)
    return Finding(
        False,
        "plain git has merged, and the work across several files is not done yet",
        "`clawgit doctor --fix` does it, and so does the next change by clawgit.",
        (Mend("do what a merge by plain git left to do", follow),),
    )
