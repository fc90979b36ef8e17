"""The Recall Validator writes the operator's corrections: it corrects, quotes or asks."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from clawgit.agents.contract import Call, ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.agents.recall_draft import Case, CorrectionDraft, named, whole_line
from clawgit.agents.recall_judging import (
    Reader,
    barred,
    decided,
    is_external,
    model_reader,
    words_of,
)
from clawgit.domain.change.actors import AGENT
from clawgit.domain.conversation.chat import USER
from clawgit.domain.corrections.corrections import DISMISSED, KEPT, OPEN, Correction, statement
from clawgit.domain.corrections.corrections import QUOTED as IS_QUOTED
from clawgit.domain.corrections.deciding import (
    ASKED,
    BINDING,
    LEFT,
    NOTED,
    PUT_RIGHT,
    QUOTED,
    ROUTED,
    Decision,
    Talk,
    fitting,
    targets,
)
from clawgit.domain.corrections.disputed import has_quote
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
from clawgit.domain.workspace.tiers import CORE, tier
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
_SUMMARIES = {
    PUT_RIGHT: "correct: {}",
    NOTED: "correct: {}",
    QUOTED: "quote: {}",
    ASKED: "ask what is right",
    ROUTED: "log what failed",
}
_ENDED = "end what was disputed"


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
    """What was done for a message, and the exchange in words, so that another machine can show the
    evidence.
    """

    proposed: Sequence[Proposed]
    evidence: tuple[str, ...]
    told: str
    session: str = ""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all calls. What is known already or corrects nothing is skipped, with why."""
    draft = Draft(snapshot.files)
    correction_draft = CorrectionDraft(snapshot, draft)
    notes: list[str] = []
    reader = model_reader(snapshot.mind, notes) if snapshot.mind else None
    # Quotes that an edit has ended are removed first, so that a call is compared with current text.
    over = _ended(correction_draft)
    taken = [_taken(correction_draft, call, reader, snapshot) for call in snapshot.calls]
    skipped = tuple(each for each in taken if isinstance(each, Skipped))
    done = [*over, *(each for each in taken if not isinstance(each, Skipped))]
    return ChangeSet((_step(draft, done),) if done else (), skipped, tuple(notes))


def correct(snapshot: Snapshot, typed: ToldCorrection) -> ChangeSet:
    """One commit for a correction that was typed; the same again changes nothing.

    NotFoundError if it names an entry or a waiting correction that does not exist.
    """
    draft = Draft(snapshot.files)
    correction_draft = CorrectionDraft(snapshot, draft)
    places, known = correction_draft.places(), correction_draft.known
    answers = correction_draft.waiting(typed.closes) if typed.closes else None
    right = " ".join(typed.text.split())
    if why := barred(right, frozenset(typed.lets_in)):
        raise UsageError(f"This cannot be recorded: {why}.", hint="Say it in other words.")
    place = _named(correction_draft, places, typed, answers)
    found = _beside_a_note(_typed(right, typed, place, places, known), right)

    own = None if typed.sure else _heard_already(known, typed.source)
    asked = next((each for each in known if each.correct == right and each.waits), None)
    if why := _known_already(typed, found, own or asked, _said_already(known, places, right)):
        return ChangeSet(skipped=(Skipped(typed.text, why),))

    case = _case(snapshot, typed, found, answers or asked)._replace(own=own)
    proposed = correction_draft.write(case, found)
    reason = f"Corrected by hand: “{in_a_line(typed.words or typed.text, _LONGEST)}”"
    source = typed.source or proposed[-1].evidence[-1]
    return ChangeSet((_step(draft, [_Done(proposed, (source,), reason)]),))


def _case(
    snapshot: Snapshot, typed: ToldCorrection, found: Decision, waiting: Correction | None
) -> Case:
    """What was typed. Over what waits, which may be the operator's sentence, only the operator and
    their words are written.
    """
    confidence = "medium" if found.kind == ASKED else "high"
    speaker = typed.speaker if found.why == _theirs(typed) else ""
    if not typed.sure and found.kind != PUT_RIGHT:
        waiting = None
    # The text is logged beside the entry that it made where they differ.
    words = typed.words or (" ".join(typed.text.split()) if found.change else "")
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
        proposed=tuple(proposed),
    )
    return ChangeSet((step,))


