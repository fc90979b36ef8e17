"""Snapshots of the soul: the version before each change, read from its history, which keeps all of
them. As files of their own, they would be kept one a day for a while, then one a month.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import attrgetter
from pathlib import Path

from clawgit.domain.change.authority import SOULS
from clawgit.errors import UsageError
from clawgit.ops.change.described import Change
from clawgit.ops.soul.history import SoulHistory, soul_histories
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.plainfile import put_in_place

FOLDER = "SOUL_HISTORY"


@dataclass(frozen=True, slots=True)
class SoulSnapshot:
    """The soul before the change `id` of that `day`. `sha` is the commit that has it, and `ref`
    names it for `restore`.
    """

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
    """The commits whose versions a folder of snapshots would lose or keep. Nothing is deleted."""

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
    """Which versions count: one a day for `soul_history_retention_days`, then one a month."""
    every = _all(workspace)
    days = workspace.config.settings.soul_history_retention_days
    kept = retained(every, workspace.today - timedelta(days=days))
    gone = (snapshot.ref for snapshot in every if snapshot not in kept)
    return PrunedSnapshots(
        pruned=tuple(gone), kept=tuple(each.ref for each in kept), dry_run=dry_run
    )


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
    found: dict[str, SoulSnapshot] = {}
    histories = soul_histories(workspace, SOULS)
    for history in histories:
        found |= {each.id: each for each in _before_changes(history)}
    return sorted(found.values(), key=attrgetter("time"))


def _before_changes(history: SoulHistory) -> Iterator[SoulSnapshot]:
    history.expect(version.oid for version in history.versions)
    for version in reversed(history.versions):
        change = history.commit(version.oid)
        if any(version.before):
            before = history.commit(change.parents[0])
            day = change.time.date()
            yield SoulSnapshot(before.sha, day, change.name, before.sha, change.time)


def _files(workspace: Workspace) -> Iterator[tuple[str, bytes]]:
    """The file name and text of each version, without repetitions."""
    last: dict[str, bytes] = {}
    for snapshot in _all(workspace):
        for path in SOULS:
            data = workspace.git.read(snapshot.sha, path)
            if data is not None and last.get(path) != data:
                last[path] = data
                yield f"{path.removesuffix('.md')}_{snapshot.day}_{snapshot.id}.md", data
