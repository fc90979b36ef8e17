"""The slots of a context: which pieces each is made of, and in which order they are wanted."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.change.authority import IDENTITY
from clawgit.domain.context.correction_slot import correction_line
from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.context.slot import Claim, ContextPiece, Slot
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.statuses import status_of
from clawgit.domain.facts.confidence import Dynamics, confidence
from clawgit.domain.markdown import frames
from clawgit.domain.workspace.tiers import dated
from clawgit.language.negation import negations
from clawgit.language.sentences import sentences
from clawgit.language.tokens import is_cjk, is_hangul

_LABEL = "- **"

_IDENTITY = "who the agent is"


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
    pieces = [
        _piece(passage, _place_in_identity(passage), _why_identity(passage, kept, forbidding))
        for passage in wanted
        if not passage.stale
    ]
    return Slot(
        "identity",
        "Who you are",
        budget,
        [piece._replace(firm=piece.why != _IDENTITY) for piece in pieces],
        left=_out_of_date(wanted),
        claim=Claim.LAST,
        says_cut=True,
    )


def user_slot(profile: Sequence[ContextPassage], budget: int) -> Slot:
    pieces = [
        _piece(passage, (passage.line,), "who the operator is")
        for passage in profile
        if not passage.stale
    ]
    return Slot(
        "user_profile",
        "Who you help",
        budget,
        pieces,
        left=_out_of_date(profile),
        says_cut=True,
    )


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
    good = [passage for passage in days if not passage.stale]

    def fits(passage: ContextPassage) -> float:
        return max(
            (scores or {}).get((passage.path, line), 0.0)
            for line in range(passage.line, passage.end_line + 1)
        )

    fit = {passage: fits(passage) if scores is not None else 0.0 for passage in good}
    good.sort(
        key=lambda passage: (
            -fit[passage],
            -passage.importance,
            -_ordinal(passage.path),
            -passage.line,
        )
    )
    pieces = [
        _piece(
            passage,
            (_ordinal(passage.path), *map(ord, passage.path), passage.line),
            f"fits {fit[passage]:.2f}"
            if scores is not None
            else f"importance {passage.importance}",
            idle=scores is not None and fit[passage] < least,
        )
        for passage in good
    ]
    return Slot("recent_memory", "The last days", budget, pieces, left=_out_of_date(days))


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
    good = [hit for hit in recalled if not hit.passage.stale]
    places = {hit: (1, first[hit.passage.path], hit.passage.line) for hit in good}
    answers = [
        _piece(hit.passage, places[hit], f"found, {hit.score:.2f}") for hit in good if hit.answers
    ]
    beside = [
        _piece(hit.passage, places[hit], "next to a hit", idle=True)
        for hit in good
        if not hit.answers
    ]
    spoken = [
        _piece(turn.passage, (2, at), f"said, {turn.score:.2f}", idle=True)
        for at, turn in enumerate(said)
        if not turn.passage.stale
    ]
    left = _out_of_date([hit.passage for hit in (*recalled, *said)])
    return Slot(
        "semantic_recall",
        "What memory says about this",
        budget,
        [*_corrected(corrections), *answers, *spoken, *beside],
        left=left,
        intro=intro,
        claim=Claim.ASKED,
        spare=[*_spare(near, first)],
    )


def _corrected(corrections: Iterable[tuple[Correction, float]]) -> Iterator[ContextPiece]:
    for at, (correction, score) in enumerate(corrections):
        if not status_of(correction.status).why_silent:
            yield ContextPiece(
                correction_line(correction),
                correction.evidence,
                place=(0, at),
                why=f"found, {score:.2f}",
                names=(correction.evidence,),
            )


def _spare(near: Iterable[RecalledPassage], first: Mapping[str, int]) -> Iterator[ContextPiece]:
    """What comes near, file by file: that of a file with hits stands among the hits.

    `first` is the place of each file with hits.
    """
    for each in near:
        path = each.passage.path
        file = (1, first[path]) if path in first else (3, _ordinal(path), *map(ord, path))
        piece = _piece(each.passage, (*file, each.passage.line), f"near, {each.score:.2f}")
        yield piece._replace(spare=True)


def longterm_slot(
    memory: Sequence[ContextPassage], dynamics: Dynamics, today: date, budget: int
) -> Slot:
    """The facts of the notebook: corrections and decisions first, then the surest and newest."""

    def worth(passage: ContextPassage) -> tuple[object, ...]:
        last = passage.meta.last.toordinal() if passage.meta and passage.meta.last else 0
        return (
            passage.kind != "item",
            -passage.importance,
            -confidence(passage.meta, dynamics, today),
            -last,
            passage.line,
        )

    pieces = [
        _piece(
            passage,
            (passage.line,),
            f"confidence {confidence(passage.meta, dynamics, today):.2f}",
            idle=passage.kind != "item",
        )
        for passage in sorted(memory, key=worth)
        if not passage.stale
    ]
    return Slot(
        "longterm_memory", "What you know for good", budget, pieces, left=_out_of_date(memory)
    )


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


def _why_identity(
    passage: ContextPassage, kept: Container[ContextPassage], forbidding: Container[ContextPassage]
) -> str:
    if passage in kept:
        return "protected"
    return "forbids something" if passage in forbidding else _IDENTITY


def _place_in_identity(passage: ContextPassage) -> tuple[int, int]:
    return int(passage.path == IDENTITY), passage.line


def _piece(
    passage: ContextPassage, place: tuple[int, ...], why: str, *, idle: bool = False
) -> ContextPiece:
    return ContextPiece(
        passage.text,
        passage.source,
        passage.heads,
        place,
        why,
        passage.names,
        idle,
        last=passage.last,
    )


def _out_of_date(passages: Iterable[ContextPassage]) -> list[ContextPiece]:
    return [
        ContextPiece(passage.text, passage.source, why=passage.stale)
        for passage in passages
        if passage.stale
    ]


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
