"""`doctor`: runs every check of one table in order, and if asked repairs what is safe to repair.

With `deep` it reads every object of the history, too.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.ops.health import files, repository, setup
from clawgit.ops.health.finding import PROBLEM, Finding, Mend, Site
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.gitdir import find_repo
from clawgit.stores.git.guards.belonging import refuse_pipes_below
from clawgit.stores.git.transaction import Outcome

Look = Callable[[Site], Iterable[Finding]]

CHECKS: Mapping[str, Look] = {
    "git": repository.look_at_git,
    "repository": repository.look_at_repository,
    "locks": repository.look_at_locks,
    "git index": repository.look_at_index,
    "objects": repository.look_at_objects,
    "interrupted": repository.look_at_interrupted,
    "config": setup.look_at_config,
    "hooks": setup.look_at_hooks,
    "entries": files.look_at_entries,
    "files": files.look_at_files,
    "ignored": files.look_at_ignored,
    "secrets": files.look_at_secrets,
    "state": setup.look_at_state,
    "models": setup.look_at_models,
    "jobs": setup.look_at_jobs,
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
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


def doctor(
    start: Path,
    caller: Caller,
    *,
    fix: bool = False,
    deep: bool = False,
    dry_run: bool = False,
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
        git = [*repository.git_findings(CGit(start, caller.env))]
        missing = Check("repository", False, error.message, error.hint)
        return Report((*_rows("git", git), missing))
    site, report, is_damaged = Site(Workspace(place, caller), deep or fix), Report(()), False
    for name, look in CHECKS.items():
        begun(name)
        findings = looked(look, site)
        if fix and not is_damaged and (mends := _mends_of(findings)):
            report = _mended(report, mends, dry_run=dry_run)
            # What git answered before the repair is out of date, for later checks too.
            site = site.fresh()
            findings = findings if dry_run else looked(look, site)
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
        findings.append(Finding("", error.message, error.hint))
    except OSError as error:
        remedy = "Check its owner and permissions."
        findings.append(Finding(str(error.filename), str(error.strerror), remedy))
    return findings


def _is_bad(findings: Iterable[Finding]) -> bool:
    return any(finding.kind == PROBLEM for finding in findings)


def _rows(name: str, findings: Iterable[Finding]) -> tuple[Check, ...]:
    rows = tuple(
        Check(name, finding.kind != PROBLEM, finding.text, finding.remedy) for finding in findings
    )
    return rows or (Check(name),)


def _mends_of(findings: Iterable[Finding]) -> list[Mend]:
    """The repairs that findings offer, each once."""
    mends = {finding.mend.what: finding.mend for finding in findings if finding.mend}
    return [*mends.values()]


def _mended(report: Report, mends: Iterable[Mend], *, dry_run: bool) -> Report:
    for mend in mends:
        outcome, what = Outcome(), mend.what
        if not dry_run:
            try:
                outcome = mend.do() or outcome
            except ClawgitError as error:
                what = f"could not {mend.what}: {error.message}"
        report = report._replace(mended=(*report.mended, what))
        if outcome.commit:
            report = report._replace(commit=outcome.commit, id=outcome.id, changed=outcome.changed)
    return report
