"""Which entries the Conflict Detector compares, and which of these contradict each other: by rules, by a model."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from clawgit.agents.contract import Mind, Nearness, Snapshot
from clawgit.domain.comment import ACTIVE
from clawgit.domain.contradiction import Contradiction, contradiction, keys
from clawgit.domain.entry import Entry, content_key, entries, holds_entries
from clawgit.domain.known import Place
from clawgit.domain.likeness import Likeness
from clawgit.domain.session_note import is_label
from clawgit.domain.tiers import CORE, dated, tier

SEEN, JUDGED = "seen", "judged"
"""The marks: the entries that the last run saw, and the pairs that a model has judged."""


class Finding(NamedTuple):
    """Two entries, the older first, and why they cannot both be true."""

    a: Place
    b: Place
    contradiction: Contradiction


class Judged(NamedTuple):
    """One pair of notes that cannot both be true at the same time, of the same subject and attribute.

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
    """What memory holds to be true today: the lasting files, and the notes of days that are not yet compacted."""
    oldest = snapshot.today - timedelta(days=min(snapshot.settings.compaction_age_days, _MOST_DAYS))
    found: list[Place] = []
    for path in sorted(snapshot.files):
        day = dated(path)
        if holds_entries(path) and tier(path) and (tier(path) == CORE or (day and day >= oldest)):
            found += (Place(path, entry) for entry in entries(snapshot.files.get(path) or "") if _says_something(entry))
    return [place for place in found if stands(place, snapshot)]


def _says_something(entry: Entry) -> bool:
    """A label of OpenClaw's above a session's note is true of that session alone."""
    return bool(entry.text) and not is_label(entry.text)


def stands(place: Place, snapshot: Snapshot) -> bool:
    expires = place.entry.meta and place.entry.meta.expires
    return place.status == ACTIVE and not (expires and expires < snapshot.today)


def updated(places: Sequence[Place], snapshot: Snapshot) -> list[int]:
    """Those of the last 24 hours, and all that no run has seen, whoever wrote them."""
    known = set(snapshot.marks.get(SEEN, "").split())
    since = (snapshot.now - timedelta(hours=24)).date()
    return [at for at, place in enumerate(places) if said(place) not in known or _is_recent(place, since)]


def said(place: Place) -> str:
    return _key(place.entry.text)


@lru_cache(maxsize=16384)
def _key(text: str) -> str:
    return content_key(text)


def alike(places: Sequence[Place], fresh: Iterable[int], nearness: Nearness | None) -> dict[tuple[int, int], float]:
    """The pairs worth a look, each once, with how much speaks for it: they share rare words, or are near in meaning."""
    texts = [place.entry.text for place in places]
    chosen = list(fresh)
    found = dict(_sharing(texts, chosen))
    if nearness and chosen:
        rows = Likeness(texts).all_alike([texts[at] for at in chosen], _NEAR, nearness)
        for at, row in zip(chosen, rows, strict=True):
            found |= {_pair(at, one.index): max(one.score, found.get(_pair(at, one.index), 0)) for one in row}
    return {pair: score for pair, score in found.items() if pair[0] != pair[1]}


def by_rules(places: Sequence[Place], pairs: Iterable[tuple[int, int]]) -> Iterator[Finding]:
    for a, b in sorted(pairs):
        if found := contradiction(places[a].entry.text, places[b].entry.text):
            yield Finding(places[a], places[b], found)


def by_model(mind: Mind, pairs: Sequence[tuple[Place, Place]]) -> Iterator[Finding]:
    """What a model finds in pairs that the rules let pass; it must quote both. NoAnswerError where it has none."""
    told = {
        f"pair {number}": f"a: {a.entry.text}\nb: {b.entry.text}" for number, (a, b) in enumerate(pairs, 1)
    }  # fmt: skip
    for one in mind.ask(_INSTRUCTIONS, told, Judgement).contradictions:
        if not 0 < one.pair <= len(pairs):
            continue
        a, b = pairs[one.pair - 1]
        if _quotes(one.quote_a, a) and _quotes(one.quote_b, b):
            yield Finding(a, b, Contradiction("model", f"“{_line(one.quote_a)}” against “{_line(one.quote_b)}”"))


def to_judge(
    places: Sequence[Place], pairs: Mapping[tuple[int, int], float], done: Iterable[Finding], judged: set[str]
) -> list[tuple[Place, Place]]:
    """The likeliest pairs on which the rules found nothing and that no model has seen."""
    ruled = {pair_key(one.a, one.b) for one in done}
    best = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    named = ((places[a], places[b]) for a, b in best)
    return [two for two in named if pair_key(*two) not in ruled | judged][:_MOST_JUDGED]


def pair_key(a: Place, b: Place) -> str:
    return "-".join(sorted((said(a), said(b))))


def _sharing(texts: Sequence[str], fresh: Iterable[int]) -> Iterator[tuple[tuple[int, int], float]]:
    words = [keys(text) for text in texts]
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for at, found in enumerate(words):
        for word in found:
            holding[word].append(at)
    for at in fresh:
        scores: defaultdict[int, float] = defaultdict(float)
        rarest = sorted(words[at], key=lambda word: (len(holding[word]), word))
        for number, word in enumerate(rarest):
            if len(holding[word]) <= _COMMON or not number:
                share = 1 / len(holding[word])
                for other in holding[word][-_COMMON:]:
                    scores[other] += share
        scores.pop(at, None)
        for other, score in sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:_MOST_ALIKE]:
            yield _pair(at, other), min(score, 1.0)


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _is_recent(place: Place, since: date) -> bool:
    meta = place.entry.meta
    days = [day for day in (meta.last, meta.first) if day] if meta else []
    return any(day >= since for day in days)


def _quotes(quote: str, place: Place) -> bool:
    return len(quote.strip()) >= _SHORTEST_QUOTE and _line(quote).casefold() in _line(place.entry.text).casefold()


def _line(text: str) -> str:
    return " ".join(text.split())


_NEAR = 0.8
_COMMON, _MOST_ALIKE, _MOST_JUDGED = 150, 24, 30
_MOST_DAYS = 60
_SHORTEST_QUOTE = 2
_INSTRUCTIONS = (
    "Each pair shows two notes of one memory. Name the pairs whose notes contradict each other: the same subject and "
    "the same attribute, but another value, number, date, or the opposite, so that both cannot be true now. "
    "Two facts that can both be true, a plan and its outcome, or different times are no contradiction. "
    "Quote the words of both."
)
