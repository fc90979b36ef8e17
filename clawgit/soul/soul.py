"""`soul show`, `log`, `diff`, `blame`, `snapshots`: the text of a soul, its versions, and since
when each line stands there.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import put_in_place
from clawgit.core.errors import UsageError
from clawgit.core.layout import SOUL, SOULS
from clawgit.core.tokens import estimate_tokens
from clawgit.git.rules.history import ToldChange
from clawgit.git.rules.word_diff import likeness
from clawgit.safety.masking import lines_for_caller
from clawgit.soul.identity_rules import policy_in_force
from clawgit.soul.rules.soul import NOTHING, SectionChange, principles, section_changes
from clawgit.soul.versions import (
    Origin,
    SoulHistory,
    absent,
    origins,
    protection,
    soul_histories,
    soul_history,
)
from clawgit.workspace.workspace import Workspace


class SoulSnapshot(NamedTuple):
    """The soul before the change `id` of that `day`, as the commit `sha` has it."""

    sha: str
    day: date
    id: str
    time: datetime


class Snapshots(NamedTuple):
    snapshots: tuple[SoulSnapshot, ...]


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
        for version in reversed(history.versions):
            if any(version.before):
                change = history.commit(version.oid)
                row = SoulSnapshot(change.parents[0], change.time.date(), change.name, change.time)
                found[row.id] = row
    return Snapshots(tuple(sorted(found.values(), key=lambda one: one.time)))


def prune(workspace: Workspace) -> Snapshots:
    """Those that count: one a day for `soul_history_retention_days`, then one a month."""
    days = workspace.settings.soul_history_retention_days
    every = snapshots(workspace).snapshots
    return Snapshots(tuple(retained(every, workspace.today - timedelta(days=days))))


def retained(snapshots: Iterable[SoulSnapshot], since: date) -> list[SoulSnapshot]:
    """The first snapshot of each day; before `since`, the first of each month."""
    first: dict[str, SoulSnapshot] = {}
    # They come oldest first, so the first of each day or month stays.
    for snapshot in snapshots:
        shape = "%Y-%m-%d" if snapshot.day >= since else "%Y-%m"
        first.setdefault(snapshot.day.strftime(shape), snapshot)
    return [*first.values()]


def export(workspace: Workspace, folder: Path) -> ExportedSnapshots:
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
    if new and not workspace.dry_run:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in new.items():
            put_in_place(folder / name, text)
    return ExportedSnapshots(folder, tuple(new), workspace.dry_run)


_DIGITS = 4


class ShownSoul(NamedTuple):
    """A soul on disk, or `at` a commit.

    `since` is the change that gave it this text, None if that is `uncommitted`. `max_tokens` is
    None if there is no limit, as for IDENTITY.md.
    """

    path: str
    at: ToldChange | None
    since: ToldChange | None
    uncommitted: bool
    policy: str
    tokens: int
    max_tokens: int | None
    text: str
    note: str = ""
    """How this differs from the state that was asked for, if it does; as in `SoulDiff`."""


class SoulVersion(NamedTuple):
    """One change."""

    change: ToldChange
    tokens: int
    sections: tuple[SectionChange, ...]
    deleted: bool


class Uncommitted(NamedTuple):
    """The edits on disk that are not committed."""

    tokens: int
    sections: tuple[SectionChange, ...]
    deleted: bool


class SoulLog(NamedTuple):
    """Versions, newest first. `more`: the limit left older ones out. `shallow`: the clone did."""

    path: str
    uncommitted: Uncommitted | None
    versions: tuple[SoulVersion, ...]
    more: bool
    shallow: bool


class SoulDiff(NamedTuple):
    """From commit `a` (None: before the first one) to commit `b` (None: the file on disk)."""

    path: str
    a: ToldChange | None
    b: ToldChange | None
    tokens_a: int
    tokens_b: int
    identical: bool
    sections: tuple[SectionChange, ...]
    note: str = ""


class SoulDrift(NamedTuple):
    """From the soul at `since` to today's: how far it moved, as a number and a sentence.

    The distance is 0 if its principles have the same words and 1 if none of these is left.
    """

    path: str
    since: ToldChange
    uncommitted: bool
    distance: float
    sentence: str
    note: str = ""
    """How `since` differs from the state that was asked for, if it does."""


class BlamedLine(NamedTuple):
    """A line and the change that gave it its present wording.

    The commit (`id`, `sha`, `time`) is None while that change is uncommitted. `origin` names the
    commit that first brought the line, in any wording. `evidence` lists all that was cited for it,
    newest first. `protected`: nobody but the operator drops or weakens it, because of `correction`,
    or because he wrote it.
    """

    line: int
    text: str
    id: str | None = None
    sha: str | None = None
    time: datetime | None = None
    actor: str = ""
    summary: str = ""
    reason: str = ""
    origin: str | None = None
    evidence: tuple[str, ...] = ()
    protected: bool = False
    correction: str | None = None


class SoulBlame(NamedTuple):
    """The lines of a soul on disk, or `at` a commit."""

    path: str
    at: ToldChange | None
    lines: tuple[BlamedLine, ...]
    note: str = ""
    """How this differs from the state that was asked for, if it does."""


def show(workspace: Workspace, path: str = SOUL, at: str | None = None) -> ShownSoul:
    """The text with its size. `at`: a change id, a revision, or a date (the start of that day)."""
    history = soul_history(workspace, path)
    oid, note = history.state(at) if at else (None, "")
    text = history.text_at(oid) if oid else history.on_disk
    if text is None:
        raise absent(history, at)
    uncommitted = oid is None and text != history.committed
    version = history.version_at(oid)
    return ShownSoul(
        path=path,
        at=history.point(oid),
        since=None if uncommitted or version is None else history.point(version.oid),
        uncommitted=uncommitted,
        policy=policy_in_force(workspace),
        tokens=estimate_tokens(text),
        max_tokens=workspace.settings.soul_max_tokens if path == SOUL else None,
        text=text,
        note=note,
    )


def log(workspace: Workspace, path: str = SOUL, limit: int | None = None) -> SoulLog:
    """Every change to the soul in the history of HEAD."""
    history = soul_history(workspace, path)
    if not history.versions and history.on_disk is None:
        raise absent(history)
    shown = history.versions[:limit]
    history.expect(version.oid for version in shown)
    then, now = history.committed, history.on_disk
    edited = None if then == now else Uncommitted(*_told(then or "", now or ""), now is None)
    return SoulLog(
        path=path,
        uncommitted=edited,
        versions=tuple(
            SoulVersion(
                history.commit(each.oid).told,
                *_told(history.text_before(each), history.text(each)),
                deleted=each.after is None,
            )
            for each in shown
        ),
        more=len(history.versions) > len(shown),
        shallow=workspace.place.is_shallow,
    )


def diff(
    workspace: Workspace, path: str = SOUL, a: str | None = None, b: str | None = None
) -> SoulDiff:
    """Compares two states, by section and by word. Without `b`, the second is the file on disk.

    Without both, HEAD is compared with the disk; if they are equal, the last change is shown.
    """
    history = soul_history(workspace, path)
    states = [*map(history.state, filter(None, (a, b)))]
    old, new, *_ = (*(state.oid for state in states), None) if a else _last_change(history)
    then = history.text_at(old) if old else None
    now = history.text_at(new) if new else history.on_disk
    if then is None and now is None:
        raise absent(history, b or a)
    before, after = then or "", now or ""
    return SoulDiff(
        path=path,
        a=history.point(old),
        b=history.point(new),
        tokens_a=estimate_tokens(before),
        tokens_b=estimate_tokens(after),
        identical=then == now,
        sections=section_changes(before, after),
        note="; ".join(dict.fromkeys(state.note for state in states if state.note)),
    )


def drift(workspace: Workspace, path: str = SOUL, since: str | None = None) -> SoulDrift:
    """How far today's soul is from the first version, or from the one at a revision or date."""
    history = soul_history(workspace, path)
    oid, note = history.state(since) if since else (history.index.first(path), "")
    then = history.text_at(oid) if oid else None
    now = history.committed if history.on_disk is None else history.on_disk
    begin = history.point(oid)
    if begin is None or then is None or now is None:
        raise absent(history, since)
    words = ("\n".join(sorted(principles(text))) for text in (then, now))
    return SoulDrift(
        path=path,
        since=begin,
        uncommitted=now != history.committed,
        distance=round(1 - likeness(*words), _DIGITS),
        sentence=_counted(section_changes(then, now)),
        note=note,
    )


