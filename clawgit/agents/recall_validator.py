"""The Recall Validator: what the operator sets right is put right, or his words are quoted, or he
is asked.
"""

from collections.abc import Sequence
from typing import NamedTuple

from clawgit.agents.contract import Call, ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.agents.recall_desk import Case, Desk, Written, named
from clawgit.agents.recall_judging import (
    ASKED,
    LEFT,
    PUT_RIGHT,
    QUOTED,
    Reader,
    Ruling,
    Talk,
    barred,
    is_external,
    ruled,
    talk_before,
)
from clawgit.domain.conversation.chat import unwrapped
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.exchange import Exchange, exchange
from clawgit.domain.corrections.hearing import candidates
from clawgit.domain.corrections.statement import statement
from clawgit.domain.corrections.statuses import DISMISSED, KEPT, OPEN
from clawgit.domain.corrections.statuses import QUOTED as IS_QUOTED
from clawgit.domain.extraction.quoting import bears
from clawgit.domain.facts.fact_verdict import Place
from clawgit.domain.facts.same_fact import same_fact
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.errors import NotFoundError, UsageError

__all__ = ["Told", "correct", "is_external", "propose"]

_EXCERPT = 80
_LONGEST = 600


class Told(NamedTuple):
    """A correction that somebody types. `was` names the entry, by id or words; `closes` an open or
    quoted correction. `sure`: the operator says so himself; else `words` are those of a message of
    his, which `source` cites. `lets_in` are the fingerprints of secrets that he keeps on purpose.
    """

    text: str
    was: str = ""
    closes: str = ""
    source: str = ""
    words: str = ""
    sure: bool = False
    lets_in: tuple[str, ...] = ()


