"""The workspace at a glance: where it stands, what a snapshot would take, what needs a person.

One call of C git and a few small files; libgit2 is not loaded, which alone takes 60 ms. `doctor`
names everything that is no matter of today.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import CORRECTIONS, corrections
from clawgit.domain.corrections.statuses import CONFIRMED
from clawgit.domain.workspace.tiers import dated
from clawgit.errors import ClawgitError, MassDeletionError, NotFoundError, counted
from clawgit.ops.health.sizes import injected_in, oversize
from clawgit.ops.sync.standing import SyncStanding, standing
from clawgit.ops.workspace.alerts import Alert, of_commits, of_state_recovery, refs_below
from clawgit.ops.workspace.in_force import summary
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Caller, Workspace, is_workspace
from clawgit.stores import openclaw, queue, runs
from clawgit.stores.chat.away import why_away
from clawgit.stores.clearing import is_there
from clawgit.stores.git.dirt import (
    TO_A_BRANCH,
    Dirt,
    SkippedChange,
    refuse_mass_deletion,
    scan,
    unfinished,
    ways_on,
)
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.looked import WITHHELD, noted_names
from clawgit.stores.git.place import locate
from clawgit.stores.git.proposal_refs import WAITING
from clawgit.stores.git.stranded import PARKED
from clawgit.stores.git.worktree import glance
from clawgit.stores.plainfile import part_at
from clawgit.stores.state import State, state_file

if TYPE_CHECKING:
    from clawgit.ops.agents.status import JobState, ModelState
    from clawgit.ops.search.indexing import IndexState

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit status --ack"
_FIRST = 3


class Status(NamedTuple):
    """`head` is None on a branch without a commit, `branch` if HEAD is detached.

    `dirty` are the files for the next snapshot; `scope` are the patterns of clawgit's files. `sync`
    compares with the remote's branch as last fetched. `jobs`, `index` and `model` are looked at on
    request; a job that failed is an alert.
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
    jobs: "tuple[JobState, ...]" = ()
    index: "IndexState | None" = None  # type: ignore[assignment]  # nobody looks for a member in it
    model: "ModelState | None" = None
    layout: str = ""
    scope: tuple[str, ...] = ()
    sync: SyncStanding | None = None


class Acknowledged(NamedTuple):
    """The alerts that will not be shown again.

    This is not in the history, so there is no commit.
    """

    acknowledged: tuple[str, ...]
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


class Next(NamedTuple):
    """A command to type, and what for."""

    command: str
    why: str


class Here(NamedTuple):
    """`workspace` is null outside of one; `waits` counts uncommitted files, `alerts` the alerts."""

    workspace: Path | None
    branch: str | None
    waits: int
    alerts: int
    next: tuple[Next, ...]


def status(workspace: Workspace, *, everything: bool = False) -> Status:
    """The status; with `everything` also that of what needs no attention. Reads only."""
    place, git = workspace.place, workspace.cgit
    dirt = scan(git, workspace.scope)
    held = _held_back(workspace, dirt)
    # A file that a snapshot would skip is an alert, not a change that waits for a snapshot.
    seen = dirt.without(tuple(change for change, _ in held))
    seen_now = Status(
        workspace=place.root,
        head=seen.head,
        branch=seen.branch,
        busy=unfinished(place.git_dir),
        lock=lock_holder(place.private / "lock"),
        parked=tuple(refs_below(place, f"{PARKED}{place.worktree}/")),
        dirty=seen.paths,
        # A file that was only removed from git's index still exists.
        deleted=tuple(path for path in seen.deleted if not os.path.lexists(place.root / path)),
        skipped=seen.skipped,
        conflicted=seen.conflicted,
        alerts=(
            *(alert for _, alert in held),
            *(alert for look in _LOOKS for alert in look(workspace, seen)),
            *of_state_recovery(workspace),
            *of_commits(workspace, git, seen.head),
        ),
        layout=workspace.layout.name,
        scope=workspace.config.settings.scope or workspace.layout.scope,
    )
    if refs_below(place, "refs/remotes/"):
        seen_now = seen_now._replace(sync=standing(git, seen.branch))
    return _with_work(workspace, seen_now) if everything else seen_now


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


def _with_work(workspace: Workspace, seen: Status) -> Status:
    """The same with the jobs, the model and the index."""
    # Loaded here: the jobs and the search, for a look that is seldom asked for.
    from clawgit.ops.agents.status import work_state  # noqa: PLC0415 - 30 modules
    from clawgit.ops.search.indexing import IndexState, found_files, index_state  # noqa: PLC0415 - 80 modules

    is_indexed = (workspace.place.private / "live.db").exists()
    index = index_state(workspace, found_files(workspace)) if is_indexed else IndexState()
    try:
        jobs, model = work_state(workspace)
    except ClawgitError:  # an error of state.db is an alert, and must not hide the rest
        return seen._replace(index=index)
    return seen._replace(index=index, jobs=jobs, model=model)


