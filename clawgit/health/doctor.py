"""`doctor`: runs every check of one table in order, and if asked repairs what is safe to repair.
Here are the checks of what is beside the history: settings, hooks, databases, models and jobs.

With `deep` it reads every object of the history, too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError, Committed, Finding, Mend
from clawgit.git.gitdir import find_repo
from clawgit.git.guards.belonging import refuse_pipes_below
from clawgit.git.transaction import Change
from clawgit.health import files, repository
from clawgit.health.files import Site, several
from clawgit.health.status import of_settings, oversize
from clawgit.run.schedule import failures, work_state
from clawgit.safety.operator import show
from clawgit.search.meaning import opened, reader_of
from clawgit.search.side import is_wanted
from clawgit.search.stores import chroma
from clawgit.workspace.githooks import (
    FOREIGN,
    INSTALLED,
    MISSING,
    HooksError,
    driver_is_in,
    hooks,
    install,
    noted,
    put_driver_in,
)
from clawgit.workspace.stores.state import mend_state, repository_log, state_faults, state_file
from clawgit.workspace.workspace import Caller, Workspace


def look_at_config(site: Site) -> Iterator[Finding]:
    """What is wrong with the settings, and a key that is not safe."""
    yield from of_settings(site.workspace)
    if warning := show(site.workspace.caller).warning:
        yield Finding(warning, "`clawgit operator --key FILE` changes to another key.")


def look_at_hooks(site: Site) -> Iterator[Finding]:
    """What makes plain git follow our rules. No hook at all is a choice, unless they were there."""
    if not driver_is_in(site.workspace):
        why = "plain git merges memory line by line: the merge driver is not in, or edited"
        put_in = partial(put_driver_in, site.workspace)
        mend = Mend("have plain git merge memory by entries", put_in)
        yield Finding(why, "`clawgit doctor --fix` puts the merge driver in.", mend=mend)
    try:
        seen = hooks(site.workspace)
    except HooksError as error:
        # Hooks may be turned off in git on purpose, and clawgit works without them.
        yield Finding(error.message, error.hint, refused=False)
        return
    wrong = [hook for hook in seen.hooks if hook.state != INSTALLED]
    states = {hook.state for hook in seen.hooks}
    is_chosen = states <= {MISSING, FOREIGN} and noted(site.workspace) != "true"
    if not wrong or is_chosen:
        return
    why = several([f"{hook.name} is {hook.state}" for hook in wrong])
    if FOREIGN in states:
        remedy = "`clawgit hooks install` calls theirs first, or says what is in the way."
        yield Finding(why, remedy)
    else:
        mend = Mend("install the hooks again", partial(install, site.workspace))
        yield Finding(why, "`clawgit hooks install` installs them again.", mend=mend)


def look_at_state(site: Site) -> Iterator[Finding]:
    """Damage in `state.db`, which is primary data. One that is gone, or no file, is restored when
    it is opened next; an index is derived, and rebuilds itself.
    """
    path = state_file(site.place)
    if not path.is_file():
        return
    if faults := state_faults(path):
        caller = site.workspace.caller
        log = repository_log(site.place, caller)
        mend = Mend(
            "make state.db again from its log; keep the damaged one",
            partial(mend_state, path, log, caller.now),
        )
        fix = "`clawgit doctor --fix` makes it again from its log."
        yield Finding(several(faults), fix, path.name, mend=mend)


def look_at_models(site: Site) -> Iterable[Finding]:
    """The models of a search, and Chroma. Raises a `ClawgitError` for one that cannot be used; a
    search goes on without it. Chroma's files are not opened: their owner fills damaged ones again.
    """
    settings, env = site.workspace.settings, site.workspace.env
    if settings.chroma:
        chroma.require()
    if settings.chroma_url:
        chroma.served(settings.chroma_url, "doctor", env).check()
    if is_wanted(site.workspace):
        opened(site.workspace)
    reader_of(site.workspace)
    return ()


Look = Callable[[Site], Iterable[Finding]]

CHECKS: Mapping[str, Look] = {
    "git": lambda site: repository.git_findings(site.workspace.env),
    "repository": repository.look_at_repository,
    "disk": repository.look_at_disk,
    "locks": repository.look_at_locks,
    "git index": repository.look_at_index,
    "objects": repository.look_at_objects,
    "interrupted": repository.look_at_interrupted,
    "config": look_at_config,
    "hooks": look_at_hooks,
    # With errors, or in files in which no entry can be read or which no search reads.
    "entries": lambda site: site.reading.findings,
    # What OpenClaw cuts or refuses.
    "files": lambda site: oversize(site.workspace, site.files),
    "ignored": files.look_at_ignored,
    "secrets": files.look_at_secrets,
    "state": look_at_state,
    "models": look_at_models,
    "jobs": lambda site: failures(work_state(site.workspace)[0]),
}
"""In this order: what a later check relies on is checked and repaired first."""

_FOUNDATION = frozenset({"git", "repository", "git index"})
"""While one of these has a problem, no later check can tell anything."""

_DAMAGE = "objects"
"""While objects are lost nothing else is repaired, since a write could make the loss final."""


class Check(NamedTuple):
    """A finding of a check, or that it found nothing.

    `fix` is what to do next, "" if nothing is; with `ok`, the finding is a note.
    """

    name: str
    ok: bool = True
    detail: str = ""
    fix: str = ""


class Report(NamedTuple):
    """`mended` is what `fix` did, or would do with `dry_run`; `commit` is set if a file changed."""

    checks: tuple[Check, ...]
    mended: tuple[str, ...] = ()
    change: Committed = Committed()

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


def doctor(
    start: Path,
    caller: Caller,
    *,
    fix: bool = False,
    deep: bool = False,
    begun: Callable[[str], None] = lambda _: None,
) -> Report:
    """Examines the workspace that contains `start`, or reports why there is none.

    Without `fix`, no file of it is changed. `begun` is called with the name of each check before
    it starts, since some are slow. `fix` checks deeply first: in a damaged repository it must
    not write.
    """
    try:
        place = find_repo(start, caller.env)
        refuse_pipes_below(place.root)
    except ClawgitError as error:
        git = [*repository.git_findings(caller.env)]
        missing = Check("repository", False, error.message, error.hint)
        return Report((*_rows("git", git), missing))
    site, report, is_damaged = Site(Workspace(place, caller), deep or fix), Report(()), False
    for name, look in CHECKS.items():
        begun(name)
        findings = looked(look, site)
        if fix and not is_damaged and any(found.mend for found in findings):
            report = _mended(report, findings, caller)
            # What git answered before the repair is out of date, for later checks too.
            site = Site(site.workspace, site.deep)
            findings = findings if caller.dry_run else looked(look, site)
        if name == _DAMAGE:
            is_damaged = _is_bad(findings)
        report = report._replace(checks=(*report.checks, *_rows(name, findings)))
        if name in _FOUNDATION and _is_bad(findings):
            break
    site.workspace.close()
    return report


def looked(look: Look, site: Site) -> list[Finding]:
    """The findings of a check. One that raises is a problem too."""
    findings: list[Finding] = []
    try:
        findings.extend(look(site))
    except ClawgitError as error:
        findings.append(Finding(error.message, error.hint))
    except OSError as error:
        remedy = "Check its owner and permissions."
        findings.append(Finding(str(error.strerror), remedy, str(error.filename)))
    return findings


def _is_bad(findings: Iterable[Finding]) -> bool:
    return any(finding.refused for finding in findings)


def _rows(name: str, findings: Iterable[Finding]) -> tuple[Check, ...]:
    rows = (Check(name, not found.refused, found.text, found.remedy) for found in findings)
    return (*rows,) or (Check(name),)


def _mended(report: Report, findings: Iterable[Finding], caller: Caller) -> Report:
    """The report of the repairs that findings offer, each made once."""
    for mend in {found.mend.what: found.mend for found in findings if found.mend}.values():
        done, what = None, mend.what
        try:
            done = None if caller.dry_run else mend.do()
        except ClawgitError as error:
            what = f"could not {mend.what}: {error.message}"
        report = report._replace(mended=(*report.mended, what))
        if isinstance(done, Change) and done.commit:
            # A change begins with the fields of a commit.
            report = report._replace(change=Committed(*done[:3]))
    return report
