"""The workspace at a glance, from one call of C git and a few small files.

libgit2 is not loaded: that alone takes 60 ms.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import corrections
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.workspace.limits import LARGEST_FILE
from clawgit.errors import ClawgitError, MassDeletionError, NotFoundError
from clawgit.ops.agents.status import JobState, ModelState, work_state
from clawgit.ops.change.returned_entries import returned_entries
from clawgit.ops.context.sizes import SlotsState, slots_state
from clawgit.ops.health.sizes import injected_by, oversize
from clawgit.ops.safety.secrets_found import as_skipped, held_back
from clawgit.ops.search.index_row import IndexState
from clawgit.ops.search.indexing import found_files, index_state
from clawgit.ops.sync.standing import SyncStanding, standing
from clawgit.ops.workspace.alerts import Alert, of_commits, of_state_recovery, refs_below
from clawgit.ops.workspace.kept_config import summary
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.sensitive_values import discreet
from clawgit.ops.workspace.set_aside import troubles
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chat.away import why_away
from clawgit.stores.clearing import is_there
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.dirt import Dirt, SkippedChange, refuse_mass_deletion, scan, unfinished
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.worktree import glance
from clawgit.stores.index.sources import DEFAULT_SOURCES, SourceFile
from clawgit.stores.partial import part_at
from clawgit.stores.state import repository_state, state_file

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit status --ack"


@dataclass(frozen=True, slots=True)
class Untrusted:
    """A setting pending for `clawgit trust`, and the value in force until then. No passwords."""

    key: str
    value: object
    in_force: object
    origin: str
    why: str


@dataclass(frozen=True, slots=True)
class Status:
    """`head` is None on a branch without a commit, `branch` if HEAD is detached.

    `dirty` are the files for the next snapshot; `scope` are the patterns of clawgit's files, and
    `searched` counts those that a search covers.
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
    index: IndexState = field(default_factory=IndexState)
    slots: SlotsState = field(default_factory=SlotsState)
    model: ModelState = field(default_factory=ModelState)
    layout: str = ""
    searched: int = 0
    scope: tuple[str, ...] = ()
    pending: tuple[Untrusted, ...] = ()
    new: tuple[str, ...] = ()
    """Those of `dirty` that no commit has yet."""
    sync: SyncStanding | None = None
    """Against what was last heard of the remote's branch; null where it follows none."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The alerts that will not be shown again. That is not part of the history: no commit."""

    acknowledged: tuple[str, ...]
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


def status(workspace: Workspace) -> Status:
    """Reads and changes nothing."""
    place = workspace.place
    git = workspace.cgit
    dirt = scan(git, workspace.scope)
    held = _held_back(workspace, dirt)
    # What a snapshot would leave out is an alert, and no change that waits for one.
    seen = dirt.without(tuple(change for change, _ in held))
    jobs, model = _work(workspace)
    files = found_files(workspace)
    return Status(
        workspace=place.root,
        busy=unfinished(place.git_dir),
        lock=lock_holder(place.private / "lock"),
        parked=tuple(refs_below(place, f"refs/clawgit/parked/{place.worktree}/")),
        alerts=(
            *(alert for _, alert in held),
            *_live_alerts(workspace, git, seen),
            *_too_large(workspace, seen, files),
            *_hidden(seen),
            *_returned(workspace, git, seen),
            *_misread(workspace),
            *_not_accepted(workspace),
            *_waiting(place),
            *_disagreeing(place),
            *_asked(place),
            *_of_state(workspace),
            *of_state_recovery(workspace),
            *of_commits(workspace, git, seen.head),
        ),
        head=seen.head,
        branch=seen.branch,
        dirty=seen.paths,
        # Taken out of git's index alone, a file is not gone.
        deleted=tuple(path for path in seen.deleted if not os.path.lexists(place.root / path)),
        skipped=seen.skipped,
        conflicted=seen.conflicted,
        jobs=jobs,
        index=_index(workspace, files),
        slots=slots_state(workspace),
        model=model,
        layout=workspace.layout.name,
        searched=sum(file.source in DEFAULT_SOURCES for file in files.values()),
        scope=workspace.config.settings.scope or workspace.layout.scope,
        pending=_untrusted(workspace),
        # HEAD has what was only taken out of git's index.
        new=tuple(path for path in seen.new if path not in seen.deleted),
        sync=standing(git, seen.branch) if refs_below(place, "refs/remotes/") else None,
    )


def acknowledge(workspace: Workspace, name: str = "", *, dry_run: bool = False) -> Acknowledged:
    """Marks one alert of the history or of the state as seen, or all that are shown.

    An alert is there for the operator, so nobody else may say that it was seen.
    """
    require_operator(workspace.caller, "acknowledge an alert", _AT_A_TERMINAL)
    git = CGit(workspace.root, workspace.caller.env)
    head = scan(git, workspace.scope).head
    shown = [*of_state_recovery(workspace), *of_commits(workspace, git, head)]
    chosen = tuple(
        dict.fromkeys(alert.id for alert in shown if alert.id and name in ("", alert.id))
    )
    if name and not chosen:
        raise NotFoundError(f"There is no alert {name}.", hint="`clawgit status` lists the alerts.")
    if chosen and not dry_run:
        with repository_state(
            workspace.place, workspace.caller.env, workspace.caller.home, workspace.now
        ) as state:
            for ident in chosen:
                state.acknowledge(ident)
    return Acknowledged(chosen)


