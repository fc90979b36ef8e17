"""The lesson extractor: what failed, was tried in another way and then worked becomes a lesson."""

from collections.abc import Sequence
from datetime import date

from clawgit.agents.contract import ChangeSet, Draft, FileEdit, Proposed, Skipped, Snapshot, Step
from clawgit.agents.lesson_draft import LessonDraft
from clawgit.agents.lesson_mind import teaches
from clawgit.domain.lessons.lesson import Lesson
from clawgit.domain.lessons.marked import LEARNINGS, marked
from clawgit.domain.lessons.rules import SURE, read_by_rules
from clawgit.domain.lessons.tried import ToolRecovery
from clawgit.domain.markdown import frames
from clawgit.domain.organizing.organize import LESSONS, is_note
from clawgit.domain.runner.run_marks import is_in, packed, unpacked
from clawgit.domain.workspace.tiers import dated
from clawgit.errors import NoAnswerError

__all__ = ["propose"]

TRANSCRIPTS = "transcripts"
JUDGED = "judged"
NOTED = "noted"
"""The marks: which transcripts were read, which recoveries in them, which lessons in notes."""

_STATED = 0.8
"""The confidence of a lesson that somebody wrote down."""

AT_ONCE = 40
"""How many recoveries one run judges; the next run goes on from there."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all lessons that are new in the transcripts and the notes."""
    judged = unpacked(snapshot.marks.get(JUDGED, ""))
    waiting = [each for each in snapshot.tried.recoveries if not is_in(each.name, judged)]
    batch = waiting[:AT_ONCE]
    draft = Draft(snapshot.files)
    lesson_draft = LessonDraft(snapshot, draft, frames.FROM_RETRIES)
    skipped: list[Skipped] = []
    proposed: list[Proposed] = []
    notes = [*snapshot.tried.notes]
    for recovery in batch:
        lesson = _lesson(snapshot, recovery, notes)
        if isinstance(lesson, Skipped):
            skipped.append(lesson)
        elif added := lesson_draft.taken(lesson, recovery.evidence, SURE, _day(snapshot, recovery)):
            proposed.append(added)
    # The notes are read after the retries are in the draft: the same lesson is then a mention.
    lesson_draft.put()
    from_notes, noted = _written(snapshot, draft)
    proposed += from_notes

    judged |= unpacked(packed(recovery.name for recovery in batch))
    marks = {NOTED: noted, JUDGED: "".join(sorted(judged))}
    if len(batch) == len(waiting):
        # Only now, since the transcripts must be read again while some recoveries wait.
        marks[TRANSCRIPTS] = snapshot.tried.mark
    steps = _steps(draft.cut(), proposed)
    return ChangeSet(steps, tuple(skipped), tuple(dict.fromkeys(notes)), marks)


def _written(snapshot: Snapshot, draft: Draft) -> tuple[list[Proposed], str]:
    """Lessons that somebody wrote into notes, in their own words, and the mark of all seen."""
    lesson_draft = LessonDraft(snapshot, draft, frames.FROM_NOTES)
    before = unpacked(snapshot.marks.get(NOTED, ""))
    seen: list[str] = []
    proposed: list[Proposed] = []
    for path in sorted(snapshot.files):
        if not (is_note(path) or path.rpartition("/")[2].casefold() == LEARNINGS):
            continue
        day = dated(path) or snapshot.today
        for note in marked(path, snapshot.files[path]):
            is_new = not is_in(note.name, before) and note.name not in seen
            seen.append(note.name)
            if not is_new:
                continue
            if added := lesson_draft.taken(Lesson(note.words), (note.evidence,), _STATED, day):
                proposed.append(added)
    lesson_draft.put()
    return proposed, packed(seen)


def _lesson(snapshot: Snapshot, recovery: ToolRecovery, notes: list[str]) -> Lesson | Skipped:
    """The lesson of a recovery, or why there is none."""
    if snapshot.mind is not None:
        try:
            if not teaches(snapshot.mind, recovery):
                return Skipped(recovery.evidence[-1], "a model says that it teaches nothing")
        except NoAnswerError as trouble:
            notes.append(f"Read by rules, because the model gave no answer: {trouble}")
    return read_by_rules(recovery) or Skipped(
        recovery.evidence[-1], "it holds orders for the agent"
    )


def _day(snapshot: Snapshot, recovery: ToolRecovery) -> date:
    when = recovery.worked.time or snapshot.now
    return when.astimezone(snapshot.now.tzinfo).date()


def _steps(edits: tuple[FileEdit, ...], proposed: Sequence[Proposed]) -> tuple[Step, ...]:
    if not edits:
        return ()
    evidence = dict.fromkeys(place for lesson in proposed for place in lesson.evidence)
    step = Step(
        verb="learn",
        summary=f"lessons from {_where(proposed)}: {_counted(proposed)}",
        reason=f"Each is in {LESSONS}, with what shows it.",
        evidence=tuple(evidence),
        edits=edits,
        proposed=tuple(proposed),
        confidence=SURE,
    )
    return (step,)


def _counted(proposed: Sequence[Proposed]) -> str:
    new = sum(lesson.kind == "added" for lesson in proposed)
    counts = ((new, "new"), (len(proposed) - new, "met again"))
    return ", ".join(f"{count} {what}" for count, what in counts if count)


def _where(proposed: Sequence[Proposed]) -> str:
    evidence = [place for lesson in proposed for place in lesson.evidence]
    if any(place.startswith("chat:") for place in evidence):
        return "what failed and then worked"
    return "notes"
