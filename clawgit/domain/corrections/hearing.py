"""Whether a message corrects something, and which entry it means, by the judges."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from math import log

from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.corrections.doubts import doubt
from clawgit.domain.corrections.exchange import (
    Exchange,
    Unplain,
    contrasts,
    exchange,
    is_told_of_another,
    names_its_subject,
)
from clawgit.domain.corrections.statement import statement
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.judges.acts import acts
from clawgit.judges.target import correction_chances, targets
from clawgit.judges.thresholds import thresholds
from clawgit.language.negation import is_negated
from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words
from clawgit.language.tokens import is_cjk, tokens
from clawgit.language.values import values
from clawgit.values import NamedTuple

CANDIDATES = 5
"""The judge is shown at most this many entries."""

_MOST_READ = 1500
"""At most this many entries are read word by word. Of a larger memory, only those that share the
beginning of a word with the message are read.
"""

_TURN = 0.5
"""The weight of a word that stands only in the turn before the message, and of an entry in a
note."""

_HEADING = 0.7
"""The weight of a word that stands in an entry's heading and not in the entry."""

_KIND = 0.05
"""What a value of the same kind adds: enough to decide between entries that are otherwise even."""

_SHORT = 4
_MOST_PART = 0.5
_LONGEST_READ = 2000
_FAINT = 0.1
"""If a message exchanges one value and names its subject, this part of the judge's usual bar is
enough."""


class Heard(NamedTuple):
    """What the judges make of a message. `place` is the entry that it most likely corrects, None if
    no entry shares anything with it. `chance` is the probability that it does.
    """

    corrects: float
    place: EntryPlace | None = None
    chance: float = 0.0
    plainly: bool = False
    """A pattern of the specification matched and is meant, or the message exchanges or denies a
    value of the entry.
    """

    @property
    def is_called(self) -> bool:
        """Whether to look further at a message that matches no pattern."""
        return self.plainly or self.corrects >= thresholds().corrects_pass

    @property
    def is_sure(self) -> bool:
        """Whether this entry is meant without doubt, so that it may be corrected or disputed."""
        return self.place is not None and (self.plainly or self.chance >= thresholds().heard_sure)

    @property
    def is_askable(self) -> bool:
        """Whether it corrects an entry, or certainly something that memory does not hold."""
        bars = thresholds()
        return self.is_sure or self.chance >= bars.heard_ask or self.corrects >= bars.corrects_sure


def hear(message: str, before: str, places: Sequence[EntryPlace], *, called: bool = False) -> Heard:
    """What the judges make of a message and the turn before it. `called`: a pattern of the
    specification matched.
    """
    corrects = acts(message, before).corrects
    shown = candidates(message, before, places)
    if not shown:
        return Heard(corrects)
    lines = [statement(place.entry) for place in shown]
    *chances, elsewhere = correction_chances(message, before, lines)
    if called:
        target = _target(message, before, shown, chances)
        if target is not None:
            return Heard(corrects, shown[target], chances[target], plainly=True)
    best = max(range(len(shown)), key=chances.__getitem__)
    has_most = chances[best] >= _MOST_PART * (sum(chances) + elsewhere)
    plainly = has_most and contrasts(message, lines[best])
    if not plainly and corrects >= thresholds().corrects_pass * _FAINT:
        change = _change(message, before, shown[best])
        plainly = isinstance(change, Exchange) and names_its_subject(message, change, lines[best])
    return Heard(corrects, shown[best], chances[best], plainly)


def _target(
    message: str, before: str, shown: Sequence[EntryPlace], chances: Sequence[float]
) -> int | None:
    """Which entry a message means that a pattern calls a correction; None if that is uncertain."""
    if any(doubt(sentence.text) for sentence in sentences(message)):
        return None
    meant = targets(message, before, [statement(place.entry) for place in shown])
    likeliest = max(range(len(shown)), key=meant.__getitem__)
    if meant[likeliest] < thresholds().target_ask:
        return None
    # The pattern has settled that something is corrected, so a faint chance is enough.
    if chances[likeliest] >= thresholds().heard_ask * _FAINT:
        return likeliest
    change = _change(message, before, shown[likeliest])
    return likeliest if isinstance(change, Exchange) else None


def _change(message: str, before: str, place: EntryPlace) -> Exchange | Unplain:
    return exchange(message, before, statement(place.entry), " ".join(place.entry.path))


