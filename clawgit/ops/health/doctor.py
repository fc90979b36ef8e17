"""`doctor`: runs every check of one table in order, and if asked repairs what is safe to repair.

Checks whose time grows with the history, not with the files, are deep: all objects, secrets in all
commits, the messages that old lines cite, whole databases.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ClawgitError, counted
from clawgit.ops.health import chroma as checks_chroma
from clawgit.ops.health import files as checks_files
from clawgit.ops.health import git as checks_git
from clawgit.ops.health import hidden as checks_hidden
from clawgit.ops.health import hooks as checks_hooks
from clawgit.ops.health import locks as checks_locks
from clawgit.ops.health import nested as checks_nested
from clawgit.ops.health import objects as checks_objects
from clawgit.ops.health import search_models as checks_search
from clawgit.ops.health import secrets as checks_secrets
from clawgit.ops.health import state as checks_state
from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.gitdir import find_repo
from clawgit.stores.git.guards.belonging import refuse_pipes_below
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.plainfile import put_in_place

_LAST = "doctor.json"
_NEXT = "clawgit doctor --deep"


class DeepCheck(NamedTuple):
    """`time` is None if there was none; `problems` are the names of the checks that failed."""

    time: datetime | None = None
    problems: tuple[str, ...] = ()


def look_at_deep(site: Site) -> Finding:
    """A problem of the last deep check stays a problem until another deep check no longer finds
    it.
    """
    last = _last_deep_check(site.place)
    if last.time is None:
        return Finding(True, f"all objects, all commits: not checked yet ({_NEXT})")
    day = f"{last.time:%Y-%m-%d}"
    if not last.problems:
        return Finding(True, f"all objects, all commits: checked on {day}, all well ({_NEXT})")
    left = f"{counted(len(last.problems), 'problem')}: {several(list(last.problems))}"
    return Finding(False, f"on {day} the deep check found {left}", _NEXT)


Look = Callable[[Site], Finding]

CHECKS: Mapping[str, Look] = {
    "git": checks_git.look_at_git,
    "repository": checks_git.look_at_repository,
    "owner": checks_git.look_at_owner,
    "git locks": checks_locks.look_at_locks,
    "staging": checks_git.look_at_staging,
    "head": checks_git.look_at_head,
    "objects": checks_objects.look_at_objects,
    "unfinished": checks_git.look_at_unfinished,
    "user": checks_git.look_at_user,
    "packing": checks_git.look_at_packing,
    "disk": checks_git.look_at_disk,
    "workspace": checks_git.look_at_workspace,
    "workspace lock": checks_locks.look_at_workspace_lock,
    "leftovers": checks_locks.look_at_leftovers,
    "rewrite": checks_locks.look_at_rewrite,
    "stranded": checks_git.look_at_stranded,
    "exchange": checks_state.look_at_exchange,
    "config": checks_state.look_at_config,
    "hooks": checks_hooks.look_at_hooks,
    "merging": checks_hooks.look_at_merging,
    "merges": checks_hooks.look_at_merges,
    "operator": checks_hooks.look_at_operator,
    "entries": checks_files.look_at_entries,
    "sizes": checks_files.look_at_sizes,
    "links": checks_files.look_at_links,
    "rights": checks_files.look_at_rights,
    "merge marks": checks_files.look_at_conflict_markers,
    "ignored": checks_files.look_at_ignored,
    "excluded": checks_hidden.look_at_excluded,
    "hidden": checks_hidden.look_at_hidden,
    "filters": checks_hidden.look_at_filters,
    "comments": checks_hidden.look_at_comments,
    "secrets": checks_secrets.look_at_secrets,
    "history": checks_secrets.look_at_history,
    "nested": checks_nested.look_inside,
    "outer": checks_nested.look_around,
    "bootstrap": checks_files.look_at_bootstrap,
    "state": checks_state.look_at_state,
    "index": checks_state.look_at_index,
    "chroma": checks_chroma.look_at_chroma,
    "embedder": checks_search.look_at_embedder,
    "reranker": checks_search.look_at_reranker,
    "openclaw": checks_state.look_at_openclaw,
    "jobs": checks_state.look_at_jobs,
    "deep": look_at_deep,
}
"""In this order: what a later check relies on is checked and repaired first."""

_DEEP_ONLY = frozenset({"history"})
_PLAIN_ONLY = frozenset({"deep"})


def checks_of(*, deep: bool) -> dict[str, Look]:
    """The checks of a plain or of a deep run."""
    left_out = _PLAIN_ONLY if deep else _DEEP_ONLY
    return {name: look for name, look in CHECKS.items() if name not in left_out}


@dataclass(frozen=True, slots=True)
class Check:
    """`fix` is what to do next, "" if nothing is; with `ok`, the check is a note."""

    name: str
    ok: bool
    detail: str
    fix: str


@dataclass(frozen=True, slots=True)
class Report:
    """`mended` is what `fix` did, or would do with `dry_run`; `commit` is set if a file changed.

    `deep` is the last deep check: this one, if it was deep.
    """

    checks: tuple[Check, ...]
    mended: tuple[str, ...] = ()
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    deep: DeepCheck = field(default_factory=DeepCheck)

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
    deep = deep or fix
    try:
        place = find_repo(start, caller.env)
        refuse_pipes_below(place.root)
    except ClawgitError as error:
        git = checks_git.git_finding(CGit(start, caller.env))
        return Report(
            (
                Check("git", git.ok, git.detail, git.fix),
                Check("repository", False, error.message, error.hint),
            )
        )
    site, report, hands_off = Site(Workspace(place, caller), deep), Report(()), False
    for name, look in checks_of(deep=deep).items():
        begun(name)
        finding = _looked(look, site)
        mends = _allowed(finding, hands_off=hands_off) if fix else []
        if mends:
            report = _mended(report, mends, dry_run=dry_run)
            # What git answered before the repair is out of date, for later checks too.
            site = site.fresh()
            finding = finding if dry_run else _looked(look, site)
        check = Check(name, finding.ok, finding.detail, finding.fix)
        report = replace(report, checks=(*report.checks, check))
        if finding.ends:
            break
        # After damaged objects little is repaired, since a write could make the loss final.
        hands_off |= finding.hands_off
    else:
        if deep:
            _remember_deep_check(place, DeepCheck(caller.now, _problems(report)))
    site.workspace.close()
    return replace(report, deep=_last_deep_check(place))


def _problems(report: Report) -> tuple[str, ...]:
    return tuple(check.name for check in report.checks if not check.ok)


def _allowed(finding: Finding, *, hands_off: bool) -> list[Mend]:
    """The repairs that may be done now."""
    return [mend for mend in finding.mends if mend.always or not hands_off]


def _looked(look: Look, site: Site) -> Finding:
    """The finding of a check. One that raises is a problem too."""
    try:
        return look(site)
    except ClawgitError as error:
        return Finding(False, error.message, error.hint)
    except OSError as error:
        return Finding(
            False, f"{error.filename}: {error.strerror}", "Check its owner and permissions."
        )


def _mended(report: Report, mends: list[Mend], *, dry_run: bool) -> Report:
    for mend in mends:
        outcome, what = Outcome(), mend.what
        if not dry_run:
            try:
                outcome = mend.do() or outcome
            except ClawgitError as error:
                what = f"could not {mend.what}: {error.message}"
        report = replace(report, mended=(*report.mended, what))
        if outcome.commit:
            report = replace(report, commit=outcome.commit, id=outcome.id, changed=outcome.changed)
    return report


def _last_deep_check(place: RepoPlace) -> DeepCheck:
    try:
        kept = json.loads((place.shared / _LAST).read_bytes())
        return DeepCheck(datetime.fromisoformat(kept["time"]), tuple(map(str, kept["problems"])))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return DeepCheck()


def _remember_deep_check(place: RepoPlace, done: DeepCheck) -> None:
    """Records a deep check. If nothing can be written, it counts as not done."""
    if done.time is None:
        return
    kept = {"time": done.time.isoformat(), "problems": done.problems}
    with suppress(OSError):
        place.shared.mkdir(exist_ok=True)
        put_in_place(place.shared / _LAST, json.dumps(kept).encode())
