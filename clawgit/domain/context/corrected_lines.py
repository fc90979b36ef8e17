"""Finds lines that still say what the operator has corrected."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.pairs import Pair, overtaken, pairs, tells_wrong
from clawgit.domain.facts.same_fact import old_values, words
from clawgit.domain.search.question_words import STOP

_ANY_TIME = datetime.min.replace(tzinfo=UTC)


@lru_cache(maxsize=1 << 13)
def wording(text: str) -> tuple[str, ...]:
    """The words that identify a fact. Cached, since a server reads the same lines again."""
    return words(text)


class Wrong(NamedTuple):
    """What is wrong, each with the place of its correction.

    `facts`: by their words. `pairs`: the words that tell a wrong statement from the right one.
    `void`: corrections that no longer hold.
    """

    facts: Mapping[tuple[str, ...], str]
    pairs: tuple[tuple[Pair, str], ...] = ()
    void: frozenset[str] = frozenset()

    def correction_of(self, text: str) -> str:
        """The place of the correction that says a text is wrong; "" if none does."""
        said = wording(text)
        known = frozenset(said) - STOP
        by_pair = (
            where for pair, where in self.pairs if pair.shared <= known and tells_wrong(known, pair)
        )
        return self.facts.get(said) or next(by_pair, "")

    def overrules(self, correction: Correction) -> bool:
        """Whether a later correction says something else."""
        return correction.id in self.void or wording(correction.correct) in self.facts


def wrong_by(every: Iterable[Correction]) -> Wrong:
    """What the corrections say is wrong; the newest counts, and open ones do not."""
    binding = sorted(
        (correction for correction in every if correction.binds),
        key=lambda correction: correction.time or _ANY_TIME,
    )
    facts: dict[tuple[str, ...], str] = {}
    # Oldest first: a later correction may say that an earlier wrong fact is right after all.
    for correction in binding:
        facts |= dict.fromkeys(map(wording, old_values(correction)), correction.evidence)
        facts.pop(wording(correction.correct), None)
    facts.pop((), None)
    all_pairs = tuple(
        (pair, correction.evidence)
        for correction in binding
        if wording(correction.correct) not in facts
        for pair in pairs([correction])
    )
    return Wrong(facts, all_pairs, overtaken(binding))
