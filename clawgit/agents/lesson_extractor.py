"""The lesson extractor: what failed, was tried otherwise and worked then becomes a lesson, each
once.
"""

from collections.abc import Sequence

from clawgit.agents.contract import ChangeSet, Draft, FileEdit, Proposed, Skipped, Snapshot, Step
from clawgit.agents.lesson_desk import LessonDesk
from clawgit.agents.lesson_mind import drawn_by
from clawgit.domain.facts.confidence import written
from clawgit.domain.lessons.lesson import Lesson
from clawgit.domain.lessons.rules import SURE, read_by_rules
from clawgit.domain.lessons.tried import Recovery
from clawgit.domain.markdown import frames
from clawgit.domain.organizing.organize import LESSONS, is_note
from clawgit.domain.runner.run_marks import is_in, packed, unpacked
from clawgit.domain.workspace.tiers import dated
from clawgit.errors import NoAnswerError

__all__ = ["propose"]

TRANSCRIPTS = "transcripts"
JUDGED = "judged"
NOTED = "noted"
"""The marks: which transcripts have been read, which recoveries in them, and which lessons of the
notes."""

_STATED = 0.8
_DAYS = ("first", "last")
AT_ONCE = 40
"""Recoveries that one run judges; the next goes on from there."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all lessons of what is new in the transcripts."""
    before = unpacked(snapshot.marks.get(JUDGED, ""))
    waiting = [one for one in snapshot.tried.recoveries if not is_in(one.name, before)]
    taken = waiting[:AT_ONCE]
    draft = Draft(snapshot.files)
    desk = LessonDesk(snapshot, draft, frames.FROM_RETRIES)
    skipped: list[Skipped] = []
    proposed: list[Proposed] = []
    notes = [*snapshot.tried.notes]
    for one in taken:
        lesson, sure = _lesson(snapshot, one, notes)
        if isinstance(lesson, Skipped):
            skipped.append(lesson)
        elif became := desk.taken(lesson, one.evidence, _facts(snapshot, one, sure)):
            proposed.append(became)
    written, noted = _written(snapshot, draft, desk)
    proposed += written
    marks = {
        NOTED: noted,
        JUDGED: "".join(sorted(before | unpacked(packed(one.name for one in taken)))),
    }
    if len(taken) == len(waiting):
        marks[TRANSCRIPTS] = snapshot.tried.mark
    return ChangeSet(
        _steps(draft.cut(), proposed), tuple(skipped), tuple(dict.fromkeys(notes)), marks
    )


def _written(snapshot: Snapshot, draft: Draft, desk: LessonDesk) -> tuple[list[Proposed], str]:
    """The lessons that somebody wrote down as such, in their own words, and the mark of all that
    were seen.
    """
    from clawgit.domain.lessons.marked import LEARNINGS, marked  # noqa: PLC0415 - the judges, where notes are read

    desk.put()
    notes = LessonDesk(snapshot, draft, frames.FROM_NOTES)
    before, seen = unpacked(snapshot.marks.get(NOTED, "")), []
    proposed: list[Proposed] = []
    for path in sorted(snapshot.files):
        if not is_note(path) and path.rpartition("/")[2].casefold() != LEARNINGS:
            continue
        for one in marked(path, snapshot.files[path]):
            seen.append(one.name)
            if is_in(one.name, before) or one.name in seen[:-1]:
                continue
            told = (
                f"conf={written(_STATED)}",
                "n=1",
                *(f"{key}={dated(path) or snapshot.today}" for key in _DAYS),
            )
            if became := notes.taken(Lesson(one.words), (one.evidence,), (*told, "src=inferred")):
                proposed.append(became)
    notes.put()
    return proposed, packed(seen)


def _lesson(snapshot: Snapshot, one: Recovery, notes: list[str]) -> tuple[Lesson | Skipped, float]:
    if snapshot.mind is not None:
        try:
            return drawn_by(snapshot.mind, one)
        except NoAnswerError as trouble:
            notes.append(f"Read by rules, for the model gave no answer: {trouble}")
    lesson = read_by_rules(one)
    return lesson or Skipped(one.evidence[-1], "it holds orders for the agent"), SURE


def _facts(snapshot: Snapshot, one: Recovery, sure: float) -> tuple[str, ...]:
    when = one.worked.time or snapshot.now
    day = when.astimezone(snapshot.now.tzinfo).date()
    return (f"conf={written(sure)}", "n=1", f"first={day}", f"last={day}", "src=inferred")


def _steps(edits: tuple[FileEdit, ...], proposed: Sequence[Proposed]) -> tuple[Step, ...]:
    if not edits:
        return ()
    new = sum(one.kind == "added" for one in proposed)
    again = len(proposed) - new
    told = ", ".join(
        filter(None, (f"{new} new" if new else "", f"{again} met again" if again else ""))
    )
    evidence = tuple(dict.fromkeys(place for one in proposed for place in one.evidence))
    return (
        Step(
            verb="learn",
            summary=f"lessons from {_where(proposed)}: {told}",
            reason=f"Each stands in {LESSONS} with what shows it.",
            evidence=evidence,
            edits=edits,
            proposed=tuple(proposed),
            confidence=SURE,
        ),
    )


def _where(proposed: Sequence[Proposed]) -> str:
    of_calls = any(place.startswith("chat:") for one in proposed for place in one.evidence)
    return "what failed and then worked" if of_calls else "notes"
