"""What becomes of a correction that somebody types, and how one ends without a new text."""

from collections.abc import Sequence

from clawgit.agents.contract import ChangeSet, Skipped, Snapshot
from clawgit.agents.correcting import (
    LONGEST,
    Case,
    CorrectionDraft,
    barred,
    corrects,
    heard_already,
    named,
)
from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.core.markdown import frames
from clawgit.core.markdown.entry import Entry
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.tiers import CORE, tier
from clawgit.git.rules.actors import AGENT
from clawgit.memory.rules.confidence import is_correction
from clawgit.memory.rules.likeness import same_fact
from clawgit.memory.rules.overlaps import overlap, says_enough
from clawgit.talk.rules.corrections import DISMISSED, KEPT, Correction, statement
from clawgit.talk.rules.deciding import (
    ASKED,
    BINDING,
    NOTED,
    PUT_RIGHT,
    QUOTED,
    Decision,
    fitting,
    targets,
)
from clawgit.talk.rules.exchange import certain, says
from clawgit.talk.rules.wording import is_value, words

_ENDINGS = {
    KEPT: "the entry is kept as it is",
    DISMISSED: "the operator says that it was no correction",
}
"""How the operator may end a correction → why."""
_HALF = 0.5

# It names nobody: with the name of a speaker, the judge of planted text could take it for an order.
_THEIRS = "the entry says what the operator said"
"""Why an agent's words are only quoted. The quote under the entry names the speaker."""


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


def correct(snapshot: Snapshot, typed: ToldCorrection) -> ChangeSet:
    """One commit for a correction that was typed; the same again changes nothing.

    NotFoundError if it names an entry or a waiting correction that does not exist.
    """
    correction_draft = CorrectionDraft(snapshot)
    places, known = correction_draft.places(), correction_draft.known
    answers = correction_draft.waiting(typed.closes) if typed.closes else None
    right = one_line(typed.text)
    if why := barred(right, frozenset(typed.lets_in)):
        raise UsageError(f"This cannot be recorded: {why}.", hint="Say it in other words.")
    place = _meant(correction_draft, places, typed, answers)
    found = _beside_a_note(_typed(right, typed, place, known), right)

    own = None if typed.sure else heard_already(known, typed.source)
    asked = next((each for each in known if each.correct == right and each.waits), None)
    if why := _known_already(typed, found, own or asked, _said_already(known, places, right)):
        return ChangeSet(skipped=(Skipped(typed.text, why),))

    case = _case(snapshot, typed, found, answers or asked)._replace(own=own)
    reason = f"Corrected by hand: “{in_a_line(typed.words or typed.text, LONGEST)}”"
    overtaken = _overtaken(right, found, places) if typed.sure else ()
    return ChangeSet(correction_draft.write(case, found, reason, overtaken))


def _overtaken(right: str, found: Decision, places: Sequence[Entry]) -> list[Decision]:
    """What was put right before, and says these very words with one span exchanged: else what the
    operator said before would stand beside what he says now.
    """
    others = [place for place in places if is_correction(place) and place != found.place]
    fits = fitting(right, "", targets(right, "", others))
    return [each for each in fits if each.words == right]


def _case(
    snapshot: Snapshot, typed: ToldCorrection, found: Decision, waiting: Correction | None
) -> Case:
    """What was typed. Over what waits, which may be the operator's sentence, only the operator and
    their words are written.
    """
    confidence = "medium" if found.kind == ASKED else "high"
    speaker = typed.speaker if found.why == _THEIRS else ""
    if not typed.sure and found.kind != PUT_RIGHT:
        waiting = None
    # The text is logged beside the entry that it made where they differ.
    words = typed.words or (one_line(typed.text) if found.change else "")
    # Nor is a message that an agent cites against what the operator said.
    words = "" if speaker else words
    heard = Correction("", snapshot.now, frames.TYPED, confidence, words=words, source=typed.source)
    return Case(heard, answers=waiting, speaker=speaker)


