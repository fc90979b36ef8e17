"""The workspace at a glance: where it stands, what a snapshot would take, what needs a person.

One call of C git and a few small files; libgit2 is not loaded, which alone takes 60 ms. `doctor`
names everything that is no matter of today.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.core.disk.database import is_there
from clawgit.core.disk.plainfile import part_at
from clawgit.core.errors import Alert, ClawgitError, MassDeletionError, counted
from clawgit.core.limits import (
    ALL_CHARACTERS,
    FILE_CHARACTERS,
    INJECTED,
    LARGEST_FILE,
)
from clawgit.git.cgit import CGit
from clawgit.git.dirt import (
    Dirt,
    SkippedChange,
    refuse_mass_deletion,
    scan,
    unfinished,
)
from clawgit.git.lock import lock_holder
from clawgit.git.looked import (
    LOOKED,
    PARKED,
    QUIET,
    TOLD_COMMITS,
    WAITING,
    WITHHELD,
    noted,
    noted_names,
)
from clawgit.git.place import locate, refs_below
from clawgit.safety.in_force import summary
from clawgit.workspace.stores import openclaw
from clawgit.workspace.workspace import Caller, Workspace, is_workspace

if TYPE_CHECKING:
    from clawgit.core.layout import Layout, Scope
    from clawgit.run.schedule import JobState, ModelState
    from clawgit.search.indexing import IndexState


class SyncStanding(NamedTuple):
    """`ahead` and `behind` count commits against the remote's branch as last fetched."""

    remote: str
    ahead: int
    behind: int


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
        ),
        layout=workspace.layout.name,
        scope=workspace.config.settings.patterns or workspace.layout.scope,
    )
    if refs_below(place, "refs/remotes/"):
        seen_now = seen_now._replace(sync=sync_standing(git, seen.branch))
    return _with_work(workspace, seen_now) if everything else seen_now


def _with_work(workspace: Workspace, seen: Status) -> Status:
    """The same with the jobs, the model and the index."""
    # Loaded here: the jobs and the search, for a look that is seldom asked for.
    from clawgit.run.schedule import runner_lock, work_state  # noqa: PLC0415 - 30 modules
    from clawgit.search.indexing import index_state  # noqa: PLC0415 - 80 modules

    index = index_state(workspace)
    try:
        jobs, model = work_state(workspace)
    except ClawgitError:  # an error of state.db is an alert, and must not hide the rest
        return seen._replace(index=index)
    if lock_holder(runner_lock(workspace.place)) is None:  # nobody is there to start them
        jobs = tuple(job._replace(next=None) for job in jobs)
    return seen._replace(index=index, jobs=jobs, model=model)


def _held_back(workspace: Workspace, seen: Dirt) -> list[tuple[SkippedChange, Alert]]:
    """New files that a snapshot skips because of a secret in them."""
    if not seen.new:
        return []
    # Loaded here: few looks find a new file.
    from clawgit.safety.secrets_found import as_skipped, held_back  # noqa: PLC0415 - a judge

    held = held_back(workspace, seen.new)
    what = "{0.place} looks like a secret ({0.rule}): {0.place.path} stays uncommitted"
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
        what = f"{counted(count, 'change')} {'waits' if count == 1 else 'wait'} for the operator"
        yield _alert(what, "clawgit soul proposals")
    corrected = _text(workspace, "CORRECTIONS.md", "open", "quoted")
    conflicting = _text(workspace, "CONFLICTS.md", "flagged")
    if corrected or conflicting:
        from clawgit.safety.alerts import undecided  # noqa: PLC0415 - 15 ms, where one may wait

        yield from (_alert(*row) for row in undecided(corrected, conflicting))


def _of_state(workspace: Workspace, _: Dirt) -> Iterator[Alert]:
    """Jobs that failed, a chat server that cannot be reached, and calls that were set aside."""
    if not is_there(workspace.place.shared / "state.db"):
        return
    from clawgit.safety.state_alerts import of_state  # noqa: PLC0415 - 7 ms

    try:
        has_failed, alerts = of_state(workspace)
        yield from alerts
        if has_failed:
            # Loaded here: the jobs need what agents are made of.
            from clawgit.run.schedule import failures, work_state  # noqa: PLC0415 - 30 modules

            yield from (_alert(*row) for row in failures(work_state(workspace)[0]))
    except ClawgitError as error:  # an error of state.db must not hide the rest
        yield _alert(error.message, error.hint)


