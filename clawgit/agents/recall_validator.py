"""The Recall Validator writes the operator's corrections: it corrects, quotes or asks."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from clawgit.agents.contract import Call, ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.agents.recall_draft import (
    Case,
    CorrectionDraft,
    WrittenCase,
    named,
    whole_line,
)
from clawgit.agents.recall_judging import (
    Reader,
    Ruling,
    barred,
    is_external,
    model_reader,
    ruled,
    talk_before,
)
from clawgit.domain.change.actors import AGENT
from clawgit.domain.conversation.chat import unwrapped
from clawgit.domain.corrections.corrections import Correction, statement
from clawgit.domain.corrections.deciding import (
    ASKED,
    LEFT,
    PUT_RIGHT,
    QUOTED,
    Talk,
    fitting,
    targets,
)
from clawgit.domain.corrections.disputed import has_quote
from clawgit.domain.corrections.exchange import Exchange
from clawgit.domain.corrections.statuses import DISMISSED, KEPT, OPEN
from clawgit.domain.corrections.statuses import QUOTED as IS_QUOTED
from clawgit.domain.extraction.quoting import bears
from clawgit.domain.facts.confidence import EXPLICIT, is_correction
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.facts.likeness import ALIKE_FACTS, Overlaps
from clawgit.domain.facts.same_fact import same_fact
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.errors import NotFoundError, UsageError

__all__ = ["ToldCorrection", "correct", "ended", "is_external", "propose"]

_EXCERPT = 80
_LONGEST = 600
"""How many characters of a message a commit message quotes."""
_AT_ONCE = timedelta(minutes=10)
"""A message later than this answers no objection that named no entry."""
_ENDINGS = {
    KEPT: ("keep what was disputed", "the entry is kept as it is"),
    DISMISSED: ("dismiss what was no correction", "the operator says that it was no correction"),
}
"""How the operator may end a correction → what that does, and why."""


class ToldCorrection(NamedTuple):
    """A correction that somebody types.

    `was` names the entry, by id or words; `closes` an open or quoted correction. `sure`: the
    operator types it. If not, `speaker` does, and `words` are those of a message of the operator,
    which `source` cites. `lets_in` are the fingerprints of secrets that may be stored.
    """

    text: str
    was: str = ""
    closes: str = ""
    source: str = ""
    words: str = ""
    sure: bool = False
    speaker: str = AGENT.name
    lets_in: tuple[str, ...] = ()


class _Done(NamedTuple):
    written: WrittenCase
    source: str
    told: str
    session: str


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all calls. What is known already or corrects nothing is skipped, with why."""
    draft = Draft(snapshot.files)
    correction_draft = CorrectionDraft(snapshot, draft)
    notes: list[str] = []
    reader = model_reader(snapshot.mind, notes) if snapshot.mind else None
    # Quotes that an edit has ended are removed first, so that a call is compared with current text.
    ended = _ended(correction_draft)
    skipped: list[Skipped] = []
    done: list[_Done] = []
    for call in snapshot.calls:
        outcome = _taken(correction_draft, call, reader, snapshot)
        if isinstance(outcome, Skipped):
            skipped.append(outcome)
        else:
            done.append(outcome)
    steps: tuple[Step, ...] = ()
    if done or ended:
        steps = (_step(draft, done, ended, done[0].session if done else ""),)
    return ChangeSet(steps, tuple(skipped), tuple(notes))


def correct(snapshot: Snapshot, typed: ToldCorrection) -> ChangeSet:
    """One commit for a correction that was typed; the same again changes nothing.

    NotFoundError if it names an entry or a waiting correction that does not exist.
    """
    draft = Draft(snapshot.files)
    correction_draft = CorrectionDraft(snapshot, draft)
    places = correction_draft.places()
    answers = correction_draft.waiting(typed.closes) if typed.closes else None
    place = _named(correction_draft, places, typed, answers)
    right = " ".join(typed.text.split())
    if why := barred(right, frozenset(typed.lets_in)):
        raise UsageError(f"This cannot be recorded: {why}.", hint="Say it in other words.")
    ruling = _typed(right, typed, place, places, correction_draft.known)

    own = None if typed.sure else _heard_already(correction_draft, typed.source)
    asked = _open_twin(correction_draft, right)
    if why := _why_nothing(correction_draft, typed, ruling, own or asked):
        return ChangeSet(skipped=(Skipped(typed.text, why),))

    case = _case(snapshot, typed, ruling, answers or asked)._replace(own=own)
    written = correction_draft.write(case, ruling)
    reason = f"Corrected by hand: “{in_a_line(typed.words or typed.text, _LONGEST)}”"
    source = typed.source or written.proposed[-1].evidence[-1]
    return ChangeSet((_step(draft, [_Done(written, source, reason, "")], (), ""),))


