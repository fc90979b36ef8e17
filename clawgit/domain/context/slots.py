"""The slots of a context: which pieces each is made of, and in which order they are wanted."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from clawgit.domain.context.context import ContextPiece, Slot
from clawgit.domain.context.corrected_lines import Wrong, wrong_by
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.corrections.corrections import SHOWN_QUESTIONS, Correction
from clawgit.domain.corrections.statuses import OPEN, QUOTED, status_of
from clawgit.domain.facts.confidence import Dynamics, confidence
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.chunk import size
from clawgit.domain.markdown.tags import visible
from clawgit.domain.workspace.tiers import dated

_LABEL = "- **"


class RecalledPassage(NamedTuple):
    """A passage that the search found. `answers`: it does itself, and does not only stand beside
    what does.
    """

    passage: ContextPassage
    score: float
    answers: bool


def identity_slot(
    soul: Sequence[ContextPassage], card: Sequence[ContextPassage], budget: int
) -> Slot:
    """The name first, then the soul in its order, then what else the card says."""
    labels = [one for one in card if one.text.startswith(_LABEL)]
    rest = [one for one in card if one not in labels]
    wanted = [*labels, *soul, *rest]
    pieces = [
        _piece(one, (int(one.path == "IDENTITY.md"), one.line), "who the agent is")
        for one in wanted
        if not one.stale
    ]
    return Slot("identity", "Who you are", budget, pieces, left=_out_of_date(wanted))


def user_slot(profile: Sequence[ContextPassage], budget: int) -> Slot:
    pieces = [_piece(one, (one.line,), "who the operator is") for one in profile if not one.stale]
    return Slot("user_profile", "Who you help", budget, pieces, left=_out_of_date(profile))


def corrections_slot(
    recent: Sequence[Correction], archived: Sequence[Correction], budget: int
) -> Slot:
    """What was put right and what is disputed first, those that are not yet taken in before the
    newest; then a few open questions; archived ones still win, and come last. At most half of the
    room goes to what is only quoted.
    """
    wrong = wrong_by([*recent, *archived])
    every = [*sorted(recent, key=_urgency), *sorted(archived, key=_urgency)]
    shelved = frozenset(one.id for one in archived)
    pieces: list[ContextPiece] = []
    left: list[ContextPiece] = []
    room, questions = budget // 2, SHOWN_QUESTIONS
    for at, one in enumerate(every):
        unfit = _unfit(one, wrong)
        line = told(one)
        if not unfit and one.status == QUOTED:
            room -= size(line)
            unfit = "other quotes take the room that there is for them" if room < 0 else ""
        if not unfit and one.status == OPEN:
            questions -= 1
            unfit = "other questions are asked first" if questions < 0 else ""
        why = unfit or _state(one, shelved=one.id in shelved)
        (left if unfit else pieces).append(
            ContextPiece(line, one.evidence, (), (at,), why, (one.evidence,))
        )
    return Slot(
        "corrections", "What was put right: this wins", budget, pieces, strict=True, left=left
    )


def recent_slot(
    days: Sequence[ContextPassage],
    scores: Mapping[tuple[str, int], float] | None,
    least: float,
    budget: int,
) -> Slot:
    """What the last days brought: what answers the message first, or without one what matters most
    and is newest. What says nothing to the message is worth the room of its slot and no more.
    """
    good = [one for one in days if not one.stale]

    def fits(one: ContextPassage) -> float:
        return max(
            (scores or {}).get((one.path, line), 0.0) for line in range(one.line, one.end_line + 1)
        )

    known = {one: fits(one) if scores is not None else 0.0 for one in good}
    newest = sorted(
        good, key=lambda one: (-known[one], -one.importance, -_ordinal(one.path), -one.line)
    )
    pieces = [
        _piece(
            one,
            (_ordinal(one.path), *map(ord, one.path), one.line),
            f"fits {known[one]:.2f}" if scores is not None else f"importance {one.importance}",
            idle=scores is not None and known[one] < least,
        )
        for one in newest
    ]
    return Slot("recent_memory", "The last days", budget, pieces, left=_out_of_date(days))


def recall_slot(
    found: Sequence[RecalledPassage], put_right: Sequence[tuple[Correction, float]], budget: int
) -> Slot:
    """What the search found for the message, best first; then what stands beside it, as far as
    there is room.
    """
    first = {one.passage.path: at for at, one in reversed([*enumerate(found)])}
    good = sorted((one for one in found if not one.passage.stale), key=lambda one: not one.answers)
    pieces = [
        _piece(
            one.passage,
            (1, first[one.passage.path], one.passage.line),
            f"found, {one.score:.2f}" if one.answers else "stands beside a hit",
            idle=not one.answers,
        )
        for one in good
    ]
    corrected = [
        ContextPiece(
            told(one), one.evidence, place=(0, at), why=f"found, {score:.2f}", names=(one.evidence,)
        )
        for at, (one, score) in enumerate(put_right)
        if not status_of(one.status).why_silent
    ]
    left = _out_of_date([one.passage for one in found])
    return Slot(
        "semantic_recall", "What memory says about this", budget, [*corrected, *pieces], left=left
    )


def longterm_slot(
    memory: Sequence[ContextPassage], dynamics: Dynamics, today: date, budget: int
) -> Slot:
    """The curated facts: what was put right and decided first, then the surest and what was last
    heard of.
    """

    def worth(one: ContextPassage) -> tuple[object, ...]:
        last = one.meta.last.toordinal() if one.meta and one.meta.last else 0
        return (
            one.kind != "item",
            -one.importance,
            -confidence(one.meta, dynamics, today),
            -last,
            one.line,
        )

    pieces = [
        _piece(
            one,
            (one.line,),
            f"confidence {confidence(one.meta, dynamics, today):.2f}",
            idle=one.kind != "item",
        )
        for one in sorted(memory, key=worth)
        if not one.stale
    ]
    return Slot(
        "longterm_memory", "What you know for good", budget, pieces, left=_out_of_date(memory)
    )


def told(correction: Correction) -> str:
    """A correction in one line: what is right, what was wrong, since when; of a quoted one, what is
    disputed.
    """
    old = _line(correction.was.partition(" ")[2] or correction.said)
    day = f"{correction.time:%Y-%m-%d}" if correction.time else ""
    if correction.status == QUOTED:
        words = _line(correction.correct)
        return frames.DISPUTED_BY.format(old=old, words=words, day=f" on {day}" if day else "")
    if not correction.correct.strip():
        unsure = old or _line(correction.words) or _line(correction.trigger)
        return f"- Somebody called this wrong, and nobody said yet what is right; ask: {unsure}"
    notes = (
        f"not: {old.rstrip('.')}" if old else "",
        "" if correction.binds else "not confirmed",
        day,
    )
    said = "; ".join(filter(None, notes))
    return f"- {_line(correction.correct)}" + (f" ({said})" if said else "")


def _urgency(one: Correction) -> tuple[bool, bool, float]:
    """A sort key: open questions come last, and before them the oldest that are taken in."""
    return one.status == OPEN, one.re_embedded, -(one.time.timestamp() if one.time else 0.0)


def _unfit(one: Correction, wrong: Wrong) -> str:
    """Why a correction is not shown any more, or ""."""
    if why := status_of(one.status).why_silent:
        return why
    return "a later correction says otherwise" if wrong.overrules(one) else ""


def _state(correction: Correction, *, shelved: bool) -> str:
    when = f", {correction.time:%Y-%m-%d}" if correction.time else ""
    if correction.waits:
        return correction.status + when
    if shelved:
        return "archived" + when
    return ("taken in" if correction.re_embedded else "not yet taken in") + when


def _line(text: str) -> str:
    return " ".join(visible(text).split())


def _piece(
    one: ContextPassage, place: tuple[int, ...], why: str, *, idle: bool = False
) -> ContextPiece:
    return ContextPiece(one.text, one.source, one.heads, place, why, one.names, idle)


def _out_of_date(found: Iterable[ContextPassage]) -> list[ContextPiece]:
    return [ContextPiece(one.text, one.source, why=one.stale) for one in found if one.stale]


def _ordinal(path: str) -> int:
    day = dated(path)
    return day.toordinal() if day else 0