def is_worth_a_look(message: str, before: str) -> bool:
    """Whether a message that matches no pattern may correct something. Does not look at memory."""
    corrects, bar = acts(message, before).corrects, thresholds().corrects_pass
    if corrects >= bar:
        return True
    if corrects < bar * _FAINT:
        return False
    read = message[:_LONGEST_READ]
    return is_negated(read) or any(value.kind != "word" for value in values(read))


def candidates(message: str, before: str, places: Sequence[EntryPlace]) -> list[EntryPlace]:
    """The entries that share most with a message and the turn before it.

    Words count by how rare they are, in the entry, its headings and its quotes; so do values of
    the same kind. Curated files come before notes. An entry about another thing than the turn is
    none, unless the message names it.
    """
    ranked = sorted(_scored(message, before, places), key=lambda pair: -pair[0])
    # Curated entries are what counts. A note only records what was said on its day.
    curated = [place for _, place in ranked if _is_curated(place)]
    every = [place for _, place in ranked]
    fitting = (
        place
        for place in curated or every
        if not is_told_of_another(message, before, statement(place.entry))
    )
    return [*islice(fitting, CANDIDATES)]


def _scored(
    message: str, before: str, places: Sequence[EntryPlace]
) -> Iterator[tuple[float, EntryPlace]]:
    """The entries that share something with the message, with a score for how much."""
    read = [_Read(place, *_words(place)) for place in _narrowed(places, message, before)]
    rarity = _rarity(read)
    weights = _weights(message, before)
    kinds = {value.kind for value in values(message) if value.kind != "word"}
    for row in read:
        score = _by_words(row, weights, rarity)
        if kinds and _has_kind(row.place, kinds):
            score += _KIND
        if score:
            yield score * _weight_of_file(row.place), row.place


class _Read(NamedTuple):
    """An entry with its words, and those of its headings."""

    place: EntryPlace
    own: frozenset[str]
    above: frozenset[str]


def _rarity(read: Sequence[_Read]) -> dict[str, float]:
    spread = Counter(word for row in read for word in row.own | row.above)
    return {word: log(1 + len(read) / count) for word, count in spread.items()}


def _weights(message: str, before: str) -> dict[str, float]:
    """How much each word counts: one that only the turn before says counts less."""
    return {
        **dict.fromkeys(content_words(before), _TURN),
        **dict.fromkeys(content_words(message), 1),
    }


def _by_words(row: _Read, weights: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    shared = row.own & weights.keys()
    only_above = (row.above - row.own) & weights.keys()
    score = sum(rarity[word] * weights[word] for word in shared)
    return score + sum(rarity[word] * _HEADING * weights[word] for word in only_above)


def _has_kind(place: EntryPlace, kinds: Collection[str]) -> bool:
    return any(value.kind in kinds for value in values(statement(place.entry)))


def _is_curated(place: EntryPlace) -> bool:
    return tier(place.path) == CORE


def _weight_of_file(place: EntryPlace) -> float:
    return 1 if _is_curated(place) else _TURN


def _words(place: EntryPlace) -> tuple[frozenset[str], frozenset[str]]:
    """The words of an entry and of the quotes under it, and those of its headings."""
    quoted = " ".join(quote.words for quote in quotes_of(place.entry.raw))
    own = content_words(f"{place.entry.text} {quoted}")
    return own, content_words(" ".join(place.entry.path))


def _narrowed(places: Sequence[EntryPlace], message: str, before: str) -> Sequence[EntryPlace]:
    """Of a large memory, the entries that share the beginning of a word with what was said."""
    if len(places) <= _MOST_READ:
        return places
    # One regular expression over the raw text is many times faster than reading each entry.
    beginnings = {_beginning(token.folded) for token in tokens(f"{message[:2000]} {before[-800:]}")}
    pattern = re.compile("|".join(map(re.escape, sorted(filter(None, beginnings)))))
    if not beginnings:
        return []
    near = [place for place in places if pattern.search(place.entry.raw.casefold())]
    counted = sorted(near, key=lambda place: -len(set(pattern.findall(place.entry.raw.casefold()))))
    return counted[:_MOST_READ]


def _beginning(word: str) -> str:
    if is_cjk(word):
        return word
    return word[: max(_SHORT, len(word) - 3)] if len(word) >= _SHORT else ""
