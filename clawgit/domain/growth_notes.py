"""What files say about how the agent behaves: corrections, lessons it noted, what it proved that it can do."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, tzinfo
from itertools import combinations

from clawgit.domain.corrections import Correction
from clawgit.domain.entry import Entry, entries
from clawgit.domain.growth import CORRECTED, FAILED, PROVEN, Sign
from clawgit.domain.growth_hearing import behaviour, capability, lesson, quoted
from clawgit.domain.mention import words
from clawgit.domain.tags import tags_in
from clawgit.domain.tiers import dated

SKILL = "skill"


def corrected(corrections: Iterable[Correction], zone: tzinfo | None) -> tuple[Sign, ...]:
    """The corrections of what the agent does. One that is open proves nothing; one of a fact is none of the soul."""
    found: list[Sign] = []
    for one in corrections:
        if one.binds and (rule := behaviour(one.correct) or behaviour(one.words)):
            said = one.words or one.correct
            found.append(Sign(CORRECTED, rule, _when(one, zone), one.evidence, quoted(said)))
    return tuple(found)


def forgotten(corrections: Iterable[Correction], zone: tzinfo | None) -> tuple[Sign, ...]:
    """Mistakes of memory that came again: corrections about the same thing, whose facts memory should have known."""
    facts = [one for one in corrections if one.binds and one.time and not behaviour(one.correct or one.words)]
    told = [(fact, _telling(fact.correct)) for fact in facts[-_MANY:]]
    found: dict[str, Sign] = {}
    for (one, mine), (other, theirs) in combinations(told, 2):
        if about := _shared(mine, theirs):
            for side in (one, other):
                found.setdefault(side.evidence, _recall(side, about, zone))
    return tuple(found.values())


def _recall(fact: Correction, about: tuple[str, ...], zone: tzinfo | None) -> Sign:
    rule = f"Search your memory before you speak of {' '.join(about)}."
    theme = f"recall {' '.join(sorted(about))}"
    return Sign(FAILED, rule, _when(fact, zone), fact.evidence, quoted(fact.words or fact.correct), theme)


def noted(path: str, text: str, zone: tzinfo | None) -> Iterator[Sign]:
    """The lessons and proofs among the entries of a file, each for every day on which it is known to have been noted.
    What names no day cannot tell that it happened twice.
    """
    if not _LESSON.search(text) and f"#{SKILL}" not in text:
        return
    for entry in entries(text):
        for day in _days(path, entry):
            when = datetime.combine(day, time(), zone or UTC)
            yield from _noted(entry, when, f"{path}#{entry.key}")


def _noted(entry: Entry, when: datetime, evidence: str) -> Iterator[Sign]:
    said = _without_tags(entry.text)
    if _LESSON.search(said) and (rule := lesson(said)):
        yield Sign(FAILED, rule, when, evidence, quoted(said))
    elif SKILL in entry.tags and _SUCCESS.search(said) and (proven := capability(_FIRST_PERSON.sub("I ", said))):
        yield Sign(PROVEN, proven, when, evidence, quoted(said))


def _days(path: str, entry: Entry) -> Sequence[date]:
    """A mention on a later day counts as another time; days between the first and the last are not known."""
    meta = entry.meta
    known = [day for day in (meta.first, meta.last) if day] if meta else []
    day = dated(path)
    return sorted({*known} or ({day} if day else set()))


def _telling(fact: str) -> tuple[str, ...]:
    return tuple(word for word in words(fact) if word.isalpha() and len(word) > _SHORT and word not in _COMMON)


def _shared(mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """What two corrected facts are both about, in a word or two; one word is enough for a fact of few."""
    both = [word for word in dict.fromkeys(mine) if word in theirs]
    return tuple(both[:_FEW]) if len(both) > 1 or len(mine) <= _TERSE else ()


def _when(correction: Correction, zone: tzinfo | None) -> datetime:
    moment = correction.time or datetime(1970, 1, 1, tzinfo=UTC)
    return moment.astimezone(zone)


def _without_tags(text: str) -> str:
    for tag in tags_in(text):
        text = text.replace(f"#{tag}", "")
    return " ".join(text.split())


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MANY = 200
_SHORT = 2
_FEW = 2
_TERSE = 3
_COMMON = _set(
    """not and the for with from was were are has have had his her their its our your this that then than but who which
    when where what now new old all any per one two day days time uses use used runs run lives live name called right
    wrong correct actually since until into onto over under instead"""
)
_LESSON = re.compile(
    r"\b(?:lessons?|learned|learnt|takeaway|note to self|never again|mistake|should have)\b|教训|교훈", re.IGNORECASE
)
_SUCCESS = re.compile(
    r"\b(?:works?|worked|success\w*|succeeded|verified|proven|passed|confirmed)\b|成功|성공", re.IGNORECASE
)
_FIRST_PERSON = re.compile(r"^(?:i (?:have )?|successfully )*(?=\w)", re.IGNORECASE)