def _case(
    snapshot: Snapshot, typed: ToldCorrection, ruling: Ruling, waiting: Correction | None
) -> Case:
    """What was typed. Over what waits, which may be the operator's sentence, only the operator and
    their words are written.
    """
    confidence = "medium" if ruling.kind == ASKED else "high"
    speaker = typed.speaker if ruling.why == _theirs(typed) else ""
    if not typed.sure and ruling.kind != PUT_RIGHT:
        waiting = None
    # The text is logged beside the entry that it made where they differ.
    words = typed.words or (ruling.change and " ".join(typed.text.split())) or ""
    return Case(
        typed.source, snapshot.now, frames.TYPED, confidence, words, waiting, speaker=speaker
    )


def ended(snapshot: Snapshot, ident: str, status: str) -> ChangeSet:
    """One commit that ends a quoted or open correction as kept or dismissed.

    NotFoundError if no such correction has that id.
    """
    draft = Draft(snapshot.files)
    correction_draft = CorrectionDraft(snapshot, draft)
    correction = correction_draft.waiting(ident)
    does, why = _ENDINGS[status]
    proposed = correction_draft.end(correction, status, why)
    step = Step(
        verb="correct",
        summary=f"{does}: {in_a_line(correction.words or correction.correct, _EXCERPT)}",
        reason=f"{why.capitalize()}.",
        evidence=(correction.evidence,),
        edits=draft.edits,
        proposed=proposed,
    )
    return ChangeSet((step,))


def _named(
    correction_draft: CorrectionDraft,
    places: Sequence[EntryPlace],
    typed: ToldCorrection,
    answers: Correction | None,
) -> EntryPlace | None:
    """The entry that a typed correction names, or that the correction which it closes is about."""
    if typed.was:
        place = named(places, typed.was)
        if place is None:
            raise NotFoundError(
                f"No entry of MEMORY.md or memory/ is {typed.was!r}.",
                hint=f"{_nearest(places, typed.was)}`clawgit memory list` shows each with its id; "
                "`clawgit memory edit` changes other files too.",
            )
        return place
    if answers:
        return correction_draft.place_of(answers)
    return _meant(" ".join(typed.text.split()), places)


def _nearest(places: Sequence[EntryPlace], was: str) -> str:
    """A hint that asks for the entry which shares most words with a text, if these are enough."""
    order = Overlaps(statement(place.entry) for place in places).over(was, ALIKE_FACTS)
    if not order:
        return ""
    entry = places[order[0]].entry
    return f"Did you mean {entry.key}, “{in_a_line(statement(entry), _LONGEST)}”? "


def _heard_already(correction_draft: CorrectionDraft, source: str) -> Correction | None:
    """The section of a message; each has one at most."""
    if not source.startswith("chat:"):
        return None
    return next((each for each in correction_draft.known if each.source == source), None)


def _open_twin(correction_draft: CorrectionDraft, right: str) -> Correction | None:
    """An open or quoted correction that says the same."""
    for correction in correction_draft.known:
        if correction.correct == right and correction.waits:
            return correction
    return None


def _why_nothing(
    correction_draft: CorrectionDraft,
    typed: ToldCorrection,
    ruling: Ruling,
    known: Correction | None,
) -> str:
    """Why a typed correction changes nothing, "" if it does. `known`: the log has it already."""
    # A caller who names an entry or closes a correction means it, even if the words are known.
    is_new = bool(typed.closes or typed.was)
    if not is_new and (twin := _said_already(correction_draft, ruling.right)):
        return f"{twin.evidence} already says so"
    if known and (ruling.kind in (ASKED, QUOTED) or not known.waits):
        return f"{known.evidence} has it already"
    return ""


def _said_already(correction_draft: CorrectionDraft, right: str) -> Correction | None:
    """The newest binding correction that says the same, if an entry does so too."""
    if not any(same_fact(statement(place.entry), right) for place in correction_draft.places()):
        return None
    for correction in reversed(correction_draft.known):
        if correction.correct == right and correction.binds:
            return correction
    return None


def evidence_of(call: Call) -> str:
    """The message of a call, as evidence cites it."""
    message = call.message
    return f"chat:{message.key or f'{message.session}/{message.id}'}"


