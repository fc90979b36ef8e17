"""Shows when each line of a soul got its present wording, by whom, why, and on what evidence."""

from dataclasses import dataclass, replace
from datetime import datetime

from clawgit.domain.change.authority import SOUL
from clawgit.errors import UsageError
from clawgit.ops.safety.masking import lines_for_caller
from clawgit.ops.soul.history import (
    Origin,
    Point,
    SoulHistory,
    absent,
    origins,
    protection,
    soul_history,
)
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.history.pathlog import Version


@dataclass(frozen=True, slots=True)
class BlamedLine:
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


@dataclass(frozen=True, slots=True)
class SoulBlame:
    """The lines of a soul on disk, or `at` a commit."""

    path: str
    at: Point | None
    lines: tuple[BlamedLine, ...]
    note: str = ""
    """How this differs from the state that was asked for, if it does."""


def blame(workspace: Workspace, path: str = SOUL, at: str | None = None) -> SoulBlame:
    """The change behind each line of the soul on disk, or of the soul at a revision."""
    with soul_history(workspace, path) as history:
        oid, note = history.state(at) if at else (None, "")
        if at and oid:
            traced = origins(history, _version_at(history, oid, at))
        elif history.current is None and history.on_disk is None:
            raise absent(history)
        elif history.on_disk in (None, history.committed):
            traced = origins(history, history.current)
        else:
            traced = history.lines.on_disk()
        soul = "\n".join(origin.text for origin in traced)
        texts = lines_for_caller(workspace, soul, soul).split("\n")
        lines = (_blamed(history, *each) for each in zip(traced, texts, strict=False))
        return SoulBlame(path, history.point(oid), tuple(lines), note)


def _version_at(history: SoulHistory, oid: str, rev: str) -> Version:
    version = history.version_at(oid)
    if version is None and history.text_at(oid) is not None:
        raise UsageError(
            f"{rev} is not in the history of what is checked out, so its lines cannot be followed.",
            hint=f"Name a commit that `git log` lists, or compare: clawgit soul diff {rev}",
        )
    if version is None:
        raise absent(history, rev)
    return version


def _blamed(history: SoulHistory, origin: Origin, text: str) -> BlamedLine:
    commits = [history.commit(oid) for oid in origin.commits if oid]
    shield = protection(history, origin)
    evidence = dict.fromkeys(item for commit in commits for item in commit.message.evidence)
    line = BlamedLine(
        line=origin.line,
        text=text,
        origin=commits[-1].name if commits else None,
        evidence=tuple(evidence),
        protected=shield is not None,
        correction=(shield.correction or None) if shield else None,
    )
    if not origin.commits[0]:
        return line
    newest = commits[0]
    return replace(
        line,
        id=newest.id,
        sha=newest.sha,
        time=newest.time,
        actor=newest.actor,
        summary=newest.message.headline,
        reason=newest.message.reason,
    )