def _held_back(workspace: Workspace, seen: Dirt) -> list[tuple[SkippedChange, Alert]]:
    """New files that a snapshot skips because of a secret in them."""
    if not seen.new:
        return []
    # Loaded here: few looks find a new file.
    from clawgit.ops.safety.secrets_found import as_skipped, held_back  # noqa: PLC0415 - a judge

    held = held_back(workspace, seen.new)
    what = "{0.place} looks like a secret ({0.rule}): {0.path} stays uncommitted"
    step = "remove it, or if it is not a secret: clawgit secrets allow {0.fingerprint}"
    alerts = (_alert(what.format(file), step.format(file)) for file in held)
    return list(zip(as_skipped(held), alerts, strict=True))


def _mass_deletion(workspace: Workspace, seen: Dirt) -> Iterator[Alert]:
    try:
        refuse_mass_deletion(workspace.cgit, seen, workspace.scope)
    except MassDeletionError as error:
        yield _alert(error.message, error.hint)


def _too_large(workspace: Workspace, seen: Dirt) -> Iterator[Alert]:
    """Files that OpenClaw would cut or refuse, of those that it injects and those with edits."""
    edited = (path for path in seen.paths if path.lower().endswith(".md"))
    injected = injected_in(workspace.layout, workspace.scope)
    for what, fix in oversize(workspace.root, edited, injected):
        yield _alert(what, fix)


def _of_settings(workspace: Workspace, _: Dirt) -> Iterator[Alert]:
    """Mistakes in CONFIG.md, in whose place the defaults count, and what the operator has not
    accepted yet.
    """
    problems, pending = workspace.config.problems, workspace.config.pending
    if problems:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        yield _alert(f"{problems[0].where}: {problems[0].message}{more}", "clawgit config")
    if pending:
        yield _alert(summary(pending), "clawgit trust")


def _withheld(workspace: Workspace, _: Dirt) -> Iterator[Alert]:
    """Planted texts that stood in the files at the last look at all of them."""
    names = noted_names(workspace.place, WITHHELD)
    seen = workspace.own_texts().digests if names else ()
    if count := sum(not any(digest.startswith(name) for digest in seen) for name in names):
        what = f"{counted(count, 'planted-looking text')} withheld from agents"
        yield _alert(what, "clawgit trust shows each and asks about it")


def _undecided(workspace: Workspace, _: Dirt) -> Iterator[Alert]:
    """What waits for the operator's word: changes, corrections without a right value, conflicts."""
    if count := len(refs_below(workspace.place, WAITING)):
        what = f"{counted(count, 'change')} {_verb(count, 'wait')} for the operator"
        yield _alert(what, "clawgit soul proposals")
    # The files are parsed only where they may hold one.
    written = _text(workspace, CORRECTIONS, "\n## ")
    if count := sum(correction.waits for correction in corrections(written)):
        what = f"{counted(count, 'correction')} {_verb(count, 'ask')} what is right"
        yield _alert(what, "clawgit corrections list --open")
    written = _text(workspace, "CONFLICTS.md", "flagged")
    if count := sum(conflict.open for conflict in conflicts(written)):
        words = counted(count, "conflict of memory", "conflicts of memory")
        yield _alert(f"{words} {_verb(count, 'wait')} for the operator", "clawgit conflicts list")


def _of_state(workspace: Workspace, _: Dirt) -> Iterator[Alert]:
    """Jobs that failed, a chat server that cannot be reached, and calls that were set aside."""
    if not is_there(state_file(workspace.place)):
        return
    try:
        with state_of(workspace) as state:
            has_failed = not all(run.counts for run in runs.lasts(state).values())
            if why := why_away(state):
                yield _alert(why, "start the server, or clawgit config get chat_store")
            yield from _set_aside(workspace, state)
        if has_failed:
            # Loaded here: the jobs need what agents are made of.
            from clawgit.ops.agents.status import failures, work_state  # noqa: PLC0415 - 30 modules

            yield from (_alert(*row) for row in failures(work_state(workspace)[0]))
    except ClawgitError as error:  # an error of state.db must not hide the rest
        yield _alert(error.message, error.hint)


def _set_aside(workspace: Workspace, state: State) -> Iterator[Alert]:
    """The calls that were set aside, queue by queue, and the patterns that take too long."""
    aside = [item for item in queue.listed(state, workspace.now) if item.aside]
    for name in dict.fromkeys(item.queue for item in aside):
        *_, last = items = [item for item in aside if item.queue == name]
        calls = f"{counted(len(items), 'call')} of {name} set aside"
        what = f"{calls} after {queue.MOST_TRIES} tries: {last.trouble}"
        step = "clawgit run --queue {0}, or clawgit run --drop {0} to give it up"
        yield Alert(None, last.since, what, step.format(last.id))