def _of_commits(workspace: Workspace, seen: Dirt) -> Iterable[Alert]:
    """Alerts about commits. Nothing is loaded if all commits were looked at, none has an alert, and
    no reference of ours names one.
    """
    place = workspace.place
    is_known = all(noted(place, note) == seen.head for note in (LOOKED, QUIET))
    is_told = any(refs_below(place, prefix) for prefix in TOLD_COMMITS)
    if is_known and not is_told:
        return ()
    from clawgit.safety.committed_texts import of_commits  # noqa: PLC0415 - 25 ms

    return of_commits(workspace, workspace.cgit, seen.head)


_LOOKS: tuple[Callable[[Workspace, Dirt], Iterable[Alert]], ...] = (
    _mass_deletion,
    _too_large,
    _of_settings,
    _withheld,
    _undecided,
    _of_state,
    _of_commits,
)
"""What is wrong now, which disappears when its cause is repaired; then what is past."""


def _alert(what: str, step: str) -> Alert:
    return Alert(None, None, what, step)


def _text(workspace: Workspace, path: str, *marks: str) -> str:
    """The text of a file, "" if its sections have none of the marks: then nothing in it waits."""
    text = part_at(workspace.root / path).decode("utf-8", "replace")
    sections = f"\n{text}".partition("\n## ")[2].lower()
    return text if any(mark in sections for mark in marks) else ""


_REMOTES = "refs/remotes/"


def sync_standing(git: CGit, branch: str | None) -> SyncStanding | None:
    """None if the branch follows no remote branch, or if that was never fetched."""
    shape = "--format=%(upstream)%00%(upstream:track,nobracket)"
    row = git.text("for-each-ref", shape, f"refs/heads/{branch}").strip() if branch else ""
    upstream, _, track = row.partition("\0")
    if not upstream.startswith(_REMOTES) or track == "gone":
        return None
    counts = dict(part.split(" ") for part in track.split(", ") if part)
    ahead, behind = (int(counts.get(side, 0)) for side in ("ahead", "behind"))
    return SyncStanding(upstream.removeprefix(_REMOTES), ahead, behind)


def oversize(
    root: Path, paths: Iterable[str], injected: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Each limit that is passed, and what to do."""
    for path in sorted({*injected, *paths}):
        if (size := _bytes(root / path)) > LARGEST_FILE:
            mib = f"{size / 1048576:.1f} MiB"
            what = f"{path} has {mib}; OpenClaw refuses it, and clawgit reads its first 2 MiB"
            yield what, "Split it by topic."
    lengths = {path: len(part_at(root / path).decode("utf-8", "replace")) for path in injected}
    for path, count in lengths.items():
        if count > FILE_CHARACTERS:
            cut = f"OpenClaw cuts the middle out beyond {FILE_CHARACTERS:,}"
            fix = f"Move detail from {path} into files under memory/."
            yield f"{path} has {count:,} characters; {cut}", fix
    if (total := sum(lengths.values())) > ALL_CHARACTERS:
        what = f"the injected files have {total:,} characters together"
        longest = max(lengths, key=lambda path: lengths[path])
        cut = f"OpenClaw cuts beyond {ALL_CHARACTERS:,}"
        yield f"{what}; {cut}", f"Begin with {longest}, the longest."


def injected_in(layout: "Layout", scope: "Scope") -> tuple[str, ...]:
    """The files that OpenClaw injects into a session, if this is an OpenClaw workspace."""
    return tuple(filter(scope.covers, INJECTED)) if layout.name == "openclaw" else ()


def _bytes(file: Path) -> int:
    try:
        return file.lstat().st_size
    except OSError:
        return 0


# Where a user is, and what to do next: what `clawgit` answers without a command


class Next(NamedTuple):
    """A command to type, and what for."""

    command: str
    why: str


class Here(NamedTuple):
    """The status of the workspace, null outside of one; and what else may be done."""

    status: Status | None
    next: tuple[Next, ...]


def here(workspace: Workspace, corrected: str) -> Here:
    told = (Next("clawgit corrections list", corrected),) if corrected else ()
    return Here(status(workspace), (*told, *_EVERYDAY))


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
    return Here(None, (*steps,) if steps else _NEW)


_EVERYDAY = (
    Next("clawgit search TEXT", "find what is remembered"),
    Next("clawgit log", "what changed, by whom, and why"),
    Next("clawgit undo", "undo the last change"),
)
_NEW = (
    Next("clawgit init agent", "create a workspace in a new folder here"),
    Next("clawgit init .", "adopt this folder; nothing is overwritten"),
)
