"""The slots of a context: which pieces each is made of, and in which order they are wanted."""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.change.authority import IDENTITY
from clawgit.domain.context.context import Claim, ContextPiece, Slot, Want
from clawgit.domain.context.corrected_lines import Wrong, wrong_by
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.corrections.corrections import SHOWN_QUESTIONS, Correction
from clawgit.domain.corrections.statuses import OPEN, QUOTED, status_of
from clawgit.domain.facts.confidence import Dynamics, confidence
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.tags import visible
from clawgit.domain.workspace.tiers import dated
from clawgit.language.negation import negations
from clawgit.language.sentences import sentences
from clawgit.language.tokens import is_cjk, is_hangul

_LABEL = "- **"

_LEAD = 2
"""A prohibition denies within its first words: `Never send`, `You must not send`. Further on, a
negation mostly contrasts: `Come back with answers, not questions.`"""


class RecalledPassage(NamedTuple):
    """A passage that the search found. `answers`: it is a hit, not only next to one."""

    passage: ContextPassage
    score: float
    answers: bool


def identity_slot(
    soul: Sequence[ContextPassage],
    card: Sequence[ContextPassage],
    budget: int,
    protected: Container[str] = (),
) -> Slot:
    """Who the agent is. Protected lines come first, then prohibitions: these are never cut.

    The fields of the card follow, then the soul in its order, then the rest of the card.
    `protected` are the lines that came from corrections. A section of the soul is protected too if
    its heading says so.
    """
    kept = dict.fromkeys(passage for passage in soul if _is_protected(passage, protected))
    forbidding = dict.fromkeys(passage for passage in soul if _forbids(passage))
    labels = [passage for passage in card if passage.text.startswith(_LABEL)]
    wanted = dict.fromkeys((*kept, *forbidding, *labels, *soul, *card))
    whys = dict.fromkeys(forbidding, "forbids something") | dict.fromkeys(kept, "protected")
    pieces = (
        _piece(
            passage,
            whys.get(passage, "who the agent is"),
            (int(passage.path == IDENTITY), passage.line),
            Want.FIRM if passage in whys else Want.EAGER,
        )
        for passage in wanted
    )
    claim = Claim.LAST
    return _slot("identity", "Who you are", budget, pieces, wanted, claim=claim, says_cut=True)


def user_slot(profile: Sequence[ContextPassage], budget: int) -> Slot:
    pieces = (_piece(passage, "who the operator is", (passage.line,)) for passage in profile)
    name, title = "user_profile", "Who you help"
    return _slot(name, title, budget, pieces, profile, claim=Claim.WIDE, says_cut=True)


def corrections_slot(
    recent: Sequence[Correction],
    archived: Sequence[Correction],
    budget: int,
    *,
    newest_first: bool = False,
) -> Slot:
    """The corrections: first those that the index does not hold yet, unless `newest_first`, then
    the newest.

    What is only disputed follows, a few open questions, then archived corrections, which still win.
    """

    def urgency(correction: Correction) -> tuple[bool, bool, bool, float]:
        age = -(correction.time.timestamp() if correction.time else 0.0)
        is_late = correction.re_embedded and not newest_first
        return correction.status == OPEN, correction.status == QUOTED, is_late, age

    wrong = wrong_by([*recent, *archived])
    current = sorted(recent, key=urgency)
    asked = [correction.id for correction in current if correction.status == OPEN]
    later = asked[SHOWN_QUESTIONS:]
    pieces: list[ContextPiece] = []
    left: list[ContextPiece] = []
    for at, correction in enumerate((*current, *sorted(archived, key=urgency))):
        unfit = _unfit(correction, wrong, later)
        why = unfit or _state(correction, is_archived=at >= len(current))
        (left if unfit else pieces).append(_correction_piece(correction, why, (at,)))
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


def recent_slot(
    days: Sequence[ContextPassage],
    scores: Mapping[tuple[str, int], float] | None,
    least: float,
    budget: int,
) -> Slot:
    """The notes of the last days, those that fit the message first.

    Without a message, the most important come first, then the newest. Notes that do not fit the
    message get the room of their own slot and no more.
    """

    def fit(passage: ContextPassage) -> float:
        lines = range(passage.line, passage.end_line + 1)
        return max((scores or {}).get((passage.path, line), 0.0) for line in lines)

    def order(passage: ContextPassage) -> tuple[float, ...]:
        return -fit(passage), -passage.importance, -_ordinal(passage.path), -passage.line

    pieces = (
        _piece(
            passage,
            f"importance {passage.importance}" if scores is None else f"fits {fit(passage):.2f}",
            (_ordinal(passage.path), passage.path, passage.line),
            Want.IDLE if scores is not None and fit(passage) < least else Want.EAGER,
        )
        for passage in sorted(days, key=order)
    )
    return _slot("recent_memory", "The last days", budget, pieces, days)


