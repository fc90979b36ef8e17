"""Snapshots of the soul in `refs/clawgit/soul/`: versions that stay even if the branch loses
them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from clawgit.domain.change.authority import SOULS
from clawgit.domain.change.history import PRUNE, Intent
from clawgit.domain.upkeep.log import PATH, Removal, logged
from clawgit.errors import UsageError, counted
from clawgit.ops.change.described import Change, described, fields_of
from clawgit.ops.soul.rules import SNAPSHOTS
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.plainfile import put_in_place

FOLDER = "SOUL_HISTORY"
_SHORT = 12
_NAME = re.compile(rf"{SNAPSHOTS}(?P<day>\d{{4}}-\d\d-\d\d)-(?P<id>[\w-]+)")


@dataclass(frozen=True, slots=True)
class SoulSnapshot:
    """The soul before the change `id` of that `day`. `sha` is the commit that has it."""

    ref: str
    day: date
    id: str
    sha: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Snapshots:
    snapshots: tuple[SoulSnapshot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunedSnapshots(Change):
    """The refs that were deleted; history itself stays. COMPACTION_LOG.md lists them."""

    pruned: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExportedSnapshots:
    """The files that were written. Existing ones are left alone."""

    folder: Path
    written: tuple[str, ...]
    dry_run: bool = False


def snapshots(workspace: Workspace) -> Snapshots:
    """All snapshots, oldest first."""
    return Snapshots(tuple(_all(workspace)))


def prune(workspace: Workspace, *, dry_run: bool = False) -> PrunedSnapshots:
    """Keeps one snapshot a day for `soul_history_retention_days`, then one a month."""
    snapshots = _all(workspace)
    days = workspace.config.settings.soul_history_retention_days
    kept = retained(snapshots, workspace.today - timedelta(days=days))
    gone = [snapshot for snapshot in snapshots if snapshot not in kept]
    refs, stay = tuple(each.ref for each in gone), tuple(each.ref for each in kept)
    if dry_run or not gone:
        return PrunedSnapshots(pruned=refs, kept=stay, dry_run=dry_run)
    # Logged first: otherwise a deleted snapshot could not be found again.
    done = _logged(workspace, gone, days)
    workspace.git.delete_refs(refs)
    return PrunedSnapshots(**fields_of(done), pruned=refs, kept=stay)


def _logged(workspace: Workspace, gone: Sequence[SoulSnapshot], days: int) -> Change:
    """A line in COMPACTION_LOG.md for each snapshot that goes, with the commit that has it."""
    why = f"one a day is kept for {days} days, then one a month"
    removals = [
        Removal(each.ref, f"the soul of {each.day}, commit {each.sha[:_SHORT]}", why)
        for each in gone
    ]
    dropped = counted(len(gone), "snapshot")
    intent = Intent(
        workspace.caller.actor, PRUNE, f"drop {dropped} of the soul", reason=f"Of these, {why}."
    )
    with workspace.git.transaction(intent, workspace.now, parkable=True) as tx:
        log = tx.read_text(PATH) or ""
        tx.put(PATH, logged(log, gone[-1].id, workspace.now, removals, gone[-1].sha))
    return described(tx, dry_run=False)


def retained(snapshots: Iterable[SoulSnapshot], since: date) -> list[SoulSnapshot]:
    """The first snapshot of each day; before `since`, the first of each month."""
    first: dict[str, SoulSnapshot] = {}
    # They come oldest first, so the first of each day or month stays.
    for snapshot in snapshots:
        shape = "%Y-%m-%d" if snapshot.day >= since else "%Y-%m"
        first.setdefault(snapshot.day.strftime(shape), snapshot)
    return list(first.values())


def export(workspace: Workspace, folder: Path, *, dry_run: bool = False) -> ExportedSnapshots:
    """Writes each version as a file of its own, `SOUL_2026-02-14_<id>.md`."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"{folder} is a file.",
            hint="Name a folder: clawgit soul snapshots --export SOUL_HISTORY",
        )
    texts = {name: text for name, text in _files(workspace) if not (folder / name).exists()}
    if not dry_run and texts:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            put_in_place(folder / name, text)
    return ExportedSnapshots(folder, tuple(texts), dry_run=dry_run)


def _all(workspace: Workspace) -> list[SoulSnapshot]:
    found = (
        # A reference of another form is not ours: it is neither listed nor pruned.
        (match, sha, workspace.git.commit(sha).time)
        for ref, sha in workspace.git.refs_below(SNAPSHOTS).items()
        if (match := _NAME.fullmatch(ref))
    )
    read = [
        SoulSnapshot(match[0], date.fromisoformat(match["day"]), match["id"], sha, time)
        for match, sha, time in found
    ]
    return sorted(read, key=lambda snapshot: (snapshot.day, snapshot.time, snapshot.ref))


def _files(workspace: Workspace) -> Iterator[tuple[str, bytes]]:
    """The file name and text of each version, without repetitions."""
    last: dict[str, bytes] = {}
    for snapshot in _all(workspace):
        for path in SOULS:
            data = workspace.git.read(snapshot.sha, path)
            if data is not None and last.get(path) != data:
                last[path] = data
                yield f"{path.removesuffix('.md')}_{snapshot.day}_{snapshot.id}.md", data
