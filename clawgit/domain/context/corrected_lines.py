"""What the operator put right, and whether a line still says what was wrong."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from clawgit.domain.context.line_dedup import wording
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.pairs import Pair, overtaken, pairs, tells_wrong
from clawgit.domain.search.question_words import STOP

_ANY_TIME = datetime.min.replace(tzinfo=UTC)


class Wrong(NamedTuple):
    """Wrong facts by their words, and word against word what tells a wrong statement from the right
    one, each with where it was put right. A text without any of the `marks` says nothing of all
    that. `void` are the corrections that hold no more.
    """

    facts: Mapping[tuple[str, ...], str]
    pairs: tuple[tuple[Pair, str], ...] = ()
    marks: frozenset[str] = frozenset()
    void: frozenset[str] = frozenset()

    def put_right(self, text: str) -> str:
        """Where it was put right what a text says, "" where nobody did."""
        plain = text.casefold()
        if plain.isascii() and "'" not in plain and not any(mark in plain for mark in self.marks):
            return ""  # of a long file, the words of most lines need not be read
        said = wording(text)
        if said in self.facts:
            return self.facts[said]
        known = frozenset(word for word in said if word not in STOP)
        return next(
            (
                where
                for pair, where in self.pairs
                if pair.shared <= known and tells_wrong(known, pair)
            ),
            "",
        )

    def overrules(self, one: Correction) -> bool:
        """Whether a later correction says otherwise."""
        return one.id in self.void or wording(one.correct) in self.facts


def wrong_by(every: Iterable[Correction], was: Mapping[str, str] | None = None) -> Wrong:
    """What is wrong after the operator's last word; an open correction says nothing. `was` is what
    entries of the memory said before they were corrected, and where they stand.
    """
    binding = sorted((one for one in every if one.binds), key=lambda one: one.time or _ANY_TIME)
    facts: dict[tuple[str, ...], str] = {}
    for one in binding:
        facts |= dict.fromkeys(
            map(wording, (one.said, one.was, one.was.partition(" ")[2])), one.evidence
        )
        facts.pop(wording(one.correct), None)
    facts = {wording(old): where for old, where in (was or {}).items()} | facts
    facts.pop((), None)
    told = [
        (pair, one.evidence)
        for one in binding
        if wording(one.correct) not in facts
        for pair in pairs([one])
    ]
    marks = {max(said, key=len) for said in facts} | {max(pair.wrong, key=len) for pair, _ in told}
    return Wrong(facts, tuple(told), frozenset(marks), overtaken(binding))