def _named(
    correction_draft: CorrectionDraft,
    places: Sequence[EntryPlace],
    typed: ToldCorrection,
    answers: Correction | None,
) -> EntryPlace | None:
    """The entry that a typed correction names, that the correction which it closes is about, or
    that alone it fits.
    """
    if typed.was:
        if place := named(places, typed.was):
            return place
        raise NotFoundError(
            f"No entry of MEMORY.md or memory/ is {typed.was!r}.",
            hint=f"{_nearest(places, typed.was)}`clawgit memory list` shows each with its id; "
            "`clawgit memory edit` changes other files too.",
        )
    if answers:
        return correction_draft.place_of(answers)
    fits = fitting(typed.text, "", targets(typed.text, Talk(), places), places)
    return fits[0][0] if len(fits) == 1 else None


def _nearest(places: Sequence[EntryPlace], was: str) -> str:
    """A hint that asks for the entry which shares most words with a text, if these are enough."""
    order = Overlaps(statement(place.entry) for place in places).over(was, ALIKE_FACTS)
    if not order:
        return ""
    entry = places[order[0]].entry
    return f"Did you mean {entry.key}, “{in_a_line(statement(entry), _LONGEST)}”? "


def _heard_already(known: Sequence[Correction], source: str) -> Correction | None:
    """The section of a message; each has one at most."""
    if not source.startswith("chat:"):
        return None
    return next((each for each in known if each.source == source), None)


def _known_already(
    typed: ToldCorrection, found: Decision, own: Correction | None, twin: Correction | None
) -> str:
    """Why a typed correction changes nothing, "" if it does. `own`: the log has it already; `twin`
    says the same.
    """
    # A caller who names an entry or closes a correction means it, even if the words are known.
    if twin and not (typed.closes or typed.was):
        return f"{twin.evidence} already says so"
    if own and (found.kind in (ASKED, QUOTED) or not own.waits):
        return f"{own.evidence} has it already"
    return ""


def _said_already(
    known: Sequence[Correction], places: Sequence[EntryPlace], right: str
) -> Correction | None:
    """The newest binding correction that says the same, if an entry does so too."""
    if not any(same_fact(statement(place.entry), right) for place in places):
        return None
    same = (each for each in reversed(known) if each.correct == right and each.binds)
    return next(same, None)


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
) -> Decision:
    """The operator's own text counts; any other must be what a message of the operator says, and is
    only quoted under what he typed himself.
    """
    is_said = typed.sure or bears(typed.words, right)
    if place is None:
        kind = PUT_RIGHT if is_said else ASKED
        return Decision(kind, "it was typed in these words", None, right)
    if not typed.sure and any(_typed_there(each, place) for each in known):
        return Decision(QUOTED, _theirs(typed), place, right)
    words = right if typed.sure else typed.words
    for _, change in fitting(words, "", targets(words, Talk(), [place]), places):
        text = change.applied(statement(place.entry))
        if is_said or text == right:
            return Decision(PUT_RIGHT, change.why, place, text, change)
    return _unproven(right, typed, place, is_said=is_said)


def _unproven(right: str, typed: ToldCorrection, place: EntryPlace, *, is_said: bool) -> Decision:
    """What becomes of a text where no exchange of words is proven."""
    if typed.sure:
        return Decision(PUT_RIGHT, "the operator typed it", place, right)
    if is_said:
        why = "the message does not say that this entry is wrong"
        return Decision(QUOTED, why, place, right)
    if is_correction(place.entry):
        return Decision(QUOTED, _theirs(typed), place, right)
    return Decision(ASKED, "does the operator say so?", place, right)


def _beside_a_note(found: Decision, right: str) -> Decision:
    """What was decided; a dated note stays a record of its day, and what is right stands alone."""
    if found.kind not in BINDING or found.place is None or tier(found.place.path) == CORE:
        return found
    return found._replace(kind=NOTED, words=right, change=None)


def _typed_there(correction: Correction, place: EntryPlace) -> bool:
    """Whether the operator typed what an entry says."""
    is_typed = correction.trigger == frames.TYPED and not correction.source
    return is_typed and _corrects(correction, place.entry)


def _theirs(typed: ToldCorrection) -> str:
    return f"{typed.speaker} says so; the operator said what the entry says"


