"""Checks of what is beside the history: settings, hooks, databases, models and jobs."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from clawgit.ops.agents.status import failures, work_state
from clawgit.ops.health.finding import NOTE, Finding, Mend, Site, several
from clawgit.ops.hooks.githooks import FOREIGN, INSTALLED, MISSING, HooksError, hooks, install
from clawgit.ops.hooks.merge_driver import is_in, put_in
from clawgit.ops.search.meaning import opened, reader_of
from clawgit.ops.search.side import is_wanted
from clawgit.ops.workspace.in_force import summary
from clawgit.ops.workspace.operator import show
from clawgit.stores import chroma
from clawgit.stores.state import mend_state, state_faults, state_file
from clawgit.stores.state_log import StateLog, repository_log


def look_at_config(site: Site) -> Iterator[Finding]:
    """Mistakes in CONFIG.md, settings that nobody accepted yet, and a key that is not safe."""
    loaded = site.workspace.config
    for problem in loaded.problems:
        remedy = problem.hint or "Correct it there, or take the line out."
        yield Finding(problem.where, problem.message, remedy)
    if loaded.pending:
        yield Finding("", summary(loaded.pending), "clawgit trust", NOTE)
    if warning := show(site.workspace.caller).warning:
        yield Finding("", warning, "`clawgit operator --key FILE` changes to another key.")


def look_at_hooks(site: Site) -> Iterator[Finding]:
    """What makes plain git follow our rules. No hook at all is a choice, only some a problem."""
    if not is_in(site.workspace):
        why = "plain git merges memory line by line: the merge driver is not in, or edited"
        mend = Mend("have plain git merge memory by entries", partial(put_in, site.workspace))
        yield Finding("", why, "`clawgit doctor --fix` puts the merge driver in.", mend=mend)
    try:
        seen = hooks(site.workspace)
    except HooksError as error:
        # Hooks may be turned off in git on purpose, and clawgit works without them.
        yield Finding("", error.message, error.hint, NOTE)
        return
    wrong = [hook for hook in seen.hooks if hook.state != INSTALLED]
    states = {hook.state for hook in seen.hooks}
    if not wrong or states <= {MISSING, FOREIGN}:
        return
    why = several([f"{hook.name} is {hook.state}" for hook in wrong])
    if FOREIGN in states:
        remedy = "`clawgit hooks install` calls theirs first, or says what is in the way."
        yield Finding("", why, remedy)
    else:
        mend = Mend("install the hooks again", partial(_install, site))
        yield Finding("", why, "`clawgit doctor --fix` installs them again.", mend=mend)


def _install(site: Site) -> None:
    install(site.workspace)


def look_at_state(site: Site) -> Iterator[Finding]:
    """Damage in `state.db`, which is primary data. One that is gone, or no file, is restored when
    it is opened next; an index is derived, and rebuilds itself.
    """
    path = state_file(site.place)
    if not path.is_file():
        return
    if faults := state_faults(path):
        caller = site.workspace.caller
        log = repository_log(site.place, caller.env, caller.home)
        mend = Mend(
            "make state.db again from its log; keep the damaged one",
            partial(_mend_state, path, log, caller.now),
        )
        fix = "`clawgit doctor --fix` makes it again from its log."
        yield Finding(path.name, several(faults), fix, mend=mend)


def _mend_state(path: Path, log: StateLog, now: datetime) -> None:
    mend_state(path, log, now)


def look_at_models(site: Site) -> Iterable[Finding]:
    """The models of a search, and Chroma. Raises a `ClawgitError` for one that cannot be used; a
    search goes on without it. Chroma's files are not opened: their owner fills damaged ones again.
    """
    settings, env = site.workspace.config.settings, site.workspace.caller.env
    if settings.chroma:
        chroma.require()
    if settings.chroma_url:
        chroma.served(settings.chroma_url, "doctor", env).check()
    if is_wanted(site.workspace):
        opened(site.workspace)
    reader_of(site.workspace)
    return ()


def look_at_jobs(site: Site) -> Iterator[Finding]:
    jobs, _ = work_state(site.workspace)
    for what, remedy in failures(jobs):
        yield Finding("", what, remedy)
