"""The slot of a context with what the operator corrected."""

from collections.abc import Sequence
from functools import partial

from clawgit.domain.context.corrected_lines import Wrong, wrong_by
from clawgit.domain.context.slot import Claim, ContextPiece, Slot
from clawgit.domain.corrections.corrections import SHOWN_QUESTIONS, Correction
from clawgit.domain.corrections.statuses import OPEN, QUOTED, status_of
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.chunk import size
from clawgit.domain.markdown.tags import visible


def _urgency(correction: Correction, *, newest_first: bool) -> tuple[bool, bool, float]:
    """A sort key. Open questions come last."""
    age = -(correction.time.timestamp() if correction.time else 0.0)
    return correction.status == OPEN, correction.re_embedded and not newest_first, age


def corrections_slot(
    recent: Sequence[Correction],
    archived: Sequence[Correction],
    budget: int,
    *,
    newest_first: bool = False,
) -> Slot:
    """The corrections and disputes: first those that the index does not hold yet, unless
    `newest_first`, then the newest.

    A few open questions follow, then archived corrections, which still win. Quotes take at most
    half of the room.
    """
    wrong = wrong_by([*recent, *archived])
    urgency = partial(_urgency, newest_first=newest_first)
    wanted = [*sorted(recent, key=urgency), *sorted(archived, key=urgency)]
    shelved = frozenset(correction.id for correction in archived)
    pieces: list[ContextPiece] = []
    left: list[ContextPiece] = []
    room, questions = budget // 2, SHOWN_QUESTIONS
    for at, correction in enumerate(wanted):
        unfit = _unfit(correction, wrong)
        line = correction_line(correction)
        if not unfit and correction.status == QUOTED:
            room -= size(line)
            unfit = "there is no more room for quotes" if room < 0 else ""
        if not unfit and correction.status == OPEN:
            questions -= 1
            unfit = "other questions are asked first" if questions < 0 else ""
        why = unfit or _state(correction, shelved=correction.id in shelved)
        (left if unfit else pieces).append(
            ContextPiece(line, correction.evidence, (), (at,), why, (correction.evidence,))
        )
    return Slot(
        "corrections",
        "What the operator corrected: this wins",
        budget,
        pieces,
        left=left,
        claim=Claim.FIRST,
        says_cut=True,
    )


def correction_line(correction: Correction) -> str:
    """A correction in one line: what is right, what was wrong, and since when.

    Of one that is only quoted: what it disputes.
    """
    old = _line(correction.was.partition(" ")[2] or correction.said)
    day = f"{correction.time:%Y-%m-%d}" if correction.time else ""
    if correction.status == QUOTED:
        words = _line(correction.correct)
        return frames.DISPUTED_BY.format(old=old, words=words, day=f" on {day}" if day else "")
    if not correction.correct.strip():
        unsure = old or _line(correction.words) or _line(correction.trigger)
        return f"- Somebody called this wrong, but nobody has said what is right yet; ask: {unsure}"
    notes = (
        f"not: {old.rstrip('.')}" if old else "",
        "" if correction.binds else "not confirmed",
        day,
    )
    brackets = "; ".join(filter(None, notes))
    return f"- {_line(correction.correct)}" + (f" ({brackets})" if brackets else "")


def _unfit(correction: Correction, wrong: Wrong) -> str:
    """Why a correction is not shown any more, or ""."""
    if why := status_of(correction.status).why_silent:
        return why
    return "a later correction says otherwise" if wrong.overrules(correction) else ""


def _state(correction: Correction, *, shelved: bool) -> str:
    when = f", {correction.time:%Y-%m-%d}" if correction.time else ""
    if correction.waits:
        return correction.status + when
    if shelved:
        return "archived" + when
    return ("taken in" if correction.re_embedded else "not yet taken in") + when


def _line(text: str) -> str:
    return " ".join(visible(text).split())
