"""The Recall Validator: what the operator sets right is logged, put into memory at once, and never forgotten again."""

from collections.abc import Sequence
from typing import NamedTuple

from clawgit.agents.contract import Call, ChangeSet, Draft, Skipped, Snapshot, Step
from clawgit.agents.recall_judging import (
    ASKED,
    CORRECTED,
    LEFT,
    Reader,
    Ruling,
    is_external,
    ruled,
    ruled_on_fact,
    scene_of,
)
from clawgit.agents.recall_writing import Case, Desk, Written, named
from clawgit.domain.chat import unwrapped
from clawgit.domain.correction_matching import wording
from clawgit.domain.correction_objection import Scene
from clawgit.domain.correction_reading import heard
from clawgit.domain.correction_slots import content
from clawgit.domain.correction_turn import subject_of
from clawgit.domain.corrections import OPEN, Correction
from clawgit.domain.excerpt import in_a_line
from clawgit.domain.known import Place
from clawgit.domain.mention import same_fact
from clawgit.domain.speaker import operators_name
from clawgit.errors import NotFoundError, UsageError

__all__ = ["Told", "correct", "is_external", "propose"]

_EXCERPT, _QUOTED, _ENOUGH = 80, 600, 2


class Told(NamedTuple):
    """A correction that somebody types. `was` names the entry, by id or words; `closes` an open correction. `sure`: the
    operator says so himself, or a message of his does, which `source` cites and `words` quote. `lets_in` are the
    fingerprints of secrets that he keeps on purpose.
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
    """One commit for all calls. What was taken in already, and what sets nothing right, is left and says why."""
    draft, skipped, notes, done = Draft(snapshot.files), list[Skipped](), list[str](), list[_Done]()
    desk = Desk(snapshot, draft)
    operator = operators_name(snapshot.files.get("USER.md", ""))
    reader = _reader(snapshot, notes)
    for call in snapshot.calls:
        found = _taken(snapshot, desk, call, scene_of(call, operator), reader)
        if isinstance(found, Skipped):
            skipped.append(found)
        else:
            done.append(found)
    steps = (_step(draft, done, done[0].session),) if done else ()
    return ChangeSet(steps, tuple(skipped), tuple(notes))


def correct(snapshot: Snapshot, told: Told) -> ChangeSet:
    """One commit for a correction that was typed; the same again changes nothing. NotFoundError where it names an entry
    or an open correction that is not there.
    """
    draft = Draft(snapshot.files)
    desk = Desk(snapshot, draft)
    places = desk.places()
    answers = _open_one(desk, told.closes)
    place = named(places, told.was) if told.was else _place_of(answers, places)
    if told.was and place is None:
        raise NotFoundError(f"No entry is {told.was!r}.", hint="clawgit memory search finds its id.")
    scene = Scene(operators_name(snapshot.files.get("USER.md", "")), "", answers.said if answers else "", snapshot.now)
    meant, kept = [place] if place else places, frozenset(told.lets_in)
    ruling = ruled_on_fact(told.text, scene, meant, snapshot.nearness, chosen=place is not None, lets_in=kept)
    if ruling.kind == LEFT:
        raise UsageError(f"This cannot be written down: {ruling.why}.", hint="Say it in other words.")
    if not told.sure:
        ruling = ruling._replace(kind=ASKED, why="does the operator say so?")
    twin = next((one for one in reversed(desk.known) if one.correct == ruling.right and one.status != OPEN), None)
    if twin and not answers and _is_kept(ruling, places):
        return ChangeSet(skipped=(Skipped(told.text, f"{twin.evidence} says so already"),))
    waiting = next((one for one in desk.known if one.correct == ruling.right and one.status == OPEN), None)
    if waiting and not told.sure:
        return ChangeSet(skipped=(Skipped(told.text, f"{waiting.evidence} waits for the operator already"),))
    case = Case(told.source, snapshot.now, "", "high" if told.sure else "medium", told.words, answers or waiting)
    written = desk.write(case, ruling)
    said = f"Set right by hand: “{in_a_line(told.words or told.text, _QUOTED)}”"
    source = told.source or written.proposed[-1].evidence[-1]
    return ChangeSet((_step(draft, [_Done(written, source, said, "")], ""),))


def _place_of(answers: Correction | None, places: Sequence[Place]) -> Place | None:
    """The entry that an open correction was about."""
    return named(places, answers.was.partition(" ")[0]) if answers and answers.was else None


def _is_kept(ruling: Ruling, places: Sequence[Place]) -> bool:
    """Whether memory says what is right, and nothing else in its place: a later correction may have overturned it."""
    changed = any(hit.text != wording(hit.place.entry) for hit in ruling.finding.hits[:1])
    return not changed and any(same_fact(wording(place.entry), ruling.right) for place in places)


def evidence_of(call: Call) -> str:
    """The message of a call, as evidence names it."""
    message = call.message
    return f"chat:{message.key or f'{message.session}/{message.id}'}"


def _taken(snapshot: Snapshot, desk: Desk, call: Call, scene: Scene, reader: Reader | None) -> _Done | Skipped:
    source, text = evidence_of(call), unwrapped(call.message.text)
    what, logged = in_a_line(text, _EXCERPT), desk.known
    if any(source in one.source.split(", ") for one in logged):
        return Skipped(what, "it stands in CORRECTIONS.md already")
    waiting, places = _answered(call, logged), desk.places()
    ruling = ruled(call, scene, places, snapshot.nearness, reader)
    if ruling.kind != CORRECTED and waiting and waiting.said:
        ruling = ruled(call, scene._replace(turn=waiting.said), places, snapshot.nearness, reader)
    if ruling.kind == LEFT:
        return Skipped(what, ruling.why)
    trigger = next((one.match for one in call.triggers), "")
    answers = waiting if ruling.kind == CORRECTED and waiting and _is_answer(call, waiting, ruling) else None
    case = Case(source, call.message.time, trigger, call.confidence or "medium", text, answers)
    try:
        return _Done(desk.write(case, ruling), source, _told(text, ruling), call.message.session)
    except UsageError as error:
        return Skipped(what, error.message)


def _step(draft: Draft, done: list[_Done], session: str) -> Step:
    proposed = tuple(one for each in done for one in each.written.proposed)
    right = [one for one in proposed if one.kind == "logged"]
    asked = any(one.kind == "asked" for one in proposed)
    summary = (
        f"set right: {in_a_line(right[0].summary, _EXCERPT)}"
        if right
        else "ask what is right"
        if asked
        else "log what failed"
    )
    more = f" and {len(done) - 1} more" if len(done) > 1 else ""
    return Step(
        "correct", f"{summary}{more}", "\n\n".join(one.told for one in done), tuple(one.source for one in done),
        draft.edits, proposed, min(one.written.confidence for one in done), session,
    )  # fmt: skip


def _told(text: str, ruling: Ruling) -> str:
    """The exchange in a commit message, so that a second machine can show what the change rests on."""
    said = f"The agent said: “{in_a_line(ruling.said, _QUOTED)}” " if ruling.said else ""
    return f"{said}The operator said: “{in_a_line(text, _QUOTED)}”"


def _answered(call: Call, known: tuple[Correction, ...]) -> Correction | None:
    """The open question that a message answers: the newest of this very talk."""
    before = {f"chat:{message.key}" for message in call.exchange}
    return next((one for one in reversed(known) if one.status == OPEN and before & set(one.source.split(", "))), None)


def _is_answer(call: Call, waiting: Correction, ruling: Ruling) -> bool:
    """Whether it speaks of the same matter. A bare “that's wrong” names none: what follows at once is its answer."""
    last = next((message for message in reversed(call.exchange) if message.role == call.message.role), None)
    at_once = last is not None and f"chat:{last.key}" in waiting.source.split(", ")
    if at_once and not waiting.said and heard(waiting.words).bare:
        return True
    asked = content(f"{waiting.said} {waiting.was} {waiting.words}")
    right = content(ruling.right)
    return bool(content(subject_of(ruling.right)) & asked) or len(right & asked) >= min(_ENOUGH, len(right))


def _open_one(desk: Desk, ident: str) -> Correction | None:
    if not ident:
        return None
    found = next((one for one in desk.known if one.id == ident and one.status == OPEN), None)
    if found is None:
        raise NotFoundError(f"No open correction is {ident}.", hint="clawgit corrections list --open")
    return found


def _reader(snapshot: Snapshot, notes: list[str]) -> Reader | None:
    if snapshot.mind is None:
        return None
    from clawgit.agents.recall_mind import reader  # noqa: PLC0415 - few workspaces have a model

    return reader(snapshot.mind, notes)
