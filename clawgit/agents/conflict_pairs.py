"""Finds the entries that are worth comparing, and those that contradict each other."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.contract import Mind, Snapshot
from clawgit.domain.claims.compared import lead_of
from clawgit.domain.claims.conflict_pair import disagreement, in_words
from clawgit.domain.claims.contradicting import Dispute
from clawgit.domain.conversation.session_note import is_label
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.entry import Entry, content_key, entries, holds_entries
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.model.proof import proven
from clawgit.domain.workspace.tiers import CORE, dated, tier
from clawgit.language.files import codes
from clawgit.language.lexicon import lexicon
from clawgit.language.spans import Span
from clawgit.language.stems import stem
from clawgit.language.tokens import is_cjk

if TYPE_CHECKING:
    from clawgit.domain.facts.likeness import VectorNearness

_NEAR = 0.8
"""Two entries with at least this cosine are compared."""

_COMMON = 40
"""A word in more entries than this says little, and is looked up under its heading only."""

_TOO_COMMON = 1000
"""A word in more entries than this is not indexed at all."""

_MOST_ALIKE = 8
"""How many neighbours one entry is compared with."""

_MOST_WORDS = 8
"""How many of an entry's rarest words are used to find its neighbours."""

_MOST_JUDGED = 30
"""How many pairs a model is asked about in one run."""

_MOST_PAIRS = 4_000
"""After this many pairs a run stops."""

_MOST_OF_BLOCK = 256
"""How many entries are in one batch of vectors, and with how many of the last ones of a heading
they are compared."""

_LONGEST = 400
"""How many characters of an entry are indexed."""

_MOST_DAYS = 60
"""Notes older than this are not compared, however late they are compacted."""

_WORD = re.compile(r"[^\W_]{2,}")

SEEN = "seen"
JUDGED = "judged"
"""The marks: the entries that the last run saw, and the pairs that a model has judged."""

Pair = tuple[int, int]
"""Two entries by their places, the earlier first."""


class FoundConflict(NamedTuple):
    """Two entries, the older first, what they disagree on, and how sure that is."""

    a: EntryPlace
    b: EntryPlace
    dispute: Dispute
    surety: float
    by_model: bool = False

    @property
    def sides(self) -> tuple[EntryPlace, EntryPlace]:
        return self.a, self.b

    @property
    def rule(self) -> str:
        """The contradiction in words."""
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


class PairJudgement(NamedTuple):
    """Only the contradictory pairs. Notes that can both be true are left out."""

    contradictions: tuple[Judged, ...] = ()


def standing_entries(snapshot: Snapshot) -> list[EntryPlace]:
    """The entries that count today, from lasting files and from notes that are not compacted
    yet.
    """
    days = min(snapshot.settings.compaction_age_days, _MOST_DAYS)
    oldest = snapshot.today - timedelta(days=days)
    places = [
        EntryPlace(path, entry)
        for path in sorted(snapshot.files)
        if _is_compared(path, oldest)
        for entry in entries(snapshot.files.get(path) or "")
        if _says_something(entry)
    ]
    return [place for place in places if stands(place, snapshot)]


def _is_compared(path: str, oldest: date) -> bool:
    """Whether a file lasts, or is a note of a day since `oldest`."""
    if not holds_entries(path) or not tier(path):
        return False
    if tier(path) == CORE:
        return True
    day = dated(path)
    return day is not None and day >= oldest


def _says_something(entry: Entry) -> bool:
    """Whether an entry is more than a label that OpenClaw writes above the note of one session."""
    return bool(entry.text) and not is_label(entry.text)


def stands(place: EntryPlace, snapshot: Snapshot) -> bool:
    expires = place.entry.meta and place.entry.meta.expires
    return place.status == ACTIVE and not (expires and expires < snapshot.today)


def updated(places: Sequence[EntryPlace], snapshot: Snapshot) -> list[int]:
    """Entries of the last 24 hours, then all that no run has seen, whoever wrote them."""
    known = set(snapshot.marks.get(SEEN, "").split())
    since = (snapshot.now - timedelta(hours=24)).date()
    recent = [at for at, place in enumerate(places) if _is_recent(place, since)]
    unknown = [at for at, place in enumerate(places) if said(place) not in known]
    return [*dict.fromkeys((*recent, *unknown))]


def said(place: EntryPlace) -> str:
    return _key(place.entry.text)


@lru_cache(maxsize=65536)
def _key(text: str) -> str:
    return content_key(text)


class Neighbours(NamedTuple):
    """The pairs worth a look with their scores, and the fresh entries that were looked at."""

    pairs: dict[Pair, float]
    done: tuple[int, ...]


def alike(
    places: Sequence[EntryPlace], fresh: Sequence[int], nearness: "VectorNearness | None"
) -> Neighbours:
    """Pairs each fresh entry with a few neighbours.

    Neighbours share rare words, or common ones under the same heading, or are near in meaning
    there. A run looks at a limited number of pairs; the next one goes on with the rest.
    """
    index = _Index(places)
    pairs: dict[Pair, float] = {}
    done: list[int] = []
    for at in fresh:
        if len(pairs) >= _MOST_PAIRS:
            break
        done.append(at)
        pairs |= {_pair(at, other): score for other, score in index.neighbours(at)}
    if nearness:
        pairs |= _near(places, done, nearness)
    return Neighbours(pairs, tuple(done))