def ended(snapshot: Snapshot, ident: str, status: str) -> ChangeSet:
    """One commit that ends a quoted or open correction as kept or dismissed.

    NotFoundError if no such correction has that id.
    """
    draft = CorrectionDraft(snapshot)
    return ChangeSet(draft.end(draft.waiting(ident), status, _ENDINGS[status]))


def _meant(
    correction_draft: CorrectionDraft,
    places: Sequence[Entry],
    typed: ToldCorrection,
    answers: Correction | None,
) -> Entry | None:
    """The entry that a typed correction names, that the correction which it closes is about, or
    that alone it fits; of several that it fits, the one that was put right before: else both would
    be right.
    """
    if typed.was:
        if place := named((*places, *correction_draft.in_use()), typed.was):
            # What only repeats another is put right where that is said.
            return named(places, place.key) or named(places, statement(place)) or place
        raise NotFoundError(
            f"No entry of MEMORY.md or memory/ is {typed.was!r}.",
            hint="`clawgit memory list` shows each with its id; "
            "`clawgit memory edit` changes other files too.",
        )
    text = one_line(typed.text)
    place = correction_draft.place_of(answers) if answers else None
    if answers and place and not _is_of_another(answers, place, text):
        return place
    found = fitting(text, "", targets(text, "", places))
    fits = [*filter(None, (each.place for each in found))]
    if len(fits) > 1:
        fits = [*filter(is_correction, fits)]
    return fits[0] if len(fits) == 1 else None


def _is_of_another(asked: Correction, place: Entry, text: str) -> bool:
    """Whether what settles a correction is about something else than its entry, which was only
    guessed: neither that nor what the agent had said repeats half of it. What was offered is about
    it, and so is a value alone.
    """
    if text == asked.correct or not says_enough(text) or all(map(is_value, words(text))):
        return False
    return max(overlap(statement(place), each) for each in (text, asked.said)) < _HALF


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
    known: Sequence[Correction], places: Sequence[Entry], right: str
) -> Correction | None:
    """The newest binding correction that says the same, if an entry does so too."""
    if not any(same_fact(statement(place), right) for place in places):
        return None
    return next((each for each in reversed(known) if each.correct == right and each.binds), None)


def _typed(
    right: str,
    typed: ToldCorrection,
    place: Entry | None,
    known: Sequence[Correction],
) -> Decision:
    """The operator's own text counts; any other must be what a message of the operator says, and is
    only quoted under what he typed himself.
    """
    message = right if typed.sure else certain(typed.words)
    is_said = typed.sure or says(message, right)
    if place is None:
        kind = PUT_RIGHT if is_said else ASKED
        return Decision(kind, "it was typed in these words", None, right)
    if not typed.sure and any(_typed_there(each, place) for each in known):
        return Decision(QUOTED, _THEIRS, place, right)
    for each in fitting(message, "", targets(message, "", [place])):
        if is_said or each.words == right:
            return each
    return _unproven(right, typed, place, is_said=is_said)


def _unproven(right: str, typed: ToldCorrection, place: Entry, *, is_said: bool) -> Decision:
    """What becomes of a text where no exchange of words is proven."""
    if typed.sure:
        return Decision(PUT_RIGHT, "the operator typed it", place, right)
    if is_said:
        why = "the message does not say that this entry is wrong"
        return Decision(QUOTED, why, place, right)
    if is_correction(place):
        return Decision(QUOTED, _THEIRS, place, right)
    return Decision(ASKED, "does the operator say so?", place, right)


def _beside_a_note(found: Decision, right: str) -> Decision:
    """What was decided; a dated note stays a record of its day, and what is right stands alone."""
    if found.kind not in BINDING or found.place is None or tier(found.place.path) == CORE:
        return found
    return found._replace(kind=NOTED, words=right, change=None)


def _typed_there(correction: Correction, place: Entry) -> bool:
    """Whether the operator typed what an entry says."""
    is_typed = correction.trigger == frames.TYPED and not correction.source
    return is_typed and corrects(correction, place)
