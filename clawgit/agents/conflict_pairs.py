"""Finds the entries that are worth comparing, and those that contradict each other."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.contract import Mind, Snapshot
from clawgit.domain.claims.contradicting import (
    NAME,
    Dispute,
    exchange,
    is_statement,
    lead_of,
    least,
    sentence_at,
    surety,
)
from clawgit.domain.claims.records import is_from_conversation
from clawgit.domain.conversation.session_note import is_label
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.entry import Entry, content_key, entries, holds_entries
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.model.proof import proven
from clawgit.domain.workspace.tiers import CORE, dated, tier
from clawgit.language.files import codes
from clawgit.language.lexicon import lexicon
from clawgit.language.spans import Span
from clawgit.language.stems import content_words, stem
from clawgit.language.tokens import is_cjk

if TYPE_CHECKING:
    from clawgit.domain.facts.likeness import VectorNearness

_MOST_OTHER = 3
"""If both sides have more words of their own, they are not compared."""

_NEAR = 0.8
"""Two entries with at least this cosine are compared."""

_COMMON = 40
"""A word in more entries than this says little, and finds no neighbour."""


_MOST_ALIKE = 8
"""How many neighbours one entry is compared with."""

_MOST_WORDS = 8
"""How many of an entry's rarest words are used to find its neighbours."""

_MOST_JUDGED = 30
"""How many pairs a model is asked about in one run."""


_MOST_NEAR = 256
"""How many entries are compared by meaning, and with how many."""

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
        return f"{self.dispute.kind} ({self.dispute}; {self.surety:.0%} sure)"


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


def _oldest(snapshot: Snapshot) -> date:
    """Notes from before this day are compacted, or too many."""
    days = snapshot.settings.compaction_age_days or _MOST_DAYS
    return snapshot.today - timedelta(days=min(days, _MOST_DAYS))


def standing_entries(snapshot: Snapshot) -> list[EntryPlace]:
    """The entries that count today, from lasting files and from notes that are not compacted
    yet.
    """
    oldest = _oldest(snapshot)
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


def alike(
    places: Sequence[EntryPlace], fresh: Sequence[int], nearness: "VectorNearness | None"
) -> dict[Pair, float]:
    """Pairs each fresh entry with a few neighbours, with their scores.

    Neighbours share rare words, or are near in meaning under the same heading.
    """
    words = [_rough_words(place.entry.text) for place in places]
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for at, own in enumerate(words):
        for word in own:
            holding[word].append(at)
    pairs: dict[Pair, float] = {}
    for at in fresh:
        for other, score in _neighbours(at, words[at], holding):
            pairs[_pair(at, other)] = score
    if nearness:
        pairs |= _near(places, fresh[:_MOST_NEAR], nearness)
    return pairs


def _neighbours(
    at: int, words: frozenset[str], holding: Mapping[str, Sequence[int]]
) -> list[tuple[int, float]]:
    """The likeliest other entries, by how rare the shared words are."""
    rarest = sorted((len(holding[word]), holding[word]) for word in words)
    scores: defaultdict[int, float] = defaultdict(float)
    for count, others in rarest[:_MOST_WORDS]:
        for other in others if count <= _COMMON else ():
            scores[other] += 1 / count
    scores.pop(at, None)
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [(other, min(score, 1.0)) for other, score in best[:_MOST_ALIKE]]


def _near(
    places: Sequence[EntryPlace], fresh: Sequence[int], nearness: "VectorNearness"
) -> dict[Pair, float]:
    """Pairs with one of the last entries that are near in meaning under the same heading."""
    others = range(len(places))[-_MOST_NEAR:]
    mine, theirs = ([lead_of(places[at].entry.text) for at in side] for side in (fresh, others))
    rows = zip(fresh, nearness.cosines(mine, theirs), strict=True)
    return {
        _pair(at, other): float(score)
        for at, row in rows
        for other, score in zip(others, row, strict=True)
        if score >= _NEAR and other != at and _heading(places[at]) == _heading(places[other])
    }


def _rough_words(text: str) -> frozenset[str]:
    """Words to look entries up by; cheaper than `content_words`."""
    words = set(_WORD.findall(lead_of(text)[:_LONGEST].casefold())) - _function_words()
    pairs = {word[at : at + 2] for word in words if is_cjk(word) for at in range(len(word) - 1)}
    return frozenset(pairs | {stem(word) for word in words if not is_cjk(word)})


@cache
def _function_words() -> frozenset[str]:
    return frozenset(word for code in codes() for word in lexicon(code).words("function_words"))


def by_rules(places: Sequence[EntryPlace], pairs: Iterable[Pair]) -> Iterator[FoundConflict]:
    """The pairs in which one value is exchanged, or denied, and the judge agrees."""
    for a, b in sorted(pairs):
        if found := _disagreement(places[a], places[b]):
            yield found


def _disagreement(a: EntryPlace, b: EntryPlace) -> FoundConflict | None:
    """What of two entries cannot both be true, if structure and judge agree."""
    texts, headings = (a.entry.text, b.entry.text), _headings(a, b)
    dispute = exchange(*texts, *headings) if _is_close(*texts) else None
    if dispute is None or _are_items(a, b, dispute):
        return None
    # The judge is asked last: it costs more than all structural tests together.
    sure = surety(dispute, *texts, *headings)
    return FoundConflict(a, b, dispute, sure) if sure >= least(dispute, *texts) else None


def _headings(a: EntryPlace, b: EntryPlace) -> tuple[str, str]:
    """The heading paths of both. The titles of files count if one of the two is a person's note:
    such a title may name what the file is about.
    """
    # As a rule the first heading above an entry is the title of its file.
    begins = int(is_from_conversation(a.entry) and is_from_conversation(b.entry))
    return " > ".join(a.entry.path[begins:]), " > ".join(b.entry.path[begins:])


def _is_close(a: str, b: str) -> bool:
    """Whether one says little that the other does not. A cheap test before the thorough one."""
    ours, theirs = _words(a), _words(b)
    return min(len(ours - theirs), len(theirs - ours)) <= _MOST_OTHER


def _are_items(a: EntryPlace, b: EntryPlace, dispute: Dispute) -> bool:
    """Whether two entries are a person's notes in one list. Unless both are full sentences, each is
    one of several.
    """
    if is_from_conversation(a.entry) or is_from_conversation(b.entry):
        return False
    is_one_list = a.path == b.path and a.entry.path == b.entry.path
    sentences = (
        sentence_at(a.entry.text, dispute.a).text,
        sentence_at(b.entry.text, dispute.b).text,
    )
    return is_one_list and (dispute.kind == NAME or not all(map(is_statement, sentences)))


@lru_cache(maxsize=16384)
def _words(text: str) -> frozenset[str]:
    return content_words(lead_of(text)[:_LONGEST])


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