def _typed(
    right: str,
    typed: ToldCorrection,
    place: EntryPlace | None,
    places: Sequence[EntryPlace],
    known: Sequence[Correction],
) -> Ruling:
    """The operator's own text counts; any other must be what a message of the operator says, and is
    only quoted under what he typed himself.
    """
    words = right if typed.sure else typed.words
    if place and not typed.sure and any(_typed_there(each, place) for each in known):
        return Ruling(QUOTED, _theirs(typed), right, place=place)
    if place and (change := _change(words, place, places)):
        text = change.applied(statement(place.entry))
        if typed.sure or text == right or bears(words, right):
            return Ruling(PUT_RIGHT, change.why, text, place=place, change=change)
    if typed.sure:
        return Ruling(PUT_RIGHT, "the operator typed it", right, place=place)
    return _brought(right, typed, place)


def _brought(right: str, typed: ToldCorrection, place: EntryPlace | None) -> Ruling:
    """The ruling on what a tool brings, where no text proves a change of the entry."""
    if not bears(typed.words, right):
        if place and is_correction(place.entry):
            return Ruling(QUOTED, _theirs(typed), right, place=place)
        return Ruling(ASKED, "does the operator say so?", right, place=place)
    if place is None:
        return Ruling(PUT_RIGHT, "the message says so in these words", right)
    return Ruling(QUOTED, "the message does not say that this entry is wrong", right, place=place)


def _typed_there(correction: Correction, place: EntryPlace) -> bool:
    """Whether the operator typed what an entry says."""
    is_typed = correction.trigger == frames.TYPED and not correction.source
    return is_typed and _corrects(correction, place.entry)


def _theirs(typed: ToldCorrection) -> str:
    return f"{typed.speaker} says so; the operator said what the entry says"


def _meant(right: str, places: Sequence[EntryPlace]) -> EntryPlace | None:
    """The only entry that a typed correction fits; None if there are more, or none."""
    fits = fitting(right, "", targets(right, Talk(), places), places)
    return fits[0][0] if len(fits) == 1 else None


def _change(words: str, place: EntryPlace, places: Sequence[EntryPlace]) -> Exchange | None:
    """The exchange that these words prove in an entry."""
    fits = fitting(words, "", targets(words, Talk(), [place]), places)
    return fits[0][1] if fits else None


def _taken(
    correction_draft: CorrectionDraft, call: Call, reader: Reader | None, snapshot: Snapshot
) -> _Done | Skipped:
    source = evidence_of(call)
    text = unwrapped(call.message.text)
    what = in_a_line(text, _EXCERPT)
    logged = correction_draft.known
    if _heard_already(correction_draft, source):
        return Skipped(what, "it is already in CORRECTIONS.md")
    waiting = _answered(call, logged)
    # An entry that came from this same message is not what it corrects.
    every = correction_draft.places()
    places = [place for place in every if not _rests_on(place, source)]
    ruling = _ruling(call, places, reader, waiting)
    said = call.message.time.astimezone(snapshot.now.tzinfo)
    if ruling.place is not None and (why := _overtaken(said, ruling.place.entry, logged)):
        ruling = Ruling(LEFT, why)
    if ruling.kind == LEFT:
        return Skipped(what, ruling.why)
    trigger = call.triggers[0].match if call.triggers else "judge"
    confidence = call.confidence or "medium"
    answers = _closed_by(ruling, waiting, call)
    case = Case(source, call.message.time, trigger, confidence, text, answers)
    try:
        return _Done(
            correction_draft.write(case, ruling),
            source,
            _exchange_text(text, ruling),
            call.message.session,
        )
    except UsageError as error:
        return Skipped(what, error.message)


def _closed_by(ruling: Ruling, waiting: Correction | None, call: Call) -> Correction | None:
    """The open question that a ruling answers."""
    if waiting is None or ruling.kind not in (PUT_RIGHT, QUOTED):
        return None
    return waiting if _is_answer(waiting, ruling, call) else None


def _overtaken(said: datetime, entry: Entry, known: Sequence[Correction]) -> str:
    """Why an entry is newer than a message of that time, "" if it is not known to be."""
    if any(_corrects(each, entry) for each in known if each.time is not None and each.time > said):
        return "the operator has corrected that entry since"
    last = _said_once(entry)
    return "the operator said that entry since" if last and last > said.date() else ""