def _work(workspace: Workspace) -> tuple[tuple[JobState, ...], ModelState]:
    try:
        return work_state(workspace)
    except ClawgitError:  # what is wrong with state.db is an alert, and must not hide the rest
        return (), ModelState()


def _index(workspace: Workspace, files: Mapping[str, SourceFile]) -> IndexState:
    if not (workspace.place.private / "live.db").exists():
        return IndexState()
    return index_state(workspace, files)


def _held_back(workspace: Workspace, seen: Dirt) -> list[tuple[SkippedChange, Alert]]:
    """New files that a snapshot skips because of a secret in them."""
    if not seen.new:
        return []
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


def _live_alerts(workspace: Workspace, git: CGit, seen: Dirt) -> Iterator[Alert]:
    if lost := _mass_deletion(workspace, git, seen):
        yield Alert(None, None, lost.message, lost.hint)


def _too_large(
    workspace: Workspace, seen: Dirt, files: Mapping[str, SourceFile]
) -> Iterator[Alert]:
    new = (path for path in seen.paths if path.lower().endswith(".md"))
    large = (path for path, file in files.items() if file.size > LARGEST_FILE)
    is_injected = injected_by(workspace.layout, workspace.scope)
    for file in oversize(workspace.root, (*new, *large), covers=is_injected):
        yield Alert(None, None, file.what, file.fix)


def _hidden(seen: Dirt) -> Iterator[Alert]:
    """Edits that `git status` does not show."""
    for file in seen.hidden:
        # A bit alone hides nothing yet.
        if file.edited:
            what = f"{file.path} was edited, and git is told to ignore that ({file.bit})"
            yield Alert(None, None, what, f"{file.remedy}, then clawgit snapshot")


def _returned(workspace: Workspace, git: CGit, seen: Dirt) -> Iterator[Alert]:
    """Edits that bring back what had moved elsewhere; once it is committed, the commit says so."""
    known = {path for path in seen.paths if holds_entries(path)} - {*seen.new}
    changes = _texts(workspace, git, known)
    for message in returned_entries(workspace, changes):
        yield Alert(None, None, message, "clawgit snapshot, then that command")


def _texts(
    workspace: Workspace, git: CGit, paths: Iterable[str]
) -> Iterator[tuple[str, tuple[bytes | None, bytes]]]:
    """The files of HEAD, and as they lie on disk."""
    # Git is asked by lines, and no file of ours has one in its name.
    named = sorted(path for path in paths if "\n" not in path)
    for path, found in zip(named, Batch(git).read(f"HEAD:{path}" for path in named), strict=True):
        text = glance(workspace.root, path)
        yield path, (found.data if found else None, text.encode("utf-8", "surrogateescape"))


def _misread(workspace: Workspace) -> Iterator[Alert]:
    """Errors in CONFIG.md: the defaults hold instead, which would otherwise go unnoticed."""
    problems = workspace.config.problems
    if problems:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        yield Alert(
            None, None, f"{problems[0].where}: {problems[0].message}{more}", "clawgit config check"
        )


def _not_accepted(workspace: Workspace) -> Iterator[Alert]:
    pending = workspace.config.pending
    if not pending:
        return
    yield Alert(None, None, summary(pending), "clawgit trust")


def _untrusted(workspace: Workspace) -> tuple[Untrusted, ...]:
    pending = workspace.config.pending
    if not pending:
        return ()
    return tuple(
        Untrusted(
            setting.key,
            discreet(setting.key, setting.value),
            discreet(setting.key, setting.in_force),
            setting.origin,
            setting.why,
        )
        for setting in pending
    )


def _waiting(place: RepoPlace) -> Iterator[Alert]:
    if refs := refs_below(place, "refs/clawgit/proposals/"):
        what = "1 change waits" if len(refs) == 1 else f"{len(refs)} changes wait"
        yield Alert(None, None, f"{what} for the operator", "clawgit soul proposals")


def _asked(place: RepoPlace) -> Iterator[Alert]:
    """Corrections without a right value, or with one that only an agent has stated."""
    written = part_at(place.root / "CORRECTIONS.md")
    if b"\n## " not in written:
        return
    waiting = (correction.waits for correction in corrections(written.decode("utf-8", "replace")))
    if count := sum(waiting):
        what = "1 correction asks" if count == 1 else f"{count} corrections ask"
        yield Alert(None, None, f"{what} what is right", "clawgit corrections list --open")


def _disagreeing(place: RepoPlace) -> Iterator[Alert]:
    """Conflicts of memory that were flagged. The file is parsed only if it contains one."""
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
    caller = workspace.caller
    try:
        with repository_state(workspace.place, caller.env, caller.home, workspace.now) as state:
            if why := why_away(state):
                yield Alert(None, None, why, "start the server, or clawgit config get chat_store")
            for trouble in troubles(workspace, state):
                yield Alert(None, trouble.time, trouble.message, trouble.next)
    except ClawgitError as error:  # what is wrong with state.db must not hide the rest
        yield Alert(None, None, error.message, error.hint)


def _mass_deletion(workspace: Workspace, git: CGit, seen: Dirt) -> MassDeletionError | None:
    try:
        refuse_mass_deletion(git, seen, workspace.scope)
    except MassDeletionError as error:
        return error
    return None
