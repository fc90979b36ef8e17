"""The Soul Keeper lets SOUL.md grow by small changes that rest on what was said or corrected."""

from clawgit.agents import soul_marks, soul_mind
from clawgit.agents.contract import ChangeSet, Skipped, Snapshot
from clawgit.agents.soul_drift import drifted, unexplained
from clawgit.agents.soul_growing import Growing
from clawgit.agents.soul_marks import SignMarks
from clawgit.agents.soul_signs import from_chats, from_files
from clawgit.domain.soul.growth import Sign, growths
from clawgit.domain.soul.growth_fitness import unfit
from clawgit.domain.soul.growth_origins import is_used
from clawgit.errors import NoAnswerError
from clawgit.values import NamedTuple


class _Gathered(NamedTuple):
    """All signs that were not used yet; `fresh` are those from messages since the last run."""

    signs: tuple[Sign, ...]
    fresh: tuple[Sign, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


def propose(snapshot: Snapshot) -> ChangeSet:
    """At most a few changes a day, one principle each.

    What is not enough yet waits in the marks for the next run.
    """
    marks = soul_marks.read(snapshot.marks, snapshot.now)
    growing = Growing(snapshot, marks)
    gathered = _gathered(snapshot, marks)
    fit = tuple(sign for sign in gathered.signs if _is_fit(sign, growing))
    drift = (
        *drifted(growing.soul, _new(gathered.fresh, growing)),
        *unexplained(growing.history, marks.told),
    )
    growing.learn(growths(fit))
    used = (*marks.used, *growing.used)
    waiting = tuple(
        sign
        for sign in fit
        if sign.evidence.startswith("chat:") and not soul_marks.is_used(sign, used)
    )
    newest = next((each.name for each in growing.history), marks.told)
    left = SignMarks(waiting, used, marks.spent + len(growing.steps), newest)
    return ChangeSet(
        tuple(growing.steps),
        (*gathered.skipped, *growing.skipped),
        (*gathered.notes, *growing.notes, *drift),
        soul_marks.written(left, snapshot.now),
    )


def _gathered(snapshot: Snapshot, marks: SignMarks) -> _Gathered:
    """Reads all signs. The judge adds nothing to a message that a model has understood."""
    by_judge = from_chats(snapshot)
    notes: tuple[str, ...] = ()
    by_mind = soul_mind.SoulReading((), ())
    if snapshot.mind:
        try:
            by_mind = soul_mind.read(snapshot, snapshot.mind)
        except NoAnswerError as error:
            silent = f"the model gave no answer ({error.message})"
            notes = (f"{silent}; only the judge read the conversations",)
    read = {sign.evidence for sign in by_mind.signs}
    fresh = (*by_mind.signs, *(sign for sign in by_judge if sign.evidence not in read))
    once = {
        (sign.evidence, sign.rule, sign.day): sign
        for sign in (*marks.signs, *fresh, *from_files(snapshot))
    }
    used = frozenset(marks.used)
    signs = tuple(sign for sign in once.values() if not soul_marks.is_used(sign, used))
    return _Gathered(signs, fresh, by_mind.skipped, notes)


def _new(signs: tuple[Sign, ...], growing: Growing) -> tuple[Sign, ...]:
    return tuple(sign for sign in signs if not is_used(sign, growing.history))


def _is_fit(sign: Sign, growing: Growing) -> bool:
    """Whether a sign is unused, and may become a principle through an agent."""
    if is_used(sign, growing.history):
        return False
    if reason := unfit(sign.rule):
        growing.refuse(sign, reason)
    return not reason