def _taken(
    correction_draft: CorrectionDraft, call: Call, reader: Reader | None, snapshot: Snapshot
) -> _Done | Skipped:
    source, text = evidence_of(call), words_of(call)
    what, known = in_a_line(text, _EXCERPT), correction_draft.known
    if _heard_already(known, source):
        return Skipped(what, "it is already in CORRECTIONS.md")
    waiting = _answered(call, known)
    asked = f"{waiting.said}\n{waiting.words}\n{waiting.old}" if waiting else ""
    # An entry that came from this same message is not what it corrects.
    places = [each for each in correction_draft.places() if source not in _evidence_of(each)]
    found = decided(call, places, reader, asked)
    why = found.why if found.kind == LEFT else _overtaken(call, snapshot, found, known)
    if why:
        return Skipped(what, why)
    trigger = call.triggers[0].match if call.triggers else "judge"
    case = Case(source, call.message.time, trigger, call.confidence or "medium", text)
    if waiting and _is_answer(waiting, found, call):
        case = case._replace(answers=waiting)
    try:
        proposed = correction_draft.write(case, found)
    except UsageError as error:
        return Skipped(what, error.message)
    return _Done(proposed, (source,), _exchange_text(text, found.said), call.message.session)


def _exchange_text(text: str, said: str) -> str:
    agents_part = f"The agent said: “{in_a_line(said, _LONGEST)}” " if said else ""
    return f"{agents_part}The operator said: “{in_a_line(text, _LONGEST)}”"


def _overtaken(call: Call, snapshot: Snapshot, found: Decision, known: Sequence[Correction]) -> str:
    """Why an entry is newer than a message about it, "" if it is not known to be."""
    if found.place is None:
        return ""
    said, entry = call.message.time.astimezone(snapshot.now.tzinfo), found.place.entry
    if any(_corrects(each, entry) for each in known if each.time is not None and each.time > said):
        return "the operator has corrected that entry since"
    last = _said_once(entry)
    return "the operator said that entry since" if last and last > said.date() else ""


def _evidence_of(place: EntryPlace) -> tuple[str, ...]:
    return place.entry.meta.evidence if place.entry.meta else ()


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


def _ended(correction_draft: CorrectionDraft) -> list[_Done]:
    """Ends the quotes whose entry was edited or removed since, or lost its mark."""
    done: list[_Done] = []
    for correction in correction_draft.known:
        if correction.status == IS_QUOTED and correction.target:
            place = correction_draft.place_of(correction)
            if why := _why_over(correction, place):
                proposed = correction_draft.end(correction, KEPT if place else DISMISSED, why)
                done.append(_Done(proposed, (correction.evidence,), f"{correction.id}: {why}."))
    return done


def _why_over(correction: Correction, place: EntryPlace | None) -> str:
    """Why a quote disputes its entry no longer, "" if it does."""
    if place is None:
        return "the entry is gone"
    if whole_line(statement(place.entry)) != correction.old:
        return "the entry was edited since"
    is_marked = place.status == DISPUTED or has_quote(place.entry.raw, correction.correct)
    return "" if is_marked else "the mark was taken away"


def _step(draft: Draft, done: Sequence[_Done]) -> Step:
    proposed = [each for one in done for each in one.proposed]
    more = f" and {len(done) - 1} more" if len(done) > 1 else ""
    sure = (each.confidence for each in proposed if each.confidence)
    cited = (place for one in done for place in one.evidence)
    return Step(
        verb="correct",
        summary=f"{_summary(proposed)}{more}",
        reason="\n\n".join(one.told for one in done),
        evidence=tuple(dict.fromkeys(cited)),
        edits=draft.edits,
        proposed=tuple(proposed),
        confidence=min(sure, default=1.0),
        session=done[-1].session,
    )


def _summary(proposed: Sequence[Proposed]) -> str:
    """The first of what weighs most."""
    for kind, summary in _SUMMARIES.items():
        for each in proposed:
            if each.kind == kind:
                return summary.format(in_a_line(each.summary, _EXCERPT))
    return _ENDED


def _answered(call: Call, known: Sequence[Correction]) -> Correction | None:
    """The open question that the operator's last message raised, which this one may answer."""
    last = next((each for each in reversed(call.exchange) if each.role == USER), None)
    source = f"chat:{last.key}" if last else ""
    waiting = (each for each in reversed(known) if each.status == OPEN and each.source == source)
    return next(waiting, None)


def _is_answer(waiting: Correction, found: Decision, call: Call) -> bool:
    """Whether a decision answers an open question: it is about the same entry, or follows at once
    on an objection that named none.
    """
    if found.kind not in (PUT_RIGHT, QUOTED) or found.place is None or waiting.time is None:
        return False
    if waiting.target:
        return waiting.target == found.place.entry.key
    return call.message.time - waiting.time <= _AT_ONCE
