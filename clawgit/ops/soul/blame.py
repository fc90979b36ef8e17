"""Shows when each line of a soul got its present wording, by whom, why, and on what evidence."""

from collections.abc import Sequence
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
    point,
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
        if at:
            oid, note = history.state(at)
            lines = _committed(history, _version_at(history, oid, at))
            covered = _for_caller(workspace, lines)
            return SoulBlame(path=path, at=point(history, oid), lines=covered, note=note)
        if history.current is None and history.on_disk is None:
            raise absent(history, None)
        if history.on_disk in (None, history.committed):
            lines = _committed(history, history.current)
        else:
            lines = [_blamed(history, origin) for origin in history.lines.on_disk()]
        return SoulBlame(path=path, at=None, lines=_for_caller(workspace, lines))


def _for_caller(workspace: Workspace, lines: Sequence[BlamedLine]) -> tuple[BlamedLine, ...]:
    soul = "\n".join(line.text for line in lines)
    texts = lines_for_caller(workspace, soul, soul).split("\n")
    return tuple(replace(line, text=text) for line, text in zip(lines, texts, strict=True))


def _version_at(history: SoulHistory, oid: str, rev: str) -> Version:
    version = history.version_at(oid)
    if version is not None:
        return version
    # The commit may have a soul, but one from a branch that HEAD never merged.
    if history.text_at(oid) is not None:
        raise _elsewhere(rev)
    raise absent(history, rev)


def _committed(history: SoulHistory, version: Version | None) -> list[BlamedLine]:
    return [_blamed(history, origin) for origin in origins(history, version)]


def _blamed(history: SoulHistory, origin: Origin) -> BlamedLine:
    commits = [history.commit(oid) for oid in origin.commits if oid]
    correction = protection(history, origin)
    line = BlamedLine(
        line=origin.line,
        text=origin.text,
        origin=commits[-1].name if commits else None,
        evidence=tuple(
            dict.fromkeys(item for commit in commits for item in commit.message.evidence)
        ),
        protected=correction is not None,
        correction=(correction.correction or None) if correction else None,
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


def _elsewhere(rev: str) -> UsageError:
    return UsageError(
        f"{rev} is not in the history of what is checked out, so its lines cannot be followed.",
        hint=f"Name a commit that `git log` lists, or compare: clawgit soul diff {rev}",
    )
