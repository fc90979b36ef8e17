"""The workspace at a glance, from one call of C git and a few small files.

libgit2 is not loaded: that alone takes 60 ms.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.config.trust import PendingSetting
from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import corrections
from clawgit.errors import ClawgitError, MassDeletionError, NotFoundError, counted
from clawgit.ops.health.sizes import injected_by, oversize
from clawgit.ops.sync.standing import SyncStanding, standing
from clawgit.ops.workspace.alerts import Alert, of_commits, of_state_recovery, refs_below
from clawgit.ops.workspace.kept_config import summary
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.sensitive_values import discreet
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.status_rows import IndexState, JobState, ModelState
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import queue, runs
from clawgit.stores.chat.away import why_away
from clawgit.stores.clearing import is_there
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.dirt import Dirt, SkippedChange, refuse_mass_deletion, scan, unfinished
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.looked import WITHHELD, noted_names
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.proposal_refs import WAITING
from clawgit.stores.git.stranded import PARKED
from clawgit.stores.plainfile import part_at
from clawgit.stores.state import State, state_file

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit status --ack"


class Status(NamedTuple):
    """`head` is None on a branch without a commit, `branch` if HEAD is detached.

    `dirty` are the files for the next snapshot; `scope` are the patterns of clawgit's files.
    `pending` waits for `clawgit trust`. `jobs` and `model` are looked at where a job failed or a
    model is set, `index` and `searched` (the files that a search covers) only on request.
    """

    workspace: Path
    head: str | None
    branch: str | None
    busy: str | None
    lock: str | None
    parked: tuple[str, ...]
    dirty: tuple[str, ...]
    deleted: tuple[str, ...]
    skipped: tuple[SkippedChange, ...]
    conflicted: tuple[str, ...]
    alerts: tuple[Alert, ...]
    jobs: tuple[JobState, ...] = ()
    index: IndexState | None = None  # type: ignore[assignment]  # nobody looks for a member in it
    model: ModelState | None = None
    layout: str = ""
    searched: int = 0
    scope: tuple[str, ...] = ()
    pending: tuple[PendingSetting, ...] = ()
    new: tuple[str, ...] = ()
    """Those of `dirty` that no commit has yet."""
    sync: SyncStanding | None = None
    """The comparison with the remote's branch as last fetched; null without one."""


class Acknowledged(NamedTuple):
    """The alerts that will not be shown again.

    This is not in the history, so there is no commit.
    """

    acknowledged: tuple[str, ...]
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


def status(workspace: Workspace, *, everything: bool = False) -> Status:
    """The status; with `everything` also that of what needs no attention. Reads only."""
    place = workspace.place
    git = workspace.cgit
    dirt = scan(git, workspace.scope)
    held = _held_back(workspace, dirt)
    # A file that a snapshot would skip is an alert, not a change that waits for a snapshot.
    seen = dirt.without(tuple(change for change, _ in held))
    work = _work(workspace, everything=everything)
    return Status(
        workspace=place.root,
        busy=unfinished(place.git_dir),
        lock=lock_holder(place.private / "lock"),
        parked=tuple(refs_below(place, f"{PARKED}{place.worktree}/")),
        alerts=(
            *(alert for _, alert in held),
            *_mass_deletion(workspace, git, seen),
            *_too_large(workspace, seen),
            *_hidden(seen),
            *_misread(workspace),
            *_not_accepted(workspace),
            *_withheld(workspace),
            *_waiting(place),
            *_disagreeing(place),
            *_asked(place),
            *work.alerts,
            *_of_state(workspace),
            *of_state_recovery(workspace),
            *of_commits(workspace, git, seen.head),
        ),
        head=seen.head,
        branch=seen.branch,
        dirty=seen.paths,
        # A file that was only removed from git's index still exists.
        deleted=tuple(path for path in seen.deleted if not os.path.lexists(place.root / path)),
        skipped=seen.skipped,
        conflicted=seen.conflicted,
        jobs=work.jobs,
        model=work.model,
        layout=workspace.layout.name,
        scope=workspace.config.settings.scope or workspace.layout.scope,
        pending=tuple(map(_discreet, workspace.config.pending)),
        # HEAD still has what was only removed from git's index.
        new=tuple(path for path in seen.new if path not in seen.deleted),
        sync=standing(git, seen.branch) if refs_below(place, "refs/remotes/") else None,
        **(_covered(workspace) if everything else {}),
    )