def _corrects(correction: Correction, entry: Entry) -> bool:
    # An entry without an id got one when it was corrected; then its words identify it.
    is_meant = correction.target == entry.key or correction.correct == statement(entry)
    return correction.binds and is_meant


def _said_once(entry: Entry) -> date | None:
    """The day on which the operator said an entry. Of several mentions, the last one may be the
    agent's.
    """
    meta = entry.meta or Meta("")
    return meta.last if meta.src == EXPLICIT and meta.n == 1 else None


def _rests_on(place: EntryPlace, source: str) -> bool:
    meta = place.entry.meta
    return meta is not None and source in meta.evidence


def _ruling(
    call: Call, places: Sequence[EntryPlace], reader: Reader | None, waiting: Correction | None
) -> Ruling:
    """The ruling on a call, read beside the open question that it may answer."""
    talk = talk_before(call)
    ruling = ruled(call, talk, places, reader)
    if waiting is None or ruling.kind not in (LEFT, ASKED):
        return ruling
    before = f"{waiting.said}\n{waiting.words}\n{waiting.old}\n{talk.turn}"
    again = ruled(call, Talk(before, talk.question), places, reader)
    if again.kind not in (PUT_RIGHT, QUOTED):
        return ruling
    return again._replace(said=ruling.said)


def _ended(correction_draft: CorrectionDraft) -> tuple[Proposed, ...]:
    """Ends the quotes whose entry was edited or removed since, or lost its mark."""
    done: list[Proposed] = []
    for correction in correction_draft.known:
        if correction.status != IS_QUOTED or not correction.target:
            continue
        place = correction_draft.place_of(correction)
        if place is None:
            done += correction_draft.end(correction, DISMISSED, "the entry is gone")
        elif whole_line(statement(place.entry)) != correction.old:
            done += correction_draft.end(correction, KEPT, "the entry was edited since")
        elif place.status != DISPUTED and not has_quote(place.entry.raw, correction.correct):
            done += correction_draft.end(correction, KEPT, "the mark was taken away")
    return tuple(done)


def _step(draft: Draft, done: list[_Done], ended: Sequence[Proposed], session: str) -> Step:
    proposed = [*ended]
    evidence = [each.source for each in done]
    reasons = [each.told for each in done]
    for each in done:
        proposed += each.written.proposed
    for change in ended:
        evidence += change.evidence
    if ended:
        reasons.append("What disputed an entry is settled.")
    more = f" and {len(done) - 1} more" if len(done) > 1 else ""
    return Step(
        verb="correct",
        summary=f"{_summary(proposed)}{more}",
        reason="\n\n".join(reasons),
        evidence=tuple(dict.fromkeys(evidence)),
        edits=draft.edits,
        proposed=tuple(proposed),
        confidence=min((each.written.confidence for each in done), default=1.0),
        session=session,
    )


def _summary(proposed: Sequence[Proposed]) -> str:
    first: dict[str, Proposed] = {}
    for change in proposed:
        first.setdefault(change.kind, change)
    if "logged" in first:
        return f"correct: {in_a_line(first['logged'].summary, _EXCERPT)}"
    if "quoted" in first:
        return f"quote: {in_a_line(first['quoted'].summary, _EXCERPT)}"
    if "asked" in first:
        return "ask what is right"
    if "routed" in first:
        return "log what failed"
    return "end what was disputed"


def _exchange_text(text: str, ruling: Ruling) -> str:
    """The exchange in words, so that another machine can show the evidence."""
    agents_part = f"The agent said: “{in_a_line(ruling.said, _LONGEST)}” " if ruling.said else ""
    return f"{agents_part}The operator said: “{in_a_line(text, _LONGEST)}”"


def _answered(call: Call, known: tuple[Correction, ...]) -> Correction | None:
    """The newest open question of this conversation that the message may answer."""
    before = {f"chat:{message.key}" for message in call.exchange}
    for correction in reversed(known):
        if correction.status == OPEN and correction.source in before:
            return correction
    return None


def _is_answer(waiting: Correction, ruling: Ruling, call: Call) -> bool:
    """Whether a ruling answers an open question: it is about the same entry, or follows at once on
    an objection that named none.
    """
    if waiting.target:
        return ruling.place is not None and ruling.place.entry.key == waiting.target
    if waiting.time is None or call.message.time - waiting.time > _AT_ONCE:
        return False
    for message in reversed(call.exchange):
        if message.role == call.message.role:
            return f"chat:{message.key}" == waiting.source
    return False
