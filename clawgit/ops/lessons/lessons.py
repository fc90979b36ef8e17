"""Lessons: what transcripts show of failures that were overcome, and what memory/lessons.md holds
of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from clawgit.agents.lesson_extractor import TRANSCRIPTS
from clawgit.domain.facts.confidence import confidence
from clawgit.domain.facts.overlap import Overlaps
from clawgit.domain.lessons.lesson import Kept, lessons_in
from clawgit.domain.lessons.scan import recoveries
from clawgit.domain.lessons.tried import Recovery, Tried
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.organizing.organize import LESSONS
from clawgit.domain.runner.run_marks import digest, is_in, packed, unpacked
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw
from clawgit.stores.git.worktree import glance
from clawgit.stores.transcripts.reader import open_transcripts
from clawgit.stores.transcripts.source import Position, Reading, Transcript, UnreadableError


@dataclass(frozen=True, slots=True)
class ShownLesson:
    """`scenario` is all there is of a lesson that has no wrong and right; `mentions` counts how
    often it was met.
    """

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
class Lessons:
    """The lessons of memory/lessons.md, those that were replaced left out."""

    path: str
    lessons: tuple[ShownLesson, ...]


def tried(workspace: Workspace, marks: Mapping[str, str]) -> Tried:
    """What the transcripts of the agent that lives here show, of those that are new or have grown
    since the marks. A transcript that cannot be read is a note, and is looked at again.
    """
    caller = workspace.caller
    found = openclaw.find(caller.home, caller.env)
    own = found.agent_of(workspace.root) if found else None
    if own is None:
        return Tried(
            notes=("No agent of OpenClaw lives here, so there are no transcripts to learn from.",)
        )
    return _read(own.state, unpacked(marks.get(TRANSCRIPTS, "")))


def lessons(workspace: Workspace, query: str = "", limit: int = 0) -> Lessons:
    """All lessons, the newest last; with a query those that share words with it, best first."""
    text = glance(workspace.root, LESSONS)
    kept = [one for one in lessons_in(text) if one.meta.status == ACTIVE and one.lesson.scenario]
    if query.strip():
        order = Overlaps(one.lesson.text for one in kept).over(query, 0)
        kept = [kept[at] for at in order]
    shown = kept[:limit] if limit and query.strip() else kept[-limit:]
    return Lessons(LESSONS, tuple(_shown(workspace, one) for one in shown))


def _read(state: Path, before: frozenset[str]) -> Tried:
    found: list[Recovery] = []
    seen: list[str] = []
    with open_transcripts(state) as transcripts:
        notes = [*transcripts.notes]
        for transcript in transcripts.all:
            try:
                name = digest(transcript.source, transcript.state())
                if not is_in(name, before):
                    found += _recoveries(transcript)
            except (UnreadableError, OSError) as error:
                notes.append(f"{transcript.source} cannot be read: {error}")
            else:
                seen.append(name)
    return Tried(tuple(found), packed(seen), tuple(notes))


def _recoveries(transcript: Transcript) -> Iterator[Recovery]:
    """A transcript that has grown is read whole: what failed before its last end may have worked
    after it.
    """
    reading = Reading(transcript, Position())
    return iter(
        recoveries((one.entry for one in reading.entries() if one.entry), transcript.session.id)
    )


def _shown(workspace: Workspace, one: Kept) -> ShownLesson:
    today = workspace.today
    sure = confidence(one.entry.meta, workspace.config.settings, today)
    lesson, meta = one.lesson, one.meta
    return ShownLesson(one.entry.key, one.entry.line, *lesson, sure, meta.n, meta.evidence)