def acknowledge(workspace: Workspace, name: str = "", *, dry_run: bool = False) -> Acknowledged:
    """Marks one alert of the history or of the state as seen, or all that are shown.

    Alerts are for the operator, so only the operator may acknowledge them.
    """
    require_operator(workspace.caller, "acknowledge an alert", _AT_A_TERMINAL)
    git = workspace.cgit
    head = scan(git, workspace.scope).head
    shown = [*of_state_recovery(workspace), *of_commits(workspace, git, head)]
    chosen = tuple(
        dict.fromkeys(alert.id for alert in shown if alert.id and name in ("", alert.id))
    )
    if name and not chosen:
        raise NotFoundError(f"There is no alert {name}.", hint="`clawgit status` lists the alerts.")
    if chosen and not dry_run:
        with state_of(workspace) as state:
            for ident in chosen:
                state.acknowledge(ident)
    return Acknowledged(chosen)


class _Work(NamedTuple):
    """What the jobs and the model did, if it was looked at, and what of it failed."""

    jobs: tuple[JobState, ...] = ()
    model: ModelState | None = None
    alerts: tuple[Alert, ...] = ()


def _work(workspace: Workspace, *, everything: bool) -> _Work:
    try:
        if not (everything or workspace.config.settings.llm_model or _is_amiss(workspace)):
            return _Work()
        # Loaded here: the jobs and when each is due need what agents are made of.
        from clawgit.ops.agents.status import failures, work_state  # noqa: PLC0415 - 30 modules

        jobs, model = work_state(workspace)
    except ClawgitError:  # an error of state.db is an alert, and must not hide the rest
        return _Work()
    return _Work(jobs, model, tuple(Alert(None, None, *row) for row in failures(jobs)))


def _is_amiss(workspace: Workspace) -> bool:
    """Whether the last run of a job did not end well."""
    if not is_there(state_file(workspace.place)):
        return False
    with state_of(workspace) as state:
        return not all(run.counts for run in runs.lasts(state).values())


def _covered(workspace: Workspace) -> dict[str, Any]:
    """What a search covers."""
    # Loaded here: the search, for a look that is seldom asked for.
    from clawgit.ops.search import indexing  # noqa: PLC0415 - 80 modules
    from clawgit.stores.index.sources import DEFAULT_SOURCES  # noqa: PLC0415 - as above

    files = indexing.found_files(workspace)
    is_indexed = (workspace.place.private / "live.db").exists()
    return {
        "index": indexing.index_state(workspace, files) if is_indexed else IndexState(),
        "searched": sum(file.source in DEFAULT_SOURCES for file in files.values()),
    }


def _held_back(workspace: Workspace, seen: Dirt) -> list[tuple[SkippedChange, Alert]]:
    """New files that a snapshot skips because of a secret in them."""
    if not seen.new:
        return []
    # Loaded here: few looks find a new file.
    from clawgit.ops.safety.secrets_found import as_skipped, held_back  # noqa: PLC0415 - a judge

    held = held_back(workspace, seen.new)
    messages = (
        f"{file.first.place} looks like a secret ({file.first.rule}): {file.path} stays uncommitted"
        for file in held
    )
    step = "remove it, or if it is not a secret: clawgit secrets allow {}"
    alerts = (
        Alert(None, None, message, step.format(file.first.fingerprint))
        for message, file in zip(messages, held, strict=True)
    )
    return list(zip(as_skipped(held), alerts, strict=True))


def _too_large(workspace: Workspace, seen: Dirt) -> Iterator[Alert]:
    """Files that OpenClaw would cut or refuse, of those that it injects and those with edits."""
    edited = (path for path in seen.paths if path.lower().endswith(".md"))
    is_injected = injected_by(workspace.layout, workspace.scope)
    for file in oversize(workspace.root, edited, is_injected):
        yield Alert(None, None, file.what, file.fix)