class _Index:
    """Entries by their words, and by heading and word.

    A word that is common in all of memory may be rare under one heading.
    """

    def __init__(self, places: Sequence[EntryPlace]) -> None:
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
        """The likeliest other entries, by how rare the shared words are."""
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
    """Words to look entries up by; cheaper than `content_words`."""
    words = set(_WORD.findall(lead_of(text)[:_LONGEST].casefold())) - _function_words()
    pairs = {word[at : at + 2] for word in words if is_cjk(word) for at in range(len(word) - 1)}
    return frozenset(pairs | {stem(word) for word in words if not is_cjk(word)})


@cache
def _function_words() -> frozenset[str]:
    return frozenset(word for code in codes() for word in lexicon(code).words("function_words"))


def _near(
    places: Sequence[EntryPlace], fresh: Iterable[int], nearness: "VectorNearness"
) -> dict[Pair, float]:
    """Pairs that are near in meaning under the same heading.

    Vectors are compared in batches, and only with the last entries of a heading.
    """
    pairs: dict[Pair, float] = {}
    under: defaultdict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        under[_heading(place)].append(at)
    for heading, batch in _by_heading(places, fresh):
        others = under[heading][-_MOST_OF_BLOCK:]
        theirs = [lead_of(places[at].entry.text) for at in others]
        mine = [lead_of(places[at].entry.text) for at in batch]
        for at, row in zip(batch, nearness.cosines(mine, theirs), strict=True):
            scored = ((float(score), other) for score, other in zip(row, others, strict=True))
            nearest = sorted(scored, reverse=True)[:_MOST_ALIKE]
            pairs |= {
                _pair(at, other): score
                for score, other in nearest
                if other != at and score >= _NEAR
            }
    return pairs


def _by_heading(
    places: Sequence[EntryPlace], fresh: Iterable[int]
) -> Iterator[tuple[str, list[int]]]:
    """The fresh entries in batches of one heading each."""
    under: defaultdict[str, list[int]] = defaultdict(list)
    for at in fresh:
        under[_heading(places[at])].append(at)
    for heading, block in under.items():
        yield from (
            (heading, block[at : at + _MOST_OF_BLOCK])
            for at in range(0, len(block), _MOST_OF_BLOCK)
        )


def by_rules(places: Sequence[EntryPlace], pairs: Iterable[Pair]) -> Iterator[FoundConflict]:
    """The pairs in which one value is exchanged, or denied, and the judge agrees."""
    for a, b in sorted(pairs):
        if disagreed := disagreement(places[a], places[b]):
            yield FoundConflict(places[a], places[b], disagreed.dispute, disagreed.surety)


def by_model(
    mind: Mind, pairs: Sequence[tuple[EntryPlace, EntryPlace]]
) -> tuple[list[FoundConflict], int]:
    """The conflicts that a model finds in pairs without a finding by the rules, and how many of
    its answers quote what is not there.

    None is certain: the operator decides. NoAnswerError if the model gives no answer.
    """
    shown = {
        f"pair {number}": f"a: {_headed(a)}\nb: {_headed(b)}"
        for number, (a, b) in enumerate(pairs, 1)
    }
    answers = mind.ask(_INSTRUCTIONS, shown, PairJudgement).contradictions
    found = [each for each in (_proven(answer, pairs) for answer in answers) if each]
    return found, len(answers) - len(found)


def _proven(answer: Judged, pairs: Sequence[tuple[EntryPlace, EntryPlace]]) -> FoundConflict | None:
    """The conflict that a model names; None if it quotes what a side does not say."""
    if not 0 < answer.pair <= len(pairs):
        return None
    a, b = pairs[answer.pair - 1]
    said_a, said_b = _quoted(answer.quote_a, a), _quoted(answer.quote_b, b)
    if said_a is None or said_b is None:
        return None
    return FoundConflict(a, b, Dispute("value", said_a, said_b), 0.0, by_model=True)


def to_judge(
    places: Sequence[EntryPlace],
    pairs: Mapping[Pair, float],
    done: Iterable[FoundConflict],
    judged: set[str],
) -> list[tuple[EntryPlace, EntryPlace]]:
    """The likeliest pairs on which the rules found nothing and that no model has seen."""
    known = judged | {pair_key(finding.a, finding.b) for finding in done}
    likeliest = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    candidates = [(places[a], places[b]) for a, b in likeliest]
    return [pair for pair in candidates if pair_key(*pair) not in known][:_MOST_JUDGED]


def pair_key(a: EntryPlace, b: EntryPlace) -> str:
    return "-".join(sorted((said(a), said(b))))


def _heading(place: EntryPlace) -> str:
    """The headings below the title of a file; if there are none, the file's name."""
    return " > ".join(place.entry.path[1:]).casefold() or place.path


def _headed(place: EntryPlace) -> str:
    if not place.entry.path:
        return place.entry.text
    return f"[{' > '.join(place.entry.path)}] {place.entry.text}"


def _pair(first: int, second: int) -> Pair:
    return min(first, second), max(first, second)


def _is_recent(place: EntryPlace, since: date) -> bool:
    meta = place.entry.meta
    days = [day for day in (meta.last, meta.first) if day] if meta else []
    return any(day >= since for day in days)


def _quoted(quote: str, place: EntryPlace) -> Span | None:
    """Where a model's quote is in an entry; None if it was invented."""
    words = " ".join(quote.split())
    at = place.entry.text.casefold().find(words.casefold())
    if at < 0 or not proven(words, place.entry.text):
        return None
    return Span(at, at + len(words), place.entry.text[at : at + len(words)])


_INSTRUCTIONS = (
    "Each pair shows two notes of one memory, each with its heading. Name the pairs whose notes "
    "contradict each other: the same subject and the same attribute, but another value, number, "
    "date, or the opposite, so that both cannot be true now. Two facts that can both be true, a "
    "plan and its outcome, records of different runs, or different times are not contradictions. "
    "Quote the words of both."
)