def recall_slot(
    recalled: Sequence[RecalledPassage],
    corrections: Sequence[tuple[Correction, float]],
    budget: int,
    near: Sequence[RecalledPassage] = (),
    said: Sequence[RecalledPassage] = (),
    intro: str = "",
) -> Slot:
    """What the search found for the message, best first; then, if they fit, what was `said` in
    conversations and the lines beside a hit; and what comes `near`, if nobody else wants the room.

    Each file is shown in one place. `intro` says how sure it is.
    """
    first = {hit.passage.path: at for at, hit in reversed([*enumerate(recalled)])}

    def place(passage: ContextPassage) -> tuple[int | str, ...]:
        if passage.path in first:
            return 1, first[passage.path], passage.line
        return 3, _ordinal(passage.path), passage.path, passage.line

    corrected = (
        _correction_piece(correction, f"found, {score:.2f}", (0, at))
        for at, (correction, score) in enumerate(corrections)
        if not status_of(correction.status).why_silent
    )
    answers = (
        _piece(hit.passage, f"found, {hit.score:.2f}", place(hit.passage))
        for hit in recalled
        if hit.answers
    )
    spoken = (
        _piece(turn.passage, f"said, {turn.score:.2f}", (2, at), Want.IDLE)
        for at, turn in enumerate(said)
    )
    beside = (
        _piece(hit.passage, "next to a hit", place(hit.passage), Want.IDLE)
        for hit in recalled
        if not hit.answers
    )
    spare = (
        _piece(each.passage, f"near, {each.score:.2f}", place(each.passage), Want.SPARE)
        for each in near
    )
    return _slot(
        "semantic_recall",
        "What memory says about this",
        budget,
        (*corrected, *answers, *spoken, *beside, *spare),
        [hit.passage for hit in (*recalled, *said)],
        intro=intro,
        claim=Claim.ASKED,
    )


def longterm_slot(
    memory: Sequence[ContextPassage], dynamics: Dynamics, today: date, budget: int
) -> Slot:
    """The facts of the notebook: corrections and decisions first, then the surest and newest."""

    def sure(passage: ContextPassage) -> float:
        return confidence(passage.meta, dynamics, today)

    def order(passage: ContextPassage) -> tuple[float, ...]:
        last = passage.meta.last.toordinal() if passage.meta and passage.meta.last else 0
        is_prose = passage.kind != "item"
        return is_prose, -passage.importance, -sure(passage), -last, passage.line

    pieces = (
        _piece(
            passage,
            f"confidence {sure(passage):.2f}",
            (passage.line,),
            Want.EAGER if passage.kind == "item" else Want.IDLE,
        )
        for passage in sorted(memory, key=order)
    )
    return _slot("longterm_memory", "What you know for good", budget, pieces, memory)


def _slot(
    name: str,
    title: str,
    budget: int,
    pieces: Iterable[ContextPiece | None],
    passages: Iterable[ContextPassage],
    *,
    intro: str = "",
    claim: Claim = Claim.IN_TURN,
    says_cut: bool = False,
) -> Slot:
    """A slot of these pieces; passages that no longer hold are left out of it."""
    left = [
        ContextPiece(passage.text, passage.source, why=passage.stale)
        for passage in passages
        if passage.stale
    ]
    held = [*filter(None, pieces)]
    return Slot(name, title, budget, held, intro, left=left, claim=claim, says_cut=says_cut)


def _piece(
    passage: ContextPassage, why: str, place: tuple[int | str, ...], want: Want = Want.EAGER
) -> ContextPiece | None:
    """None for a passage that no longer holds."""
    if passage.stale:
        return None
    return ContextPiece(passage.text, passage.source, passage.heads, place, why, passage.name, want)


def _correction_piece(
    correction: Correction, why: str, place: tuple[int | str, ...]
) -> ContextPiece:
    where = correction.evidence
    return ContextPiece(correction_line(correction), where, place=place, why=why, name=where)


def _unfit(correction: Correction, wrong: Wrong, later: Container[str]) -> str:
    """Why a correction is not shown any more, or ""."""
    if why := status_of(correction.status).why_silent:
        return why
    if wrong.overrules(correction):
        return "a later correction says otherwise"
    return "other questions are asked first" if correction.id in later else ""


def _state(correction: Correction, *, is_archived: bool) -> str:
    if correction.waits:
        state = correction.status
    elif is_archived:
        state = "archived"
    else:
        state = "taken in" if correction.re_embedded else "not yet taken in"
    return f"{state}, {correction.time:%Y-%m-%d}" if correction.time else state


def _line(text: str) -> str:
    return " ".join(visible(text).split())


def _is_protected(passage: ContextPassage, protected: Container[str]) -> bool:
    """Whether a line of it came from a correction, or a heading above says that it is protected."""
    # The first heading is the name of the file.
    if any(frames.PROTECTED in head.casefold() for head in passage.heads[1:]):
        return True
    return any(line.strip() in protected for line in passage.text.split("\n"))


def _forbids(passage: ContextPassage) -> bool:
    """Whether a passage forbids something, or a heading above it does: under `Never`, each line is
    a prohibition.
    """
    return any(map(forbids, (passage.text, *passage.heads[1:])))


def _ordinal(path: str) -> int:
    day = dated(path)
    return day.toordinal() if day else 0


@lru_cache(maxsize=1 << 12)
def forbids(text: str) -> bool:
    """Whether a sentence of the text is a prohibition.

    Where the verb, and with it the negation, may stand last, each sentence that denies is one.
    Cached, because a server reads the same soul again and again.
    """
    return any(_is_prohibition(sentence.text) for sentence in sentences(text))


def _is_prohibition(sentence: str) -> bool:
    denied = negations(sentence)
    if not denied:
        return False
    if is_cjk(sentence) or is_hangul(sentence):
        return True
    before = sentence[: denied[0].start].split()
    return sum(any(map(str.isalnum, word)) for word in before) <= _LEAD
