"""Snapshots of the soul: the version before each change, read from its history, which keeps all of
them. As files of their own, they would be kept one a day for a while, then one a month.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.authority import SOULS
from clawgit.errors import UsageError
from clawgit.ops.soul.history import soul_histories
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.plainfile import put_in_place

FOLDER = "SOUL_HISTORY"


class SoulSnapshot(NamedTuple):
    """The soul before the change `id` of that `day`, as the commit `sha` has it."""

    sha: str
    day: date
    id: str
    time: datetime


class Snapshots(NamedTuple):
    snapshots: tuple[SoulSnapshot, ...]


class CountedSnapshots(NamedTuple):
    """The commits whose versions a folder of snapshots would lose or keep. Nothing is deleted."""

    pruned: tuple[str, ...]
    kept: tuple[str, ...]


class ExportedSnapshots(NamedTuple):
    """The files that were written. Existing ones are left alone."""

    folder: Path
    written: tuple[str, ...]
    dry_run: bool


def snapshots(workspace: Workspace) -> Snapshots:
    """All snapshots, oldest first."""
    found: dict[str, SoulSnapshot] = {}
    for history in soul_histories(workspace, SOULS):
        history.expect(version.oid for version in history.versions)
        for change in (history.commit(each.oid) for each in history.versions if any(each.before)):
            day = change.time.date()
            found[change.name] = SoulSnapshot(change.parents[0], day, change.name, change.time)
    return Snapshots(tuple(sorted(found.values(), key=lambda one: one.time)))


def prune(workspace: Workspace) -> CountedSnapshots:
    """Which versions count: one a day for `soul_history_retention_days`, then one a month."""
    every = snapshots(workspace).snapshots
    days = workspace.config.settings.soul_history_retention_days
    kept = [each.sha for each in retained(every, workspace.today - timedelta(days=days))]
    return CountedSnapshots(tuple(one.sha for one in every if one.sha not in kept), tuple(kept))


def retained(snapshots: Iterable[SoulSnapshot], since: date) -> list[SoulSnapshot]:
    """The first snapshot of each day; before `since`, the first of each month."""
    first: dict[str, SoulSnapshot] = {}
    # They come oldest first, so the first of each day or month stays.
    for snapshot in snapshots:
        shape = "%Y-%m-%d" if snapshot.day >= since else "%Y-%m"
        first.setdefault(snapshot.day.strftime(shape), snapshot)
    return [*first.values()]


def export(workspace: Workspace, folder: Path, *, dry_run: bool = False) -> ExportedSnapshots:
    """Writes each version once, as a file of its own, `SOUL_2026-02-14_<id>.md`."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"{folder} is a file.",
            hint="Name a folder: clawgit soul snapshots --export SOUL_HISTORY",
        )
    last: dict[str, bytes] = {}
    texts: dict[str, bytes] = {}
    for snapshot in snapshots(workspace).snapshots:
        for path in SOULS:
            data = workspace.git.read(snapshot.sha, path)
            if data is not None and last.get(path) != data:
                last[path] = data
                texts[f"{path.removesuffix('.md')}_{snapshot.day}_{snapshot.id}.md"] = data
    new = {name: text for name, text in texts.items() if not (folder / name).exists()}
    if new and not dry_run:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in new.items():
            put_in_place(folder / name, text)
    return ExportedSnapshots(folder, tuple(new), dry_run)