_LOOKS: tuple[Callable[[Workspace, Dirt], Iterable[Alert]], ...] = (
    _mass_deletion,
    _too_large,
    _of_settings,
    _withheld,
    _undecided,
    _of_state,
)
"""What is wrong now: each of these alerts disappears when its cause is repaired."""


def _alert(what: str, step: str) -> Alert:
    return Alert(None, None, what, step)


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb


def _text(workspace: Workspace, path: str, mark: str) -> str:
    """The text of a file, "" if it does not contain the mark."""
    text = part_at(workspace.root / path).decode("utf-8", "replace")
    return text if mark in text else ""


def here(workspace: Workspace) -> Here:
    """The workspace in a line, and what to do, the most urgent first."""
    seen = status(workspace)
    corrected = corrected_in_chat(workspace)
    told = (Next("clawgit corrections list", corrected),) if corrected else ()
    waits = len(seen.dirty) + len(seen.skipped)
    steps = (*_asked_for(seen), *told, *_EVERYDAY)
    return Here(workspace.root, seen.branch, waits, len(seen.alerts), steps)


def corrected_in_chat(workspace: Workspace) -> str:
    """How many memories were corrected in chat since yesterday, in words; "" if none was."""
    yesterday = workspace.today - timedelta(days=1)
    since = datetime.combine(yesterday, time(), workspace.local_zone)
    count = sum(
        correction.status == CONFIRMED
        and correction.source.startswith("chat:")
        and correction.time is not None
        and correction.time >= since
        for correction in corrections(glance(workspace.root, CORRECTIONS))
    )
    return f"{counted(count, 'memory', 'memories')} corrected since yesterday" if count else ""


def outside(caller: Caller) -> Here:
    """What to do outside a workspace: OpenClaw's own folders come first, if there are any."""
    installation = openclaw.find(caller.home, caller.env)
    agents = installation.agents if installation else ()
    homes = [agent.workspace for agent in agents if agent.workspace.is_dir()]
    steps = [
        Next(f"clawgit -C '{home}'", "the workspace of an OpenClaw agent")
        if (place := locate(home)) and is_workspace(place)
        else Next(f"clawgit init '{home}'", "keep this OpenClaw agent's folder in git")
        for home in homes
    ]
    # A user of OpenClaw has a folder already and needs no new one.
    return Here(None, None, 0, 0, (*steps,) if steps else _NEW)


def _asked_for(seen: Status) -> Iterator[Next]:
    if seen.busy:
        yield Next(ways_on(seen.busy), f"git is in the middle of {seen.busy}; clawgit waits")
    elif seen.branch is None:
        yield Next(TO_A_BRANCH, "HEAD is on no branch: clawgit commits nothing until it is on one")
    yield from (Next(alert.next, alert.message) for alert in seen.alerts[:_FIRST])
    if len(seen.alerts) > _FIRST:
        yield Next("clawgit status", f"{len(seen.alerts) - _FIRST} more alerts")
    yield from _to_commit(seen)
    yield from _to_sync(seen)
    if (seen.workspace / "BOOTSTRAP.md").is_file() and not _has_days(seen.workspace):
        yield Next("read BOOTSTRAP.md with your agent", "it has not had its first conversation yet")


def _to_commit(seen: Status) -> Iterator[Next]:
    """The edits, if a snapshot would commit them."""
    if seen.dirty and seen.branch and not seen.busy:
        files = "1 file is" if len(seen.dirty) == 1 else f"{len(seen.dirty)} files are"
        yield Next("clawgit snapshot", f"{files} not committed yet")


def _to_sync(seen: Status) -> Iterator[Next]:
    """What a sync would do; after one that failed, its alert says so already."""
    has_failed = any(alert.next == "clawgit sync" for alert in seen.alerts)
    if seen.sync and not has_failed and (seen.sync.ahead or seen.sync.behind):
        counts = f"{seen.sync.ahead} to send, {seen.sync.behind} to bring in"
        yield Next("clawgit sync", f"commits: {counts}, as of the last fetch")


def _has_days(root: Path) -> bool:
    """Whether there are notes of several days: many agents never delete their BOOTSTRAP.md."""
    days = {dated(note.name) for note in root.glob("memory/*.md")}
    return len(days - {None}) > 1


_EVERYDAY = (
    Next("clawgit search TEXT", "find what is remembered"),
    Next("clawgit log", "what changed, by whom, and why"),
    Next("clawgit undo", "undo the last change"),
)
_NEW = (
    Next("clawgit init agent", "create a workspace in a new folder here"),
    Next("clawgit init .", "adopt this folder; nothing is overwritten"),
)
