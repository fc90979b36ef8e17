"""Checks of what makes plain git follow our rules: hooks, the merge driver, the operator's key."""

from functools import partial

from clawgit.errors import ClawgitError, counted
from clawgit.ops.change.after_merge import after_merge, left_by_merges
from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.hooks.githooks import (
    FOREIGN,
    INSTALLED,
    MISSING,
    OUTDATED,
    UNNEEDED,
    HooksError,
    hooks,
    install,
)
from clawgit.ops.hooks.merge_driver import look, put_in
from clawgit.ops.workspace.operator import show


def look_at_hooks(site: Site) -> Finding:
    """No hook installed is a choice and passes; only some of them installed is a problem."""
    try:
        seen = hooks(site.workspace)
    except HooksError as error:
        # Hooks may be turned off in git on purpose, and clawgit works without them.
        return Finding(True, error.message, error.hint)
    states = [hook.state for hook in seen.hooks]
    if {*states} <= {INSTALLED, UNNEEDED}:
        return Finding(True, f"{counted(states.count(INSTALLED), 'hook')} in {seen.folder}")
    if {*states} <= {MISSING, FOREIGN}:
        return Finding(
            True,
            "none installed; with `clawgit hooks install`, plain `git commit` follows the rules "
            "too",
        )
    wrong = [hook for hook in seen.hooks if hook.state not in (INSTALLED, UNNEEDED)]
    detail = several([f"{hook.name} is {hook.state} ({hook.detail})" for hook in wrong])
    if {MISSING, OUTDATED}.isdisjoint(states):
        return Finding(
            False, detail, "`clawgit hooks install` calls theirs first, or says what is in the way."
        )
    mend = Mend("install the hooks again", partial(_mend, site))
    return Finding(False, detail, "`clawgit doctor --fix` installs them again.", (mend,))


def _mend(site: Site) -> None:
    install(site.workspace)


def look_at_merging(site: Site) -> Finding:
    """A clone comes without the driver, since git clones neither settings nor local attributes."""
    state = look(site.workspace)
    if not state.faults:
        return Finding(True, "plain git merges memory by entries")
    detail = f"plain git merges memory line by line: {several([*state.faults])} is not clawgit's"
    if state.absent:
        detail = "plain git merges memory line by line, as in every new clone"
    mend = Mend("have plain git merge memory by entries", partial(put_in, site.workspace))
    return Finding(False, detail, "`clawgit doctor --fix` puts the merge driver in.", (mend,))


def look_at_merges(site: Site) -> Finding:
    """Without hooks, clawgit does not run after a merge by plain git."""
    if left_by_merges(site.workspace, site.git).is_nothing:
        return Finding(True, "no merge has left anything to do")
    follow = partial(after_merge, site.workspace, site.git)
    return Finding(
        False,
        "plain git has merged, and the work across several files is not done yet",
        "`clawgit doctor --fix` does it, and so does the next change by clawgit.",
        (Mend("do what a merge by plain git left to do", follow),),
    )


def look_at_operator(site: Site) -> Finding:
    try:
        operator = show(site.workspace.caller)
    except ClawgitError as error:
        return Finding(False, error.message, error.hint)
    if not operator.key:
        return Finding(True, "no operator key: whoever opens a terminal is the operator")
    if operator.warning:
        return Finding(
            False, operator.warning, "`clawgit operator --key FILE` changes to another key."
        )
    return Finding(True, f"the operator signs with {operator.file}")
