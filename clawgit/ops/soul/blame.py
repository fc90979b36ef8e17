"""Since when each line of a soul reads as it does, by whom, why, and on what evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from clawgit.domain.change.authority import SOUL
from clawgit.domain.change.lines import Spot, earlier
from clawgit.errors import UsageError
from clawgit.ops.soul.history import (
    Origin,
    Point,
    SoulHistory,
    absent,
    origins,
    point,
    protection,
    soul_history,
)
from clawgit.ops.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """A line and the change that made it read so; its commit is None while that is uncommitted.
    `origin` names the commit that first brought the line, however worded; `evidence` is all that it
    has rested on since, newest first. `protected`: the correction behind it keeps agents from
    dropping or weakening it.
    """

    line: int
    text: str
    id: str | None
    sha: str | None
    time: datetime | None
    actor: str
    summary: str
    reason: str
    origin: str | None
    evidence: tuple[str, ...]
    protected: bool
    correction: str | None
    begins_here: bool


@dataclass(frozen=True, slots=True)
class SoulBlame:
    """The lines of a soul as it lies on disk, or as it was `at` a commit."""

    path: str
    at: Point | None
    lines: tuple[BlamedLine, ...]


def blame(workspace: Workspace, path: str = SOUL, at: str | None = None) -> SoulBlame:
    """Since when each line reads as it does, by whom, why and on what evidence."""
    with soul_history(workspace, path) as history:
        oid = history.resolve(at) if at else None
        version = history.version_at(oid) if oid else history.current
        if oid and version is None:
            raise _elsewhere(at or oid) if history.text_at(oid) is not None else absent(history, at)
        if version is None and history.on_disk is None:
            raise absent(history, at)
        found = [_blamed(history, origin) for origin in origins(history, version)]
        changed = (
            oid is None and history.on_disk is not None and history.on_disk != history.committed
        )
        lines = _on_disk(history, found) if changed else found
        return SoulBlame(path=path, at=point(history, oid) if oid else None, lines=tuple(lines))


def _blamed(history: SoulHistory, origin: Origin) -> BlamedLine:
    commits = [history.commit(oid) for oid in origin.commits]
    newest, oldest = commits[0], commits[-1]
    correction = protection(history, origin)
    return BlamedLine(
        line=origin.line,
        text=origin.text,
        id=newest.id,
        sha=newest.sha,
        time=newest.time,
        actor=newest.actor,
        summary=newest.message.told,
        reason=newest.message.reason,
        origin=oldest.name,
        evidence=tuple(
            dict.fromkeys(item for commit in commits for item in commit.message.evidence)
        ),
        protected=correction is not None,
        correction=correction.correction if correction else None,
        begins_here=history.begins_here(oldest.sha),
    )


def _on_disk(history: SoulHistory, committed: Sequence[BlamedLine]) -> Iterator[BlamedLine]:
    """The lines on disk: those that HEAD has keep what is known of them, a reworded one keeps where
    it came from.
    """
    text = history.on_disk or ""
    for at, line in enumerate(text.removesuffix("\n").split("\n") if text else []):
        then = earlier(Spot(text, at, line), history.committed or "")
        known = committed[then.at] if then and then.at < len(committed) else _UNCOMMITTED
        if known.text != line:
            known = replace(_UNCOMMITTED, text=line, origin=known.origin, evidence=known.evidence,
                            protected=known.protected, correction=known.correction)  # fmt: skip
        yield replace(known, line=at + 1)


_UNCOMMITTED = BlamedLine(
    line=0, text="", id=None, sha=None, time=None, actor="", summary="", reason="", origin=None,
        evidence=(),
    protected=False, correction=None, begins_here=False,
)  # fmt: skip


def _elsewhere(rev: str) -> UsageError:
    return UsageError(
        f"{rev} is not in the history of what is checked out, so its lines cannot be followed.",
        hint=f"Name a commit that `git log` lists, or compare: clawgit soul diff {rev}",
    )
