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
    put_in = [hook for hook in seen.hooks if hook.state == INSTALLED]
    wrong = [hook for hook in seen.hooks if hook.state not in (INSTALLED, UNNEEDED)]
    if not wrong:
        return Finding(True, f"{plural(len(put_in), 'hook')} in {seen.folder}")
    if not put_in and all(hook.state in (MISSING, FOREIGN) for hook in wrong):
        return Finding(
            True,
            "none installed; with `clawgit hooks install`, plain `git commit` follows the rules "
            "too",
        )
    detail = several([f"{hook.name} is {hook.state} ({hook.detail})" for hook in wrong])
    if not any(hook.state in (MISSING, OUTDATED) for hook in wrong):
        return Finding(
            False, detail, "`clawgit hooks install` calls theirs first, or says what is in the way."
        )
    mend = Mend("install the hooks again", partial(_mend, site))
    return Finding(False, detail, "`clawgit doctor --fix` installs them again.", (mend,))


def _mend(site: Site) -> None:
    install(site.workspace)
