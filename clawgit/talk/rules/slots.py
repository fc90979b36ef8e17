"""The slots of a context: which pieces each is made of, and in which order they are wanted."""

from collections.abc import Container, Iterable, Sequence
from datetime import date
from operator import attrgetter

from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.markdown import frames
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.tag_table import visible
from clawgit.memory.rules.confidence import confidence
from clawgit.talk.rules.corrections import OPEN, QUOTED, Correction, status_of, when
from clawgit.talk.rules.filling import FIRST, NEVER, ContextPiece, SlotKind, Want
from clawgit.talk.rules.house_rules import forbids, is_rule
from clawgit.talk.rules.pairs import Wrong, wrong_by
from clawgit.talk.rules.passage import ContextPassage

_SHOWN_QUESTIONS = 3
"""The operator is asked about this many open corrections at a time; the others wait."""

SLOTS = (
    # Corrections take their own first, however small the whole is, then what is firm. Beyond its
    # own, who the agent is comes last: it gets more where no other slot wants it.
    SlotKind("identity", "Who you are", "identity_tokens", own=3, more=10, says_cut=True),
    SlotKind("user_profile", "Who you help", "user_profile_tokens", own=4, more=6, says_cut=True),
    SlotKind(
        "corrections",
        "What the operator corrected: this wins",
        "corrections_tokens",
        own=FIRST,
        more=5,
        says_cut=True,
    ),
    # Notes that nobody asked about take no room from the others.
    SlotKind("recent_memory", "The last days", "recent_memory_tokens", more=NEVER),
    SlotKind("semantic_recall", "What memory says about this", "semantic_recall_tokens", more=8),
    SlotKind("crm_profiles", "Whom it is about", "crm_tokens", quoted=True),
    SlotKind("longterm_memory", "What you know for good", "longterm_memory_tokens"),
    SlotKind("external_context", "From another system", "external_context_budget", quoted=True),
)
"""In the order in which they are shown."""

FOUND, SAID, NEAR = "found", "said", "near"

_WANTS = {FOUND: Want.EAGER, SAID: Want.EAGER, NEAR: Want.SPARE}


_RANKS = (
    "the rule that is asked about",
    "protected",
    "forbids something",
    "a rule",
    "who the agent is",
)
"""Why a piece says who the agent is; what comes first is wanted most."""


class RecalledPassage(NamedTuple):
    """A passage that came up for the message. `how` is `FOUND` or another of these words."""

    passage: ContextPassage
    score: float
    how: str = FOUND


def identity_pieces(
    soul: Sequence[ContextPassage],
    card: Sequence[ContextPassage],
    guide: Sequence[ContextPassage],
    asked: Sequence[ContextPassage],
) -> list[ContextPiece]:
    """Who the agent is. The rules that are `asked` about come first, then protected lines, then
    prohibitions: these are never cut.

    Other rules follow, those of the `guide` included, then the card, and the soul in its order.
    A section of the soul is protected if its heading says so.
    """
    asked_about, protected, forbidden, ruled, who = _RANKS
    pieces = [_piece(each, asked_about, (0, at), Want.FIRM) for at, each in enumerate(asked)]
    # The card is wanted before the rest of the soul, and shown behind it.
    pieces += [_piece(each, who, (2, each.line)) for each in card]
    for passage in soul:
        why, want = who, Want.EAGER
        if any(frames.PROTECTED in head.casefold() for head in passage.heads[1:]):
            why, want = protected, Want.FIRM
        # Under a heading such as `Never`, each line is a prohibition.
        elif any(map(forbids, (passage.text, *passage.heads[1:]))):
            why, want = forbidden, Want.FIRM
        elif is_ruled(passage):
            why = ruled
        pieces.append(_piece(passage, why, (1, passage.line), want))
    pieces += [_piece(each, ruled, (3, each.line)) for each in guide if is_ruled(each)]
    return sorted(pieces, key=lambda piece: _RANKS.index(piece.why))


def is_ruled(passage: ContextPassage) -> bool:
    """Whether a passage is a rule, whoever wrote it."""
    return is_rule(passage.text, passage.titles)


def user_pieces(profile: Iterable[ContextPassage]) -> list[ContextPiece]:
    return [_piece(passage, "who the operator is", (passage.line,)) for passage in profile]


