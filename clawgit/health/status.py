"""The workspace at a glance: where it stands, what a snapshot would take, what needs a person.

One call of C git and a few small files; libgit2 is not loaded, which alone takes 60 ms. `doctor`
names everything that is no matter of today.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.core import NamedTuple
from clawgit.core.disk.database import is_there
from clawgit.core.disk.plainfile import part_at
from clawgit.core.doors import shlex
from clawgit.core.errors import Alert, ClawgitError, Finding, MassDeletionError, counted
from clawgit.core.layout import is_markdown
from clawgit.core.limits import ALL_CHARACTERS, FILE_CHARACTERS, INJECTED, LARGEST_FILE
from clawgit.git.cgit import CGit
from clawgit.git.dirt import LINKED, Dirt, SkippedChange, refuse_mass_deletion, scan, unfinished
from clawgit.git.lock import lock_holder
from clawgit.git.looked import (
    DROPPED,
    LOOKED,
    QUIET,
    TOLD_COMMITS,
    WAITING,
    WITHHELD,
    noted,
    noted_names,
    parked_here,
)
from clawgit.git.place import refs_below
from clawgit.safety.in_force import summary
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.run.schedule import JobState, ModelState
    from clawgit.search.index.live import IndexState


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


def status(workspace: Workspace) -> Status:
    """What needs attention; `overview` has the rest. Reads only."""
    place, git = workspace.place, workspace.cgit
    dirt = scan(git, workspace.scope)
    held = _held_back(workspace, dirt)
    # A file that a snapshot would skip is an alert, not a change that waits for a snapshot.
    seen = dirt.without(tuple(change for change, _ in held))
    return Status(
        workspace=place.root,
        head=seen.head,
        branch=seen.branch,
        busy=unfinished(place.git_dir),
        lock=lock_holder(place.private / "lock"),
        parked=tuple(parked_here(place)),
        dirty=seen.paths,
        # A file that was only removed from git's index still exists.
        deleted=tuple(path for path in seen.deleted if not os.path.lexists(place.root / path)),
        skipped=seen.skipped,
        conflicted=seen.conflicted,
        alerts=(
            *(_alert(found) for _, found in held),
            *(_alert(found) for look in _LOOKS for found in look(workspace, seen)),
        ),
        layout=workspace.layout.name,
        scope=workspace.settings.patterns or workspace.layout.scope,
        sync=sync_standing(git, seen.branch) if refs_below(place, _REMOTES) else None,
    )


def _held_back(workspace: Workspace, seen: Dirt) -> list[tuple[SkippedChange, Finding]]:
    """New files that a snapshot skips because of a secret in them."""
    if not seen.new:
        return []
    # Loaded here: few looks find a new file.
    from clawgit.safety.secrets_found import as_skipped, held_back  # noqa: PLC0415 - a judge

    held = held_back(workspace, seen.new)
    what = "{0.place} looks like a secret ({0.rule}): {0.place.path} stays uncommitted"
    step = "remove it, or if it is not a secret: clawgit secrets allow {0.fingerprint}"
    found = (Finding(what.format(file), step.format(file)) for file in held)
    return list(zip(as_skipped(held), found, strict=True))


def _mass_deletion(workspace: Workspace, seen: Dirt) -> Iterator[Finding]:
    try:
        refuse_mass_deletion(workspace.cgit, seen, workspace.scope)
    except MassDeletionError as error:
        yield Finding(error.message, error.hint)


def _linked(_: Workspace, seen: Dirt) -> Iterator[Finding]:
    what, step = "{} is a symlink now: nobody reads what it said", "git checkout HEAD -- {}"
    linked = (path for path, why in seen.skipped if why == LINKED)
    return (Finding(what.format(path), step.format(shlex.quote(path))) for path in linked)


def of_settings(workspace: Workspace, _: object = None) -> Iterator[Finding]:
    """Mistakes in CONFIG.md, in whose place the defaults count, and what the operator has not
    accepted yet.
    """
    for problem in workspace.config.problems:
        remedy = problem.hint or "Correct it there, or take the line out."
        yield Finding(problem.message, remedy, problem.where)
    if pending := workspace.config.pending:
        yield Finding(summary(pending), "clawgit trust", refused=False)


def _withheld(workspace: Workspace, _: Dirt) -> Iterator[Finding]:
    """Planted texts that stood in the files at the last look at all of them."""
    names = noted_names(workspace.place, WITHHELD)
    seen = workspace.own_texts().digests if names else ()
    if count := sum(not any(digest.startswith(name) for digest in seen) for name in names):
        what = f"{counted(count, 'planted-looking text')} withheld from agents"
        yield Finding(what, "clawgit trust shows each and asks about it")


def _undecided(workspace: Workspace, _: Dirt) -> Iterator[Finding]:
    """What waits for the operator's word: changes, corrections without a right value, conflicts."""
    if count := len(refs_below(workspace.place, WAITING)):
        what = f"{counted(count, 'change waits', 'changes wait')} for the operator"
        yield Finding(what, "clawgit soul proposals")
    corrected = _text(workspace, "CORRECTIONS.md", "open", "quoted")
    conflicting = _text(workspace, "CONFLICTS.md", "flagged")
    if corrected or conflicting:
        from clawgit.safety.alerts import undecided  # noqa: PLC0415 - 15 ms, where one may wait

        yield from undecided(corrected, conflicting)


