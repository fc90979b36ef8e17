"""The Soul Keeper: lets SOUL.md grow by small changes, each of which stands on what was said, corrected or noted."""

from typing import NamedTuple

from clawgit.agents import soul_marks, soul_mind
from clawgit.agents.contract import ChangeSet, Skipped, Snapshot
from clawgit.agents.soul_drift import drifted, unexplained
from clawgit.agents.soul_growing import Growing
from clawgit.agents.soul_marks import Marks
from clawgit.agents.soul_signs import from_files
from clawgit.domain.growth import CORRECTED, Sign, growths, opposes
from clawgit.domain.growth_fitness import LOOSENS, unfit
from clawgit.domain.growth_hearing import heard
from clawgit.domain.growth_origins import is_used
from clawgit.domain.growth_room import opposed
from clawgit.errors import NoAnswerError


class _Gathered(NamedTuple):
    signs: tuple[Sign, ...]
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


def propose(snapshot: Snapshot) -> ChangeSet:
    """At most a few changes a day, one principle each. What is not enough yet waits in the marks for the next run."""
    marks = soul_marks.read(snapshot.marks, snapshot.now)
    growing = Growing(snapshot, marks)
    found = _fit(_gathered(snapshot, marks), growing)
    growing.learn(growth for growth in growths(found.signs) if growth.is_ripe)
    used = (*marks.used, *growing.used)
    waiting = tuple(
        sign for sign in found.signs if sign.evidence.startswith("chat:") and not soul_marks.is_used(sign, used)
    )
    drift = (*drifted(growing.soul, snapshot.messages), *unexplained(growing.history, marks.told))
    newest = next((one.name for one in growing.history), marks.told)
    left = Marks(waiting, used, marks.spent + len(growing.steps), newest)
    return ChangeSet(
        tuple(growing.steps), (*found.skipped, *growing.skipped), (*found.notes, *growing.notes, *drift),
        soul_marks.written(left, snapshot.now),
    )  # fmt: skip


def _gathered(snapshot: Snapshot, marks: Marks) -> _Gathered:
    """All signs that have not had their turn. What a model understood, rules do not add to."""
    by_rule = heard(snapshot.messages, snapshot.now.tzinfo)
    notes: tuple[str, ...] = ()
    by_mind = soul_mind.Reading((), ())
    if snapshot.mind:
        try:
            by_mind = soul_mind.read(snapshot, snapshot.mind)
        except NoAnswerError as error:
            notes = (f"the model gave no answer ({error.message}); rules alone read the conversations",)
    read = {sign.evidence for sign in by_mind.signs}
    chats = (*marks.signs, *by_mind.signs, *(sign for sign in by_rule if sign.evidence not in read))
    once = {(sign.evidence, sign.rule, sign.day): sign for sign in (*chats, *from_files(snapshot))}
    used = frozenset(marks.used)
    fresh = tuple(sign for sign in once.values() if not soul_marks.is_used(sign, used))
    return _Gathered(fresh, by_mind.skipped, notes)


def _fit(found: _Gathered, growing: Growing) -> _Gathered:
    """Without what a change stood on before, and what no agent may make a principle."""
    signs: list[Sign] = []
    for sign in found.signs:
        if is_used(sign, growing.history):
            continue
        reason = unfit(sign.rule)
        if not reason or (reason == LOOSENS and sign.kind == CORRECTED and _takes_back(sign, found.signs, growing)):
            signs.append(sign)
        else:
            growing.refuse(sign, reason)
    return found._replace(signs=tuple(signs))


def _takes_back(sign: Sign, others: tuple[Sign, ...], growing: Growing) -> bool:
    """Whether it is about what a correction or a principle has said: to loosen that is the operator's right."""
    return bool(opposed(growing.soul, sign.rule)) or any(opposes(sign.rule, other.rule) for other in others)
