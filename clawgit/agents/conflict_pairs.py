"""Asks a model which entries contradict each other beside those that the rules find."""

from collections.abc import Container, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from clawgit.agents.contract import Mind
from clawgit.domain.claims.conflicts import pair_key
from clawgit.domain.claims.contradicting import Dispute, Pair
from clawgit.domain.claims.finding import Contradiction
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.model.proof import proven

MODEL = "model"
"""The kind of a dispute that only a model sees."""

_MOST_ASKED = 30
"""How many pairs a model is asked about in one run."""


class Judged(NamedTuple):
    """One pair of notes that cannot both be true at the same time, of the same subject and
    attribute.

    `quote_a` and `quote_b` are the words of either note that contradict each other, copied exactly.
    """

    pair: int
    quote_a: str
    quote_b: str


class PairJudgement(NamedTuple):
    """Only the contradictory pairs. Notes that can both be true are left out."""

    contradictions: tuple[Judged, ...] = ()


def unasked(
    places: Sequence[EntryPlace], pairs: Mapping[Pair, float], known: Container[str]
) -> list[tuple[EntryPlace, EntryPlace]]:
    """The likeliest pairs that are not known yet, neither from the rules nor from a model."""
    likeliest = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    candidates = ((places[a], places[b]) for a, b in likeliest)
    unknown = (pair for pair in candidates if _is_unknown(*pair, known))
    return [*islice(unknown, _MOST_ASKED)]


def _is_unknown(a: EntryPlace, b: EntryPlace, known: Container[str]) -> bool:
    return a.entry.text != b.entry.text and pair_key(a.entry.text, b.entry.text) not in known


def by_model(
    mind: Mind, pairs: Sequence[tuple[EntryPlace, EntryPlace]]
) -> tuple[list[Contradiction], int]:
    """The contradictions that a model finds in pairs, and how many of its answers quote what is
    not there.

    None is certain: the operator decides. NoAnswerError if the model gives no answer.
    """
    shown = {
        f"pair {number}": f"a: {_headed(a)}{a.entry.text}\nb: {_headed(b)}{b.entry.text}"
        for number, (a, b) in enumerate(pairs, 1)
    }
    answers = mind.ask(_INSTRUCTIONS, shown, PairJudgement).contradictions
    found = [each for each in (_proven(answer, pairs) for answer in answers) if each]
    return found, len(answers) - len(found)


def _proven(answer: Judged, pairs: Sequence[tuple[EntryPlace, EntryPlace]]) -> Contradiction | None:
    """The contradiction that a model names; None if it quotes what a side does not say."""
    if not 0 < answer.pair <= len(pairs):
        return None
    a, b = pairs[answer.pair - 1]
    ours, theirs = (" ".join(quote.split()) for quote in (answer.quote_a, answer.quote_b))
    if not proven(ours, a.entry.text) or not proven(theirs, b.entry.text):
        return None
    return Contradiction(a, b, Dispute(MODEL, ours, theirs), 0.0)


def _headed(place: EntryPlace) -> str:
    headings = " > ".join(place.entry.path)
    return f"[{headings}] " if headings else ""


_INSTRUCTIONS = (
    "Each pair shows two notes of one memory, each with its heading. Name the pairs whose notes "
    "contradict each other: the same subject and the same attribute, but another value, number, "
    "date, or the opposite, so that both cannot be true now. Two facts that can both be true, a "
    "plan and its outcome, records of different runs, or different times are not contradictions. "
    "Quote the words of both."
)
