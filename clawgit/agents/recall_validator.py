"""The Recall Validator writes the operator's corrections: it corrects, quotes or asks."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import takewhile

from clawgit.agents.choosing import Line, chosen_by
from clawgit.agents.contract import Call, ChangeSet, Mind, Skipped, Snapshot, Step
from clawgit.agents.correcting import (
    EXCERPT,
    LONGEST,
    Case,
    CorrectionDraft,
    barred,
    corrects,
    heard_already,
    whole_line,
)
from clawgit.core.errors import UsageError
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import DISPUTED
from clawgit.core.markdown.entry import Entry
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.core.tiers import CORE, tier
from clawgit.language.judges.judging import acts, thresholds
from clawgit.language.lexicon import has_any
from clawgit.memory.rules.confidence import EXPLICIT
from clawgit.safety.rules.masks import is_sensitive
from clawgit.talk.rules.chat import ASSISTANT, USER, Message, evidence_of, unwrapped
from clawgit.talk.rules.corrections import DISMISSED, KEPT, Correction, statement
from clawgit.talk.rules.corrections import QUOTED as IS_QUOTED
from clawgit.talk.rules.deciding import (
    ASKED,
    BINDING,
    LEAST,
    LEFT,
    NOTED,
    PUT_RIGHT,
    QUOTED,
    ROUTED,
    Decision,
    calls_wrong,
    decide,
    quote_of,
    targets,
)
from clawgit.talk.rules.exchange import retracts, taken_back, takes_back
from clawgit.talk.rules.kept_line import is_private
from clawgit.talk.rules.passages import MOST, typed
from clawgit.talk.rules.quotes import has_quote
from clawgit.talk.rules.wording import doubt, pattern, sentences, words

_LONGEST_SAID = 400

_MARKUP = ("<!--", "-->", "claw:")
"""Text that would not be read as plain words inside an entry."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for each call. What is known already or corrects nothing is skipped, with why."""
    correction_draft = CorrectionDraft(snapshot)
    # Quotes that an edit has ended are removed first, so that a call is compared with current text.
    steps, skipped = [*_ended(correction_draft)], list[Skipped]()
    for call in snapshot.calls:
        taken = _taken(correction_draft, call, snapshot)
        if isinstance(taken, Skipped):
            skipped.append(taken)
        else:
            steps += taken
    return ChangeSet(tuple(steps), tuple(skipped))


def _taken(
    correction_draft: CorrectionDraft, call: Call, snapshot: Snapshot
) -> tuple[Step, ...] | Skipped:
    source, text = evidence_of(call.message), words_of(call)
    what, known = in_a_line(text, EXCERPT), correction_draft.known
    if heard_already(known, source):
        return Skipped(what, "it is already in CORRECTIONS.md")
    # An entry that came from this same message is not what it corrects.
    places = [each for each in correction_draft.places() if source not in each.facts.evidence]
    found = decided(call, places, known, snapshot.mind)
    time = call.message.time.astimezone(snapshot.now.tzinfo)
    why = found.why if found.kind == LEFT else _overtaken(time, found, known)
    if why:
        return Skipped(what, why)
    trigger = call.triggers[0].match if call.triggers else "judge"
    heard = Correction("", time, trigger, call.confidence or "medium", words=text, source=source)
    agents_part = f"The agent said: “{in_a_line(found.said, LONGEST)}” " if found.said else ""
    why = f"{agents_part}The operator said: “{in_a_line(text, LONGEST)}”"
    also = [*_also(found, places)]
    try:
        return correction_draft.write(Case(heard, call.message.session), found, why, also)
    except UsageError as error:
        return Skipped(what, error.message)


def _also(found: Decision, places: Sequence[Entry]) -> Iterator[Decision]:
    """The same quote under each other lasting entry that it denies."""
    meant = statement(found.place) if found.place and found.kind == QUOTED else ""
    for each in places if meant else ():
        is_other = statement(each) != meant and tier(each.path) == CORE
        if is_other and retracts(found.words, statement(each)):
            yield found._replace(place=each)


def _overtaken(said: datetime, found: Decision, known: Sequence[Correction]) -> str:
    """Why an entry is newer than what was said about it, "" if it is not known to be."""
    entry = found.place
    if entry is None:
        return ""
    if any(corrects(each, entry) for each in known if each.time is not None and each.time > said):
        return "the operator has corrected that entry since"
    last = _said_once(entry)
    return "the operator said that entry since" if last and last > said.date() else ""


def _said_once(entry: Entry) -> date | None:
    """The day on which the operator said an entry. Of several mentions, the last one may be the
    agent's.
    """
    meta = entry.facts
    return meta.last if meta.src == EXPLICIT and meta.n == 1 else None


def _ended(correction_draft: CorrectionDraft) -> Iterator[Step]:
    """Ends the quotes whose entry was edited or removed since, or lost its mark."""
    for correction in correction_draft.known:
        if correction.status == IS_QUOTED and correction.target:
            place = correction_draft.place_of(correction)
            if why := _why_over(correction, place):
                yield from correction_draft.end(correction, KEPT if place else DISMISSED, why)


def _why_over(correction: Correction, place: Entry | None) -> str:
    """Why a quote disputes its entry no longer, "" if it does."""
    if place is None:
        return "the entry is gone"
    if whole_line(statement(place)) != correction.old:
        return "the entry was edited since"
    is_marked = place.status == DISPUTED or has_quote(place.raw, correction.correct)
    return "" if is_marked else "the mark was taken away"


def words_of(call: Call) -> str:
    return unwrapped(call.message.text)[:MOST]


