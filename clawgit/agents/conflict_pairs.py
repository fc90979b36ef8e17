"""Which entries the Conflict Detector compares, and which of these contradict each other: by rules,
by a model.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.agents.contract import Mind, Nearness, Snapshot
from clawgit.domain.claims.compared import lead_of
from clawgit.domain.claims.conflict_pair import disagreement, in_words
from clawgit.domain.claims.contradicting import Dispute
from clawgit.domain.claims.records import stating
from clawgit.domain.conversation.session_note import is_label
from clawgit.domain.facts.fact_verdict import Place
from clawgit.domain.markdown.entry import Entry, content_key, entries, holds_entries
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.workspace.tiers import CORE, dated, tier
from clawgit.language.files import codes
from clawgit.language.lexicon import lexicon
from clawgit.language.spans import Span
from clawgit.language.stems import stem
from clawgit.language.tokens import is_cjk

SEEN = "seen"
JUDGED = "judged"
"""The marks: the entries that the last run saw, and the pairs that a model has judged."""

Pair = tuple[int, int]
"""Two entries by their places, the earlier first."""


class Finding(NamedTuple):
    """Two entries, the older first, what of them cannot both be true, and how sure that is."""

    a: Place
    b: Place
    dispute: Dispute
    surety: float
    by_model: bool = False

    @property
    def rule(self) -> str:
        """What stands against what, in words."""
        if self.by_model:
            return f"model ({self.dispute})"
        return in_words(self.dispute, self.surety)


class Judged(NamedTuple):
    """One pair of notes that cannot both be true at the same time, of the same subject and
    attribute.

    `quote_a` and `quote_b` are the words of either note that contradict each other, copied exactly.
    """

    pair: int
    quote_a: str
    quote_b: str
    why: str = ""


class Judgement(NamedTuple):
    """The contradictory pairs alone. Notes that can both be true are left out."""

    contradictions: tuple[Judged, ...] = ()


def standing_entries(snapshot: Snapshot) -> list[Place]:
    """What memory holds to be true today: the lasting files, and the notes of days that are not yet
    compacted.
    """
    oldest = snapshot.today - timedelta(days=min(snapshot.settings.compaction_age_days, _MOST_DAYS))
    found: list[Place] = []
    for path in sorted(snapshot.files):
        day = dated(path)
        if holds_entries(path) and tier(path) and (tier(path) == CORE or (day and day >= oldest)):
            found += (
                Place(path, entry)
                for entry in entries(snapshot.files.get(path) or "")
                if _says_something(entry)
            )
    return [place for place in found if stands(place, snapshot)]


def _says_something(entry: Entry) -> bool:
    """A label of OpenClaw's above a session's note is true of that session alone."""
    return bool(entry.text) and not is_label(entry.text)


def stands(place: Place, snapshot: Snapshot) -> bool:
    expires = place.entry.meta and place.entry.meta.expires
    return place.status == ACTIVE and not (expires and expires < snapshot.today)


def comparable(places: Sequence[Place]) -> list[Place]:
    """Those that state how matters stand: what only records something is no side of a conflict."""
    return stating(places)


def updated(places: Sequence[Place], snapshot: Snapshot) -> list[int]:
    """Those of the last 24 hours, then all that no run has seen, whoever wrote them."""
    known = set(snapshot.marks.get(SEEN, "").split())
    since = (snapshot.now - timedelta(hours=24)).date()
    recent = [at for at, place in enumerate(places) if _is_recent(place, since)]
    unknown = [at for at, place in enumerate(places) if said(place) not in known]
    return [*dict.fromkeys((*recent, *unknown))]


def said(place: Place) -> str:
    return _key(place.entry.text)


@lru_cache(maxsize=65536)
def _key(text: str) -> str:
    return content_key(text)


class Neighbours(NamedTuple):
    """The pairs worth a look, each once, with how much speaks for it, and the fresh entries that
    were looked at.
    """

    pairs: dict[Pair, float]
    done: tuple[int, ...]


def alike(places: Sequence[Place], fresh: Sequence[int], nearness: Nearness | None) -> Neighbours:
    """Each fresh entry with a few neighbours: they share rare words, or common ones under the same
    heading, or are near in meaning there. A run looks at so many pairs and no more; the next one
    goes on with the entries that are left.
    """
    index = _Index(places)
    found: dict[Pair, float] = {}
    done: list[int] = []
    for at in fresh:
        if len(found) >= _MOST_PAIRS:
            break
        done.append(at)
        found |= {_pair(at, other): score for other, score in index.neighbours(at)}
    if nearness:
        found |= _near(places, done, nearness)
    return Neighbours(found, tuple(done))


class _Index:
    """Entries by their words, and by heading and word: what is common in all of memory may be rare
    under a heading.
    """

    def __init__(self, places: Sequence[Place]) -> None:
        self._words = [_rough_words(place.entry.text) for place in places]
        self._headings = [_heading(place) for place in places]
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for at, words in enumerate(self._words):
            for word in words:
                self._holding[word].append(at)
        self._under: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for word, holding in self._holding.items():
            if _COMMON < len(holding) <= _TOO_COMMON:
                for at in holding:
                    self._under[self._headings[at], word].append(at)

    def neighbours(self, at: int) -> list[tuple[int, float]]:
        """The likeliest others, by how rare the words are that they share."""
        scores: defaultdict[int, float] = defaultdict(float)
        holding = sorted(self._of(at, word) for word in self._words[at])
        for count, others in [each for each in holding if each[0]][:_MOST_WORDS]:
            for other in others:
                scores[other] += 1 / count
        scores.pop(at, None)
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [(other, min(score, 1.0)) for other, score in best[:_MOST_ALIKE]]

    def _of(self, at: int, word: str) -> tuple[int, Sequence[int]]:
        holding: Sequence[int] = self._holding[word]
        if len(holding) > _COMMON:
            holding = self._under.get((self._headings[at], word), [])[-_COMMON:]
        return len(holding), holding


def _rough_words(text: str) -> frozenset[str]:
    """Words to look up by, at less cost than `content_words`."""
    words = set(_WORD.findall(lead_of(text)[:_LONGEST].casefold())) - _function_words()
    pairs = {word[at : at + 2] for word in words if is_cjk(word) for at in range(len(word) - 1)}
    return frozenset(pairs | {stem(word) for word in words if not is_cjk(word)})


@cache
def _function_words() -> frozenset[str]:
    return frozenset(word for code in codes() for word in lexicon(code).function_words)


def _near(places: Sequence[Place], fresh: Iterable[int], nearness: Nearness) -> dict[Pair, float]:
    """What is near in meaning under the same heading: in batches, and of a heading its last entries
    alone.
    """
    found: dict[Pair, float] = {}
    under: defaultdict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        under[_heading(place)].append(at)
    for heading, asked in _by_heading(places, fresh):
        others = under[heading][-_MOST_OF_BLOCK:]
        texts = [lead_of(places[at].entry.text) for at in others]
        rows = nearness.cosines([lead_of(places[at].entry.text) for at in asked], texts)
        for at, row in zip(asked, rows, strict=True):
            near = sorted(
                ((float(score), other) for score, other in zip(row, others, strict=True)),
                reverse=True,
            )
            found |= {
                _pair(at, other): score
                for score, other in near[:_MOST_ALIKE]
                if other != at and score >= _NEAR
            }
    return found


def _by_heading(places: Sequence[Place], fresh: Iterable[int]) -> Iterator[tuple[str, list[int]]]:
    """The fresh entries in batches of one heading each."""
    asked: defaultdict[str, list[int]] = defaultdict(list)
    for at in fresh:
        asked[_heading(places[at])].append(at)
    for heading, block in asked.items():
        yield from (
            (heading, block[at : at + _MOST_OF_BLOCK])
            for at in range(0, len(block), _MOST_OF_BLOCK)
        )


def by_rules(places: Sequence[Place], pairs: Iterable[Pair]) -> Iterator[Finding]:
    """The pairs in which one value is exchanged, or denied, and the judge agrees."""
    for a, b in sorted(pairs):
        if found := disagreement(places[a], places[b]):
            yield Finding(places[a], places[b], found.dispute, found.surety)


def by_model(mind: Mind, pairs: Sequence[tuple[Place, Place]]) -> Iterator[Finding]:
    """What a model finds in pairs that the rules let pass; it must quote both. NoAnswerError where
    it has none.
    """
    shown = {
        f"pair {number}": f"a: {_headed(a)}\nb: {_headed(b)}" for number,
            (a, b) in enumerate(pairs, 1)
    }  # fmt: skip
    for answer in mind.ask(_INSTRUCTIONS, shown, Judgement).contradictions:
        if not 0 < answer.pair <= len(pairs):
            continue
        a, b = pairs[answer.pair - 1]
        spans = _quoted(answer.quote_a, a), _quoted(answer.quote_b, b)
        if spans[0] and spans[1]:
            yield Finding(a, b, Dispute("value", spans[0], spans[1]), 1.0, by_model=True)


def to_judge(
    places: Sequence[Place], pairs: Mapping[Pair, float], done: Iterable[Finding], judged: set[str]
) -> list[tuple[Place, Place]]:
    """The likeliest pairs on which the rules found nothing and that no model has seen."""
    ruled = {pair_key(finding.a, finding.b) for finding in done}
    likeliest = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    asked = [(places[a], places[b]) for a, b in likeliest]
    return [two for two in asked if (key := pair_key(*two)) not in ruled and key not in judged][
        :_MOST_JUDGED
    ]


def pair_key(a: Place, b: Place) -> str:
    return "-".join(sorted((said(a), said(b))))


def _heading(place: Place) -> str:
    """The headings below the title of a file; where there are none, its own name."""
    return " > ".join(place.entry.path[1:]).casefold() or place.path


def _headed(place: Place) -> str:
    return (
        f"[{' > '.join(place.entry.path)}] {place.entry.text}"
        if place.entry.path
        else place.entry.text
    )


def _pair(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)


def _is_recent(place: Place, since: date) -> bool:
    meta = place.entry.meta
    days = [day for day in (meta.last, meta.first) if day] if meta else []
    return any(day >= since for day in days)


def _quoted(quote: str, place: Place) -> Span | None:
    """Where the words stand that a model quotes; None where it invented them."""
    words = " ".join(quote.split())
    at = place.entry.text.casefold().find(words.casefold())
    if at < 0 or len(words) < _SHORTEST_QUOTE:
        return None
    return Span(at, at + len(words), place.entry.text[at : at + len(words)])


_NEAR = 0.8
_COMMON = 40
_TOO_COMMON = 1000
_MOST_ALIKE = 8
_MOST_WORDS = 8
_MOST_JUDGED = 30
_MOST_PAIRS = 4_000
_MOST_OF_BLOCK = 256
_LONGEST = 400
_WORD = re.compile(r"[^\W_]{2,}")
_MOST_DAYS = 60
_SHORTEST_QUOTE = 2
_INSTRUCTIONS = (
    "Each pair shows two notes of one memory, each with its heading. Name the pairs whose notes "
    "contradict each other: "
    "the same subject and the same attribute, but another value, number, date, or the opposite, "
    "so that both cannot be "
    "true now. Two facts that can both be true, a plan and its outcome, records of different "
    "runs, or different times "
    "are no contradiction. Quote the words of both."
)
