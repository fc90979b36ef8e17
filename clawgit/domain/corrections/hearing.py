"""Whether a message sets something right, and which entry it means: at most five of them, as the
judges see it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.corrections.doubts import doubt
from clawgit.domain.corrections.exchange import (
    Exchange,
    Unplain,
    contrasts,
    exchange,
    names_its_subject,
)
from clawgit.domain.corrections.statement import statement
from clawgit.domain.facts.fact_verdict import Place
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.judges.acts import acts
from clawgit.judges.target import heard, targets
from clawgit.judges.thresholds import thresholds
from clawgit.language.negation import is_negated
from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words
from clawgit.language.tokens import is_cjk, tokens
from clawgit.language.values import values

CANDIDATES = 5
"""Entries that are shown to the judge."""

_MOST_READ = 1500
"""Entries that are read word by word; of a larger memory those that share the beginning of a word
are."""

_TURN = 0.5
_HEADING = 0.7
_KIND = 0.05
_SHORT = 4
_MOST_PART = 0.5
_LONGEST_READ = 2000
_FAINT = 0.1
"""What exchanges one value, and names its subject, needs only so much of the judge's word."""


class Heard(NamedTuple):
    """What the judges make of a message. `place` is the entry that it most likely sets right, None
    where none shares anything with it; `chance` that it does so.
    """

    corrects: float
    place: Place | None = None
    chance: float = 0.0
    plainly: bool = False
    """Whether a pattern of the seeds means what it says, or the message exchanges or denies a value
    of that entry."""

    @property
    def is_called(self) -> bool:
        """Whether a message that no pattern calls for is looked at any further."""
        return self.plainly or self.corrects >= thresholds().corrects_pass

    @property
    def is_sure(self) -> bool:
        """Whether this entry is meant without doubt: it may be put right, or disputed by a
        quote.
        """
        return self.place is not None and (self.plainly or self.chance >= thresholds().heard_sure)

    @property
    def is_askable(self) -> bool:
        """Whether it sets an entry right, or certainly something that memory lacks."""
        bars = thresholds()
        return self.is_sure or self.chance >= bars.heard_ask or self.corrects >= bars.corrects_sure


def hear(message: str, before: str, places: Sequence[Place], *, called: bool = False) -> Heard:
    """What the judges make of a message and the turn before it. `called`: a pattern of the seeds
    means what it says.
    """
    corrects = acts(message, before).corrects
    shown = candidates(message, before, places)
    if not shown:
        return Heard(corrects)
    lines = [statement(place.entry) for place in shown]
    *chances, elsewhere = heard(message, before, lines)
    meant = targets(message, before, lines)
    best = max(range(len(shown)), key=chances.__getitem__)
    likeliest = max(range(len(shown)), key=meant.__getitem__)
    # A pattern of the seeds has said already that something is set right: it is left to see which
    # entry is meant.
    is_plain = called and not any(doubt(one.text) for one in sentences(message))
    if is_plain and meant[likeliest] >= thresholds().target_ask:
        is_likely = chances[likeliest] >= thresholds().heard_ask * _FAINT
        if is_likely or isinstance(_change(message, before, shown[likeliest]), Exchange):
            return Heard(corrects, shown[likeliest], chances[likeliest], plainly=True)
    plainly = contrasts(message, lines[best]) and chances[best] >= _MOST_PART * (
        sum(chances) + elsewhere
    )
    if corrects >= thresholds().corrects_pass * _FAINT:
        change = _change(message, before, shown[best])
        plainly = plainly or (
            isinstance(change, Exchange) and names_its_subject(message, change, lines[best])
        )
    return Heard(corrects, shown[best], chances[best], plainly)


def _change(message: str, before: str, place: Place) -> Exchange | Unplain:
    return exchange(message, before, statement(place.entry), " ".join(place.entry.path))


def is_worth_a_look(message: str, before: str) -> bool:
    """Whether a message that no pattern calls for may set something right, told without a look at
    memory.
    """
    corrects, bar = acts(message, before).corrects, thresholds().corrects_pass
    read = message[:_LONGEST_READ]
    exact = corrects >= bar * _FAINT and (
        is_negated(read) or any(value.kind != "word" for value in values(read))
    )
    return corrects >= bar or exact


def candidates(message: str, before: str, places: Sequence[Place]) -> list[Place]:
    """The entries that share most with a message and the turn before it: words by how rare they
    are, words of their headings and quotes, and values of the same kind. Curated files come before
    notes.
    """
    said, turn = content_words(message), content_words(before)
    kinds = {value.kind for value in values(message) if value.kind != "word"}
    wanted = said | turn
    read = [(place, *_words(place)) for place in _narrowed(places, message, before)]
    spread = Counter(word for _, own, above in read for word in own | above)

    def rarity(word: str) -> float:
        return log(1 + len(read) / spread[word])

    ranked: list[tuple[float, Place]] = []
    for place, own, above in read:
        score = sum(rarity(word) * (1 if word in said else _TURN) for word in own & wanted)
        score += sum(
            rarity(word) * _HEADING * (1 if word in said else _TURN)
            for word in (above - own) & wanted
        )
        if kinds:
            score += _KIND * bool(kinds & {value.kind for value in values(statement(place.entry))})
        if score:
            ranked.append((score * (1 if tier(place.path) == CORE else _TURN), place))
    ranked.sort(key=lambda pair: -pair[0])
    curated = [place for _, place in ranked if tier(place.path) == CORE]
    return (curated or [place for _, place in ranked])[:CANDIDATES]


def _words(place: Place) -> tuple[frozenset[str], frozenset[str]]:
    """The words of an entry and of the quotes under it, and those of its headings."""
    quoted = " ".join(quote.words for quote in quotes_of(place.entry.raw))
    own = content_words(f"{place.entry.text} {quoted}")
    return own, content_words(" ".join(place.entry.path))


def _narrowed(places: Sequence[Place], message: str, before: str) -> Sequence[Place]:
    """Of a large memory, what shares the beginning of a word with what is said."""
    if len(places) <= _MOST_READ:
        return places
    said = {_beginning(token.folded) for token in tokens(f"{message[:2000]} {before[-800:]}")}
    pattern = re.compile("|".join(map(re.escape, sorted(filter(None, said)))))
    near = [place for place in places if pattern.search(place.entry.raw.casefold())] if said else []
    counted = sorted(near, key=lambda place: -len(set(pattern.findall(place.entry.raw.casefold()))))
    return counted[:_MOST_READ]


def _beginning(word: str) -> str:
    if is_cjk(word):
        return word
    return word[: max(_SHORT, len(word) - 3)] if len(word) >= _SHORT else ""
