"""The lesson extractor: what failed, was tried in another way and then worked becomes a lesson, and
so does what people mark as one: `**Lesson:** …`, `[lesson] …`, “Lessons learned”, LEARNINGS.md.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import date
from operator import attrgetter

from clawgit.agents.choosing import Line, chosen_by
from clawgit.agents.contract import (
    ChangeSet,
    Draft,
    Mind,
    Proposed,
    Skipped,
    Snapshot,
    Step,
    by_kind,
    is_in,
    packed,
    unpacked,
)
from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import Entry, append_entry, with_meta
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.tag_table import CORRECTION_TAG, tags_in, untagged
from clawgit.core.tiers import opening
from clawgit.git.rules.ids import digest
from clawgit.language.judges.judging import worth
from clawgit.memory.rules.confidence import INFERRED, first_said, mentioned
from clawgit.memory.rules.lessons import (
    SURE,
    TRANSCRIPTS,
    Lesson,
    ToolRecovery,
    lessons_in,
    read_by_rules,
    rendered,
)
from clawgit.memory.rules.marks import LESSON, danger, kinds_of, label, marks
from clawgit.memory.rules.organizing import LESSONS, Source, is_organized, sources
from clawgit.memory.rules.overlaps import ALIKE_LESSONS, Overlaps
from clawgit.memory.rules.promotion import unfit
from clawgit.safety.rules.masks import head, struck

JUDGED = "judged"
"""The mark of the recoveries and marked lines that were judged."""

LEARNINGS = "learnings.md"
"""The name of files in which every line is meant as a lesson."""

_WORTH = 0.5
_STATED = 0.8
"""The confidence of a lesson that somebody wrote down."""

AT_ONCE = 40
"""How many recoveries one run judges, since a model is shown each; the next goes on."""

_LONGEST_CALL = 1_500

INSTRUCTIONS = """\
In each numbered line an agent called a tool, failed, and later called it differently and succeeded.
Choose those that teach something which will help again in another session: a flag, an order of
steps, a place, a limit of a tool; with the call that worked, letter by letter. Leave out where a
test passed because code was changed, where a typo was corrected, or where luck or time helped."""


_ALIKE = """\
Choose the known lesson, with its words letter by letter, of which the new one says no more: who
knows it learns nothing from the new one. If the new one would ever lead them to act differently, or
in doubt, choose none."""


class ToldLesson(NamedTuple):
    """A lesson to write, with where it stands in the file, and by what it is known as judged."""

    heading: str
    lesson: Lesson
    evidence: tuple[str, ...]
    sure: float
    day: date
    name: str


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all lessons that are new in the transcripts and the notes."""
    judged, tried = unpacked(snapshot.marks.get(JUDGED, "")), snapshot.tried()
    waiting = [each for each in tried.recoveries if not is_in(each.name, judged)]
    fresh = waiting[:AT_ONCE]
    lessons, skipped = list[ToldLesson](), list[Skipped]()
    teaches = _chosen(snapshot.mind, fresh)
    for at, recovery in enumerate(fresh):
        lesson = read_by_rules(recovery) if at in teaches else None
        if lesson:
            lessons.append(_learned(snapshot, recovery, lesson))
        else:
            why = "it holds orders" if at in teaches else "a model says that it teaches nothing"
            skipped.append(Skipped(recovery.evidence[-1], why))
    # The notes come after the retries: the same lesson is then a mention.
    stated = [*_stated(snapshot)]
    lessons += (each for each in stated if not is_in(each.name, judged))
    names = map(attrgetter("name"), (*fresh, *stated))
    made = {JUDGED: packed([*judged, *names])}
    if fresh == waiting:
        # Only now, since the transcripts must be read again while some recoveries wait.
        made[TRANSCRIPTS] = tried.mark
    return ChangeSet(_steps(snapshot, lessons), tuple(skipped), tried.notes, made)


def _chosen(mind: Mind | None, fresh: Sequence[ToolRecovery]) -> Container[int]:
    """Which recoveries teach something: all, unless a model chooses."""
    if mind is None:
        return range(len(fresh))
    chosen = chosen_by(mind, INSTRUCTIONS, "recoveries", [*map(_told, fresh)])
    # Nothing is written with its words, so a choice counts though they are not letter by letter.
    return chosen.quotes.keys() | chosen.doubted