def turn_before(call: Call) -> str:
    """The agent's last turn before a call, since the operator's last message."""
    return _last_said(takewhile(lambda each: each.role != USER, reversed(call.exchange)))


def _last_said(turns: Iterable[Message]) -> str:
    turn = next((each.text[:MOST] for each in turns if each.role == ASSISTANT), "")
    return "" if is_sensitive(turn) else turn


def is_external(call: Call) -> bool:
    """Whether what failed is no memory, but a tool or a capability of the agent.

    The operator speaks to the agent about one, and a pattern or the judge finds a complaint.
    """
    text = typed(words_of(call))
    if not any(
        pattern("capabilities").search(each) and has_any(each, "second_person")
        for each in sentences(text)
    ):
        return False
    judged = acts(text, turn_before(call))
    return bool(call.triggers) or judged.corrects + judged.complains >= thresholds().corrects_ask


def _excerpt(call: Call, text: str, turn: str) -> str:
    """What the agent said last, for the log; marked unless the message answers it “No, …”."""
    said = in_a_line(_last_said(reversed(call.exchange)), _LONGEST_SAID)
    if not said:
        return ""
    return ("" if turn and calls_wrong(typed(text), turn) else frames.EARLIER) + said


def is_worth_a_look(call: Call) -> bool:
    """Whether a pattern makes this call, or its message may correct something; memory is not
    looked at.
    """
    text, turn = words_of(call), turn_before(call)
    return bool(call.triggers or takes_back("", text, turn) or acts(text, turn).corrects >= LEAST)


def decided(
    call: Call, places: Sequence[Entry], known: Sequence[Correction], mind: Mind | None = None
) -> Decision:
    """What the texts prove, and a model's decision where they would have the operator asked."""
    text, turn = words_of(call), turn_before(call)
    if why := _not_for_us(call, text):
        return Decision(LEFT, why)
    said = _excerpt(call, text, turn)
    if is_external(call):
        return Decision(ROUTED, "it is about a tool or a capability", said=said)
    found = _proven(call, places, known, text, turn)
    if found.kind != PUT_RIGHT and _cannot_be_quoted(found.words):
        found = Decision(ASKED, "the sentence cannot be quoted", found.place)
    if mind and found.kind == ASKED:
        found = _read(mind, typed(text), turn, places) or found
    # In a group the user may be anybody, so the operator has to confirm.
    if found.kind in BINDING and not is_private(call.message.session):
        found = Decision(ASKED, "others speak in this session too", found.place)
    return found._replace(said=said)


def _proven(
    call: Call, places: Sequence[Entry], known: Sequence[Correction], text: str, turn: str
) -> Decision:
    """What the texts prove; what stands in a paste calls nobody. What takes back a correction may
    be about that, whatever the agent has said since.
    """
    mine, before = typed(text), _taken_back(call, known)
    corrects = acts(mine, turn).corrects
    called = bool(before) or any(each.match in mine for each in call.triggers)
    found = decide(text, turn, places, called=called, corrects=corrects)
    is_wished = frozenset() < words(text) <= words(_wish(call))
    if is_wished and found.kind in (PUT_RIGHT, QUOTED):
        return Decision(ASKED, "it was asked for before", found.place)
    if before and found.kind in (LEFT, NOTED):
        return decide(text, before, places, called=called, corrects=corrects)
    return found


def _wish(call: Call) -> str:
    """The operator's last message before, if it asks for something: “can you move it to Friday?”"""
    last = next((unwrapped(each.text) for each in reversed(call.exchange) if each.role == USER), "")
    return last if doubt(last) else ""


def _taken_back(call: Call, known: Sequence[Correction]) -> str:
    """The operator's last message before that was a correction which this one may take back."""
    talk = (*call.exchange, call.message)
    for each in reversed(call.exchange):
        said = unwrapped(each.text)
        if heard_already(known, evidence_of(each)) and taken_back(said, each, talk) is talk[-1]:
            return said
    return ""


def _not_for_us(call: Call, text: str) -> str:
    if call.message.role != USER:
        return "only the operator's own words are a correction"
    if not (call.triggers or is_private(call.message.session)):
        return "others speak in this session too"
    return barred(text)


def _cannot_be_quoted(words: str) -> bool:
    """Whether a sentence may not be part of an entry, or would be read as something else there."""
    return any(mark in words for mark in _MARKUP) or bool(barred(words))


_ASKED = """\
The operator of an assistant may have said that something which the assistant remembers is wrong.
Choose the entry that is wrong, with its words letter by letter; none if none is."""

_SHOWN = 5
"""How many entries the model chooses from."""


def _read(mind: Mind, text: str, turn: str, places: Sequence[Entry]) -> Decision | None:
    """Asks the model which entry is meant, where the judges would ask the operator. The operator is
    quoted there, and nothing is changed.
    """
    ranked = targets(text, turn, places)
    # A dated note is a record of its day: nothing is quoted there.
    shown = [target for target in ranked if tier(target.place.path) == CORE][:_SHOWN]
    lines = [Line("entry", each.text) for each in shown]
    asked = {"message": text, "assistant": turn}
    chosen = [*chosen_by(mind, _ASKED, "entries", lines, asked).quotes]
    if len(chosen) != 1:
        return None
    meant = shown[chosen[0]]
    # What the message is about shares more words with it than any other entry does.
    if sum(each.own >= meant.own for each in shown) > 1:
        return None
    quote = quote_of(text, meant.text)
    if not quote or any(map(doubt, sentences(quote))) or _cannot_be_quoted(quote):
        return None
    return Decision(QUOTED, "a model found the entry", meant.place, quote)
