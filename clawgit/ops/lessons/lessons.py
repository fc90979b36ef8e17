"""Lessons: finds successful retries in transcripts, and lists memory/lessons.md."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from clawgit.agents.lesson_extractor import TRANSCRIPTS
from clawgit.domain.facts.confidence import confidence
from clawgit.domain.facts.overlap import Overlaps
from clawgit.domain.lessons.lesson import KeptLesson, lessons_in
from clawgit.domain.lessons.scan import recoveries
from clawgit.domain.lessons.tried import ToolRecovery, TriedTools
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.organizing.organize import LESSONS
from clawgit.domain.runner.run_marks import digest, is_in, packed, unpacked
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw
from clawgit.stores.git.worktree import glance
from clawgit.stores.transcripts import (
    Position,
    Transcript,
    TranscriptReading,
    UnreadableTranscriptError,
    open_transcripts,
)


@dataclass(frozen=True, slots=True)
class ShownLesson:
    """One lesson. It may have only a `scenario`; `mentions` counts how often it came up."""

    id: str
    line: int
    scenario: str
    wrong: str
    right: str
    reason: str
    confidence: float
    mentions: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LessonList:
    """The lessons of memory/lessons.md without those that were replaced."""

    path: str
    lessons: tuple[ShownLesson, ...]


def tried(workspace: Workspace, marks: Mapping[str, str]) -> TriedTools:
    """The recoveries in transcripts of the agent that lives here, new or grown since the marks.

    A transcript that cannot be read is a note, and is tried again by the next run.
    """
    caller = workspace.caller
    found = openclaw.find(caller.home, caller.env)
    own = found.agent_of(workspace.root) if found else None
    if own is None:
        return TriedTools(
            notes=("No agent of OpenClaw lives here, so there are no transcripts to learn from.",)
        )
    return _read(own.state, unpacked(marks.get(TRANSCRIPTS, "")))


def lessons(workspace: Workspace, query: str = "", limit: int = 0) -> LessonList:
    """All lessons, the newest last; with a query those that share words with it, best first."""
    kept = [lesson for lesson in lessons_in(glance(workspace.root, LESSONS)) if _is_shown(lesson)]
    if query.strip():
        order = Overlaps(lesson.lesson.text for lesson in kept).over(query, 0)
        kept = [kept[at] for at in order]
        if limit:
            kept = kept[:limit]
    else:
        # The newest are the last ones; a limit of 0 keeps all.
        kept = kept[-limit:]
    return LessonList(LESSONS, tuple(_shown(workspace, lesson) for lesson in kept))


def _is_shown(lesson: KeptLesson) -> bool:
    return lesson.meta.status == ACTIVE and bool(lesson.lesson.scenario)


def _read(state: Path, before: frozenset[str]) -> TriedTools:
    recovered: list[ToolRecovery] = []
    seen: list[str] = []
    with open_transcripts(state) as transcripts:
        notes = [*transcripts.notes]
        for transcript in transcripts.all:
            try:
                name = digest(transcript.source, transcript.state)
                if not is_in(name, before):
                    recovered += _recoveries(transcript)
            except (UnreadableTranscriptError, OSError) as error:
                notes.append(f"{transcript.source} cannot be read: {error}")
            else:
                seen.append(name)
    return TriedTools(tuple(recovered), packed(seen), tuple(notes))


def _recoveries(transcript: Transcript) -> Iterator[ToolRecovery]:
    """A transcript that has grown is read whole, since a call may have failed in the earlier
    part.
    """
    reading = TranscriptReading(transcript, Position())
    return iter(
        recoveries((one.entry for one in reading.entries() if one.entry), transcript.session.id)
    )


def _shown(workspace: Workspace, kept: KeptLesson) -> ShownLesson:
    sure = confidence(kept.entry.meta, workspace.config.settings, workspace.today)
    lesson, meta = kept.lesson, kept.meta
    return ShownLesson(kept.entry.key, kept.entry.line, *lesson, sure, meta.n, meta.evidence)