def corrections_pieces(
    recent: Sequence[Correction], archived: Sequence[Correction], *, newest_first: bool = False
) -> list[ContextPiece]:
    """The corrections: first those that the index does not hold yet, unless `newest_first`, then
    the newest.

    What is only disputed follows, a few open questions, then archived corrections, which still win.
    """

    def urgency(correction: Correction) -> tuple[bool, bool, bool, float]:
        is_late = correction.re_embedded and not newest_first
        is_open, is_quoted = correction.status == OPEN, correction.status == QUOTED
        return is_open, is_quoted, is_late, -when(correction)

    wrong = wrong_by([*recent, *archived])
    current = sorted(recent, key=urgency)
    asked = [correction.id for correction in current if correction.status == OPEN]
    ranked = [*current, *sorted(archived, key=urgency)]
    # As a part of it: where an entry names who spoke, it says more than the correction.
    disputed = "\n".join(each.old for each in recent if each.is_quoted)
    return [
        ContextPiece(
            correction_line(correction),
            correction.evidence,
            place=(at,),
            why=correction.status,
            unfit=_unfit(correction, wrong, disputed, asked[_SHOWN_QUESTIONS:]),
        )
        for at, correction in enumerate(ranked)
    ]


def correction_line(correction: Correction) -> str:
    """A correction in one line: what is right, what was wrong, and since when; of a quote or a
    question, what it may be about.
    """
    old = _line(correction.wrong)
    day = f"{correction.time:%Y-%m-%d}" if correction.time else ""
    if correction.status in (OPEN, QUOTED) or not correction.correct.strip():
        return frames.NOT_SETTLED.format(
            old=f"“{old}” " if old else "",
            day=f" on {day}" if day else "",
            words=_line(getattr(correction, correction.stated or "trigger")),
        )
    notes = (
        f"not: {old.rstrip('.')}" if old else "",
        "" if correction.binds else "not confirmed",
        day,
    )
    brackets = "; ".join(filter(None, notes))
    return f"- {_line(correction.correct)}" + (f" ({brackets})" if brackets else "")


def recent_pieces(days: Iterable[ContextPassage]) -> list[ContextPiece]:
    """The notes of the last days: the most important first, then the newest."""
    ranked = sorted(days, key=attrgetter("importance", "path", "line"), reverse=True)
    return [
        _piece(passage, f"importance {passage.importance}", (passage.path, passage.line))
        for passage in ranked
    ]


def recall_pieces(recalled: Sequence[RecalledPassage]) -> list[ContextPiece]:
    """What came up for the message, best first: what was found, what was said in conversations,
    then what is only near. Each file is shown in one place, its lines in their order.
    """
    recalled = sorted(recalled, key=lambda each: [*_WANTS].index(each.how))
    paths = [*dict.fromkeys(each.passage.path for each in recalled)]
    return [
        _piece(
            each.passage,
            f"{each.how}, {each.score:.2f}",
            (paths.index(each.passage.path), each.passage.line),
            _WANTS[each.how],
        )
        for each in recalled
    ]


def longterm_pieces(
    memory: Iterable[ContextPassage], dynamics: Settings, today: date, rules: Container[str]
) -> list[ContextPiece]:
    """The facts of the notebook: first rules, by their sources, then corrections and decisions,
    then the surest and newest.
    """

    def sure(passage: ContextPassage) -> float:
        return confidence(passage.meta, dynamics, today)

    def order(passage: ContextPassage) -> tuple[float, ...]:
        last = ((passage.meta and passage.meta.last) or date.min).toordinal()
        return (
            passage.source not in rules,
            passage.kind != "item",
            -passage.importance,
            -sure(passage),
            -last,
            passage.line,
        )

    return [
        _piece(passage, f"confidence {sure(passage):.2f}", (passage.line,))
        for passage in sorted(memory, key=order)
    ]


def _piece(
    passage: ContextPassage, why: str, place: tuple[int | str, ...], want: Want = Want.EAGER
) -> ContextPiece:
    """A passage as a piece; one that no longer holds is never shown."""
    return ContextPiece(
        passage.text, passage.source, passage.heads, place, why, passage.name, want, passage.stale
    )


def _unfit(correction: Correction, wrong: Wrong, disputed: str, later: Container[str]) -> str:
    """Why a correction is not shown any more, or ""."""
    if why := status_of(correction.status).why_silent:
        return why
    if correction.id in wrong.void or (correction.binds and correction.correct in disputed):
        return "a later correction says otherwise"
    if correction.waits and not correction.words:
        return "only an agent says so"
    return "other questions are asked first" if correction.id in later else ""


def _line(text: str) -> str:
    return one_line(visible(text))
