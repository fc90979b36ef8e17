"""Check of git's hooks: whether plain `git commit` still asks clawgit."""

from functools import partial

from clawgit.ops.health.finding import Finding, Mend, Site, plural, several
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


def look_at_hooks(site: Site) -> Finding:
    """No hook installed is a choice and passes; only some of them installed is a problem."""
    try:
        seen = hooks(site.workspace)
    except HooksError as error:
        # Hooks may be turned off in git on purpose, and clawgit works without them.
        return Finding(True, error.message, error.hint)
    states = [hook.state for hook in seen.hooks]
    if {*states} <= {INSTALLED, UNNEEDED}:
        return Finding(True, f"{plural(states.count(INSTALLED), 'hook')} in {seen.folder}")
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