def _of_state(workspace: Workspace, _: Dirt) -> Iterator[Finding | Alert]:
    """Jobs that failed, a chat server that cannot be reached, and calls that were set aside."""
    if not is_there(workspace.place.shared / "state.db"):
        return
    from clawgit.safety.state_alerts import of_state  # noqa: PLC0415 - 7 ms

    try:
        has_failed, alerts = of_state(workspace)
        yield from alerts
        if has_failed:
            # Loaded here: the jobs need what agents are made of.
            from clawgit.run.schedule import failures, work_state  # noqa: PLC0415 - 6 modules, 4 ms

            yield from failures(work_state(workspace)[0])
    except ClawgitError as error:  # an error of state.db must not hide the rest
        yield Finding(error.message, error.hint)


def _of_commits(workspace: Workspace, seen: Dirt) -> Iterable[Alert]:
    """Alerts about commits. Nothing is loaded if all commits were looked at, none has an alert, and
    no reference of ours names one.
    """
    place = workspace.place
    is_known = all(noted(place, note) == seen.head for note in (LOOKED, QUIET))
    is_named = any(refs_below(place, prefix) for prefix in TOLD_COMMITS)
    if is_known and not is_named and not noted_names(place, DROPPED):
        return ()
    from clawgit.safety.committed_texts import of_commits  # noqa: PLC0415 - 25 ms

    return of_commits(workspace, seen.head)


_LOOKS: tuple[Callable[[Workspace, Dirt], Iterable[Finding | Alert]], ...] = (
    _mass_deletion,
    _linked,
    lambda workspace, seen: oversize(workspace, seen.paths),
    of_settings,
    _withheld,
    _undecided,
    _of_state,
    _of_commits,
)
"""What is wrong now, which disappears when its cause is repaired; then what is past."""


def _alert(found: Finding | Alert) -> Alert:
    return found if isinstance(found, Alert) else Alert(None, None, found.text, found.remedy)


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


def oversize(workspace: Workspace, paths: Iterable[str]) -> Iterator[Finding]:
    """Files that OpenClaw would cut or refuse, of these and those that it injects into a session,
    if this is a workspace of its own.
    """
    root, is_openclaws = workspace.root, workspace.layout.name == "openclaw"
    injected = [*filter(workspace.scope.covers, INJECTED)] if is_openclaws else []
    for path in sorted({*injected, *filter(is_markdown, paths)}):
        if (size := _bytes(root / path)) > LARGEST_FILE:
            mib = f"{size / 1048576:.1f} MiB"
            what = f"{path} has {mib}; OpenClaw refuses it, and clawgit reads its first 2 MiB"
            yield Finding(what, "Split it by topic.")
    lengths = {path: len(part_at(root / path).decode("utf-8", "replace")) for path in injected}
    for path, count in lengths.items():
        if count > FILE_CHARACTERS:
            cut = f"OpenClaw cuts the middle out beyond {FILE_CHARACTERS:,}"
            fix = f"Move detail from {path} into files under memory/."
            yield Finding(f"{path} has {count:,} characters; {cut}", fix)
    if (total := sum(lengths.values())) > ALL_CHARACTERS:
        what = f"the injected files have {total:,} characters together"
        longest = max(lengths, key=lambda path: lengths[path])
        cut = f"OpenClaw cuts beyond {ALL_CHARACTERS:,}"
        yield Finding(f"{what}; {cut}", f"Begin with {longest}, the longest.")


def _bytes(file: Path) -> int:
    try:
        return file.lstat().st_size
    except OSError:
        return 0