def _counted(sections: Sequence[SectionChange]) -> str:
    """How many principles changed, and how: "1 reworded, 2 added"."""
    kinds = ("reworded", "dropped", "added", "moved")
    counts = {kind: sum(len(getattr(each, kind)) for each in sections) for kind in kinds}
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or NOTHING


def blame(workspace: Workspace, path: str = SOUL, at: str | None = None) -> SoulBlame:
    """The change behind each line of the soul on disk, or of the soul at a revision."""
    history = soul_history(workspace, path)
    oid, note = history.state(at) if at else (None, "")
    traced = _traced(history, oid, at)
    soul = "\n".join(origin.text for origin in traced)
    texts = lines_for_caller(workspace, soul).split("\n")
    lines = (_blamed(history, *each) for each in zip(traced, texts, strict=False))
    return SoulBlame(path, history.point(oid), tuple(lines), note)


def _traced(history: SoulHistory, oid: str | None, at: str | None) -> tuple[Origin, ...]:
    version = history.version_at(oid)
    if version is None and (oid or history.on_disk is None):
        raise absent(history, at)
    if oid or history.on_disk in (None, history.committed):
        return origins(history, version)
    return history.lines.on_disk()


def _blamed(history: SoulHistory, origin: Origin, text: str) -> BlamedLine:
    commits = [history.commit(oid) for oid in origin.commits if oid]
    shield = protection(history, origin)
    evidence = dict.fromkeys(item for commit in commits for item in commit.message.evidence)
    told: dict[str, Any] = {}
    if origin.commits[0]:
        newest = commits[0].told
        told = {name: getattr(newest, name) for name in _OF_COMMIT}
    return BlamedLine(
        line=origin.line,
        text=text,
        **told,
        origin=commits[-1].name if commits else None,
        evidence=tuple(evidence),
        protected=shield is not None,
        correction=(shield.correction or None) if shield else None,
    )


_OF_COMMIT = ("id", "sha", "time", "actor", "summary", "reason")


def _told(before: str, after: str) -> tuple[int, tuple[SectionChange, ...]]:
    return estimate_tokens(after), section_changes(before, after)


def _last_change(history: SoulHistory) -> tuple[str | None, str | None]:
    """HEAD and the disk; if they are equal, the commit of the last change, and the one before."""
    if history.on_disk != history.committed or not history.versions:
        return history.index.head, None
    last = history.version_at(None) or history.versions[0]
    before = next(history.versions.older(last), None)
    return before.oid if before else None, last.oid