def _hidden(seen: Dirt) -> Iterator[Alert]:
    """Edits that `git status` does not show."""
    for file in seen.hidden:
        # The bit alone hides nothing; the file must differ.
        if file.edited:
            what = f"{file.path} was edited, and git is told to ignore that ({file.bit})"
            yield Alert(None, None, what, f"{file.remedy}, then clawgit snapshot")


def _misread(workspace: Workspace) -> Iterator[Alert]:
    """Errors in CONFIG.md. The defaults are used in their place, which would go unnoticed."""
    problems = workspace.config.problems
    if problems:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        yield Alert(
            None, None, f"{problems[0].where}: {problems[0].message}{more}", "clawgit config"
        )


def _not_accepted(workspace: Workspace) -> Iterator[Alert]:
    pending = workspace.config.pending
    if not pending:
        return
    yield Alert(None, None, summary(pending), "clawgit trust")


def _withheld(workspace: Workspace) -> Iterator[Alert]:
    """Planted texts that stood in the files at the last look at all of them."""
    names = noted_names(workspace.place, WITHHELD)
    seen = workspace.own_texts().digests if names else ()
    if count := sum(not any(digest.startswith(name) for digest in seen) for name in names):
        what = f"{counted(count, 'planted-looking text')} withheld from agents"
        yield Alert(None, None, what, "clawgit trust shows each and asks about it")


def _discreet(setting: PendingSetting) -> PendingSetting:
    """The same without passwords."""
    value, in_force = (discreet(setting.key, value) for value in (setting.value, setting.in_force))
    return setting._replace(value=value, in_force=in_force)


def _waiting(place: RepoPlace) -> Iterator[Alert]:
    if refs := refs_below(place, WAITING):
        what = "1 change waits" if len(refs) == 1 else f"{len(refs)} changes wait"
        yield Alert(None, None, f"{what} for the operator", "clawgit soul proposals")


def _asked(place: RepoPlace) -> Iterator[Alert]:
    """Corrections without a right value, or with one that only an agent gave."""
    written = part_at(place.root / "CORRECTIONS.md")
    if b"\n## " not in written:
        return
    waiting = (correction.waits for correction in corrections(written.decode("utf-8", "replace")))
    if count := sum(waiting):
        what = "1 correction asks" if count == 1 else f"{count} corrections ask"
        yield Alert(None, None, f"{what} what is right", "clawgit corrections list --open")


def _disagreeing(place: RepoPlace) -> Iterator[Alert]:
    """Conflicts of memory that wait for a decision. The file is parsed only if it may have one."""
    written = part_at(place.root / "CONFLICTS.md")
    if b"flagged" not in written:
        return
    if count := sum(conflict.open for conflict in conflicts(written.decode("utf-8", "replace"))):
        what = "1 conflict of memory waits" if count == 1 else f"{count} conflicts of memory wait"
        yield Alert(None, None, f"{what} for the operator", "clawgit conflicts list")


def _of_state(workspace: Workspace) -> Iterator[Alert]:
    """A chat server that cannot be reached, and queue items that were set aside."""
    if not is_there(state_file(workspace.place)):
        return
    try:
        with state_of(workspace) as state:
            if why := why_away(state):
                yield Alert(None, None, why, "start the server, or clawgit config get chat_store")
            yield from _set_aside(workspace, state)
    except ClawgitError as error:  # an error of state.db must not hide the rest
        yield Alert(None, None, error.message, error.hint)


def _mass_deletion(workspace: Workspace, git: CGit, seen: Dirt) -> Iterator[Alert]:
    try:
        refuse_mass_deletion(git, seen, workspace.scope)
    except MassDeletionError as error:
        yield Alert(None, None, error.message, error.hint)


def _set_aside(workspace: Workspace, state: State) -> Iterator[Alert]:
    """The calls that were set aside, queue by queue, and the patterns that take too long."""
    aside = [item for item in queue.listed(state, workspace.now) if item.aside]
    for name in dict.fromkeys(item.queue for item in aside):
        items = [item for item in aside if item.queue == name]
        what = (
            f"{counted(len(items), 'call')} of {name} set aside after {queue.MOST_TRIES} tries: "
            f"{items[-1].trouble}"
        )
        ident = items[-1].id
        yield Alert(
            None,
            items[-1].since,
            what,
            f"clawgit run --queue {ident}, or clawgit run --drop {ident} to give it up",
        )