class _Done(NamedTuple):
    written: Written
    source: str
    told: str
    session: str


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all calls. What was taken in already, and what sets nothing right, is left and
    says why.
    """
    draft, skipped, notes, done = Draft(snapshot.files), list[Skipped](), list[str](), list[_Done]()
    desk = Desk(snapshot, draft)
    reader = _reader(snapshot, notes)
    ended = _ended(desk)
    for call in snapshot.calls:
        found = _taken(desk, call, reader)
        if isinstance(found, Skipped):
            skipped.append(found)
        else:
            done.append(found)
    steps = (_step(draft, done, ended, done[0].session if done else ""),) if done or ended else ()
    return ChangeSet(steps, tuple(skipped), tuple(notes))


def correct(snapshot: Snapshot, told: Told) -> ChangeSet:
    """One commit for a correction that was typed; the same again changes nothing. NotFoundError
    where it names an entry or a waiting correction that is not there.
    """
    draft = Draft(snapshot.files)
    desk = Desk(snapshot, draft)
    places = desk.places()
    answers = _waiting_one(desk, told.closes)
    place = named(places, told.was) if told.was else desk.place_of(answers) if answers else None
    if told.was and place is None:
        raise NotFoundError(
            f"No entry is {told.was!r}.", hint="clawgit memory search finds its id."
        )
    right = " ".join(told.text.split())
    if why := barred(right, frozenset(told.lets_in)):
        raise UsageError(f"This cannot be written down: {why}.", hint="Say it in other words.")
    ruling = _typed(right, told, place, places)
    names_one = bool(answers or told.was)
    waiting = next((one for one in desk.known if one.correct == right and one.status == OPEN), None)
    if not names_one and (twin := _said_already(desk, right, places)):
        return ChangeSet(skipped=(Skipped(told.text, f"{twin.evidence} says so already"),))
    if waiting and ruling.kind == ASKED:
        return ChangeSet(
            skipped=(Skipped(told.text, f"{waiting.evidence} waits for the operator already"),)
        )
    confidence = "medium" if ruling.kind == ASKED else "high"
    written = desk.write(
        Case(told.source, snapshot.now, "", confidence, told.words, answers or waiting), ruling
    )
    said = f"Set right by hand: “{in_a_line(told.words or told.text, _LONGEST)}”"
    source = told.source or written.proposed[-1].evidence[-1]
    return ChangeSet((_step(draft, [_Done(written, source, said, "")], (), ""),))


def _said_already(desk: Desk, right: str, places: Sequence[Place]) -> Correction | None:
    """The newest correction in force that says the same, where an entry does so too."""
    twin = next((one for one in reversed(desk.known) if one.correct == right and one.binds), None)
    return twin if any(same_fact(statement(one.entry), right) for one in places) else None


def evidence_of(call: Call) -> str:
    """The message of a call, as evidence names it."""
    message = call.message
    return f"chat:{message.key or f'{message.session}/{message.id}'}"


def _typed(right: str, told: Told, place: Place | None, places: Sequence[Place]) -> Ruling:
    """The operator has the last word on the text; without him it must be what a message of his
    says.
    """
    change = None
    if place is None and not told.closes:
        fitting = [
            (one, found)
            for one in candidates(right, "", places)
            if isinstance(
                found := exchange(right, "", statement(one.entry), " ".join(one.entry.path)),
                Exchange,
            )
        ]
        same = [
            (one, found) for one, found in fitting if found.applied(statement(one.entry)) == right
        ]
        place = (
            next((one for one, _ in same or fitting), None) if len(same or fitting) == 1 else None
        )
    if told.sure:
        return Ruling(PUT_RIGHT, "the operator typed it", right, place=place)
    if bears(told.words, right):
        return Ruling(PUT_RIGHT, "the message says so in these words", right, place=place)
    if place is not None:
        found = exchange(told.words, "", statement(place.entry), " ".join(place.entry.path))
        change = (
            found
            if isinstance(found, Exchange) and found.applied(statement(place.entry)) == right
            else None
        )
    if change:
        return Ruling(
            PUT_RIGHT, "the message gives that one value", right, place=place, change=change
        )
    return Ruling(ASKED, "does the operator say so?", right, place=place)


def _taken(desk: Desk, call: Call, reader: Reader | None) -> _Done | Skipped:
    source, text = evidence_of(call), unwrapped(call.message.text)
    what, logged = in_a_line(text, _EXCERPT), desk.known
    if any(source in one.source.split(", ") for one in logged):
        return Skipped(what, "it stands in CORRECTIONS.md already")
    waiting, talk = _answered(call, logged), talk_before(call)
    places = [
        place
        for place in desk.places()
        if not (place.entry.meta and source in place.entry.meta.evidence)
    ]
    ruling = ruled(call, talk, places, reader)
    if ruling.kind in (LEFT, ASKED) and waiting:
        around = Talk(f"{waiting.said}\n{waiting.words}\n{waiting.old}\n{talk.turn}", talk.question)
        again = ruled(call, around, places, reader)
        ruling = again._replace(said=ruling.said) if again.kind in (PUT_RIGHT, QUOTED) else ruling
    if ruling.kind == LEFT:
        return Skipped(what, ruling.why)
    trigger = next((one.match for one in call.triggers), "judge")
    answers = (
        waiting
        if ruling.kind in (PUT_RIGHT, QUOTED) and waiting and _is_answer(waiting, ruling, call)
        else None
    )
    case = Case(source, call.message.time, trigger, call.confidence or "medium", text, answers)
    try:
        return _Done(desk.write(case, ruling), source, _told(text, ruling), call.message.session)
    except UsageError as error:
        return Skipped(what, error.message)


def _ended(desk: Desk) -> tuple[Proposed, ...]:
    """The quotes whose entry somebody has edited or removed, or has taken the quote from: that ends
    them.
    """
    done: list[Proposed] = []
    for one in desk.known:
        if one.status != IS_QUOTED or not one.target:
            continue
        place = desk.place_of(one)
        if place is None:
            done += desk.end(one, DISMISSED, "the entry is gone")
        elif in_a_line(statement(place.entry), _LONGEST) != one.old:
            done += desk.end(one, KEPT, "the entry was edited since")
        elif place.status != DISPUTED:
            done += desk.end(one, KEPT, "the mark was taken away")
    return tuple(done)


def _step(draft: Draft, done: list[_Done], ended: Sequence[Proposed], session: str) -> Step:
    proposed = (*ended, *(one for each in done for one in each.written.proposed))
    evidence = dict.fromkeys(
        [*(each.source for each in done), *(cited for one in ended for cited in one.evidence)]
    )
    told = [*(one.told for one in done), *(["What disputed an entry has ended."] if ended else [])]
    more = f" and {len(done) - 1} more" if len(done) > 1 else ""
    confidence = min((one.written.confidence for one in done), default=1.0)
    return Step(
        "correct", f"{_summary(proposed)}{more}", "\n\n".join(told), tuple(evidence), draft.edits,
        proposed,
        confidence, session,
    )  # fmt: skip


def _summary(proposed: Sequence[Proposed]) -> str:
    for kind, words in (("logged", "set right"), ("quoted", "quote the operator")):
        found = next((one for one in proposed if one.kind == kind), None)
        if found:
            return f"{words}: {in_a_line(found.summary, _EXCERPT)}"
    if any(one.kind == "asked" for one in proposed):
        return "ask what is right"
    return (
        "log what failed"
        if any(one.kind == "routed" for one in proposed)
        else "end what was disputed"
    )


def _told(text: str, ruling: Ruling) -> str:
    """The exchange in a commit message, so that a second machine can show what the change rests
    on.
    """
    said = f"The agent said: “{in_a_line(ruling.said, _LONGEST)}” " if ruling.said else ""
    return f"{said}The operator said: “{in_a_line(text, _LONGEST)}”"


def _answered(call: Call, known: tuple[Correction, ...]) -> Correction | None:
    """The open question that a message may answer: the newest of this very talk."""
    before = {f"chat:{message.key}" for message in call.exchange}
    return next(
        (
            one
            for one in reversed(known)
            if one.status == OPEN and before & set(one.source.split(", "))
        ),
        None,
    )


def _is_answer(waiting: Correction, ruling: Ruling, call: Call) -> bool:
    """Whether it speaks of the same entry, or follows at once on an objection that named none."""
    if waiting.target:
        return ruling.place is not None and ruling.place.entry.key == waiting.target
    last = next(
        (message for message in reversed(call.exchange) if message.role == call.message.role), None
    )
    return last is not None and f"chat:{last.key}" in waiting.source.split(", ")


def _waiting_one(desk: Desk, ident: str) -> Correction | None:
    if not ident:
        return None
    found = next((one for one in desk.known if one.id == ident and one.waits), None)
    if found is None:
        raise NotFoundError(
            f"No open or quoted correction is {ident}.", hint="clawgit corrections list --open"
        )
    return found


def _reader(snapshot: Snapshot, notes: list[str]) -> Reader | None:
    if snapshot.mind is None:
        return None
    from clawgit.agents.recall_mind import reader  # noqa: PLC0415 - few workspaces have a model

    return reader(snapshot.mind, notes)