def _told(recovery: ToolRecovery) -> Line:
    calls = [
        f"failed: {each.tool} {head(each.done, _LONGEST_CALL)} → {each.error}"
        for each in recovery.tried
    ]
    worked = recovery.worked
    calls.append(f"worked: {worked.tool} {head(worked.done, _LONGEST_CALL)}")
    return Line(one_line(head(worked.asked, _LONGEST_CALL)), struck(one_line(" ".join(calls))))


def _learned(snapshot: Snapshot, recovery: ToolRecovery, lesson: Lesson) -> ToldLesson:
    day = (recovery.worked.time or snapshot.now).astimezone(snapshot.now.tzinfo).date()
    return ToldLesson(frames.FROM_RETRIES, lesson, recovery.evidence, SURE, day, recovery.name)


def _stated(snapshot: Snapshot) -> Iterator[ToldLesson]:
    """The lessons that somebody wrote into notes, in their words, after the label."""
    for path in sorted(snapshot.files):
        in_file = path.rpartition("/")[2].casefold() == LEARNINGS
        if not in_file and not is_organized(path):
            continue
        for source in sources(path, snapshot.files[path], snapshot.today):
            words = _words(source, in_file=in_file)
            # A lesson is shown in later sessions, so orders and secrets in it would be shown too.
            if words and not danger(source.text):
                told, name = Lesson(words), digest(path, words)
                cited = (source.evidence,)
                yield ToldLesson(frames.FROM_NOTES, told, cited, _STATED, source.said, name)


def _words(source: Source, *, in_file: bool) -> str:
    """The lesson that a line states; "" if it states none."""
    text = untagged(source.text)
    mark = label(text) if LESSON in marks(text) else None
    lead = text[mark.end :].strip(" *_") if mark else text
    if unfit(lead) or CORRECTION_TAG in tags_in(source.text):
        return ""
    return lead if mark or _teaches(lead, source, in_file=in_file) else ""


def _teaches(text: str, source: Source, *, in_file: bool) -> bool:
    """Whether a line under a heading of lessons is one: there may be anything, logs and steps."""
    heading = source.under[-1] if source.under else ""
    is_under = in_file or LESSON in kinds_of(heading)
    return is_under and worth(text, heading, place="note") >= _WORTH


def _steps(snapshot: Snapshot, told: Iterable[ToldLesson]) -> tuple[Step, ...]:
    draft = Draft(snapshot.files)
    proposed = [*filter(None, (_taken(snapshot, draft, each) for each in told))]
    reason = f"Each is in {LESSONS}, with what shows it."
    return draft.step("learn", f"lessons: {by_kind(proposed)}", reason, proposed, confidence=SURE)


def _taken(snapshot: Snapshot, draft: Draft, told: ToldLesson) -> Proposed | None:
    """Adds an entry, or one more mention. Nothing if the file has this evidence already."""
    text, lesson, evidence = draft.read(LESSONS), told.lesson, told.evidence
    kept = [*lessons_in(text)]
    if any({*evidence} <= {*entry.facts.evidence} for entry, _ in kept):
        return None
    known = _same(snapshot.mind, lesson, kept)
    ident = known[0].facts.id if known else ""
    ident = ident or snapshot.fresh_id(lesson.text, text)
    if known:
        entry, lesson = known
        old = entry.facts._replace(id=ident)
        meta = mentioned(old, INFERRED, snapshot.settings, told.day).citing(*evidence)
        text = with_meta(text, entry, meta)
    else:
        meta = Meta(ident, first_said(told.sure, told.day, INFERRED)).citing(*evidence)
        text = text or opening(LESSONS, snapshot.layers, frames.LESSONS)
        text = append_entry(text, told.heading, rendered(lesson, meta))
    draft.put(LESSONS, text)
    kind = "mentioned" if known else "added"
    return Proposed(LESSONS, kind, lesson.scenario, evidence, meta.conf)


def _same(
    mind: Mind | None, lesson: Lesson, kept: Sequence[tuple[Entry, Lesson]]
) -> tuple[Entry, Lesson] | None:
    """The lesson that says the same: alike in words, and a model, if there is one, agrees."""
    near = Overlaps(known.text for _, known in kept).over(lesson.text, ALIKE_LESSONS)
    alike = [kept[at] for at in near]
    if mind:
        lines = [Line("known", one_line(known.text)) for _, known in alike]
        chosen = chosen_by(mind, _ALIKE, "lessons", lines, {"new": lesson.text}).quotes
        alike = [alike[at] for at in sorted(chosen)]
    return alike[0] if alike else None
