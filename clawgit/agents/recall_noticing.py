"""The second look: news that no phrase gave away, and that gives another value for what an entry says.

Nobody called the validator here, so nothing is guessed: the statement must say of the very same subject all that the
entry says of it, with another value in the one place where they differ. The rest is the Memory Miner's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from clawgit.agents.contract import Call
from clawgit.agents.recall_judging import CORRECTED, LEFT, Ruling, is_external, of_words
from clawgit.domain.chat import unwrapped
from clawgit.domain.correction_acts import is_unsure
from clawgit.domain.correction_matching import Hit, Nearness, found, wording
from clawgit.domain.correction_objection import Objection, Scene
from clawgit.domain.correction_reading import heard
from clawgit.domain.correction_slots import content, slots
from clawgit.domain.correction_turn import subject_of
from clawgit.domain.known import Place

Known = Mapping[str, Sequence[tuple[frozenset[str], Place]]]
"""What each entry is about, and the entry, by one word of that: few messages need a closer look, and at few entries."""


def known(places: Sequence[Place], operator: str) -> Known:
    """The entries that hold, made ready for many messages."""
    found: dict[str, list[tuple[frozenset[str], Place]]] = {}
    for place in places:
        if about := _about(wording(place.entry), operator):
            found.setdefault(min(about), []).append((about, place))
    return found


_UNHEARD = Ruling(LEFT, "no entry plainly says otherwise")


def noticed(call: Call, scene: Scene, there: Known, nearness: Nearness | None) -> Ruling:
    """The ruling on a message that called nobody: a correction only where one entry plainly says otherwise."""
    text = unwrapped(call.message.text)
    places = _spoken_of(text, there) if len(text) <= _LONGEST else []
    if not places or is_external(call):
        return _UNHEARD
    if (barred := of_words(text)).kind == LEFT:
        return barred
    for objection in heard(text).objections[:_MOST]:
        if not objection.whole or is_unsure(objection.around or objection.said):
            continue
        finding = found(objection, scene, places, nearness)
        plain = [hit for hit in finding.hits if _is_later(call, hit) and _is_plain(objection, hit, scene)]
        if len(plain) == 1 and plain[0] == finding.hits[0]:
            told = finding._replace(hits=(plain[0]._replace(named=False),))
            return Ruling(CORRECTED, right=plain[0].text, said=scene.turn[:_LONGEST], finding=told)
    return _UNHEARD


def _spoken_of(text: str, there: Known) -> list[Place]:
    words = content(text)
    return [place for word in sorted(words) for about, place in there.get(word, ()) if about <= words]


def _about(text: str, operator: str) -> frozenset[str]:
    """What an entry is about, by the words of its subject."""
    return content(subject_of(text)) - content(operator)


def _is_later(call: Call, hit: Hit) -> bool:
    """Whether the message came after what the entry rests on: what was said before it is no news."""
    meta = hit.place.entry.meta
    return meta is None or meta.last is None or call.message.time.date() >= meta.last


def _is_plain(objection: Objection, hit: Hit, scene: Scene) -> bool:
    """Whether a statement says all that an entry says, but for one value, which it gives otherwise."""
    old, said = wording(hit.place.entry), content(objection.said)
    before, after, who = content(old), content(hit.text), content(scene.operator)
    gone, new = before - after, after - before
    if not hit.sure or not gone or not new or gone & said or _OF_THE_PAST.search(old):
        return False
    named = bool(objection.wrong) and gone <= content(objection.wrong)
    if not ({*_values(hit.text)} - {*_values(old)} and {*_values(old)} - {*_values(hit.text)}):
        return False
    about = _about(old, scene.operator)
    rest = about if named else (before & after) - who
    return bool(about) and bool(rest) and about <= said and rest <= said


def _values(text: str) -> Iterator[str]:
    return (slot.text for slot in slots(text))


_MOST, _LONGEST = 6, 600
_OF_THE_PAST = re.compile(r"\b(?:was|were|had|last|ago|yesterday|used to|until|since)\b", re.IGNORECASE)
