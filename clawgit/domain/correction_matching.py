"""Which entries a correction means, and how each of them reads with the right value."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from clawgit.domain.comment import lead_end
from clawgit.domain.correction_alignment import of_two_things
from clawgit.domain.correction_objection import Objection, Scene
from clawgit.domain.correction_put import FAMILY, KIND, SOLE, SPELLING, Put, put_last
from clawgit.domain.correction_slots import bare, claimed, content, holds, slots
from clawgit.domain.correction_turn import (
    answer_given,
    contradicts,
    of_others,
    of_ours,
    of_what_was_said,
    other_subject,
    own_words,
    put_right,
    said_wrong,
    subject_of,
    who_instead,
)
from clawgit.domain.correction_values import CHANGES, DAY, GENERIC, NAME
from clawgit.domain.correction_wording import answer, dated, finished, standing
from clawgit.domain.entry import Entry
from clawgit.domain.known import Place
from clawgit.domain.likeness import Nearness
from clawgit.domain.mention import same_fact
from clawgit.domain.tags import visible

NEAR = 0.85
"""From this cosine on, an entry speaks of the same matter."""

_SOME, _HALF, _MOST = 0.3, 0.5, 0.6
_TWO, _SHORT = 2, 8
_CLOSELY, _MUCH = 150, 100


class Hit(NamedTuple):
    """An entry that is meant, and its text as it shall be: the same where it was right all along. `named`: the wrong
    value stands in it; `sure`: its place in the sentence is certain.
    """

    place: Place
    text: str
    score: float
    sure: bool = True
    named: bool = False


class Finding(NamedTuple):
    """What is right as a whole sentence, "" where that cannot be told; what the agent said wrong; the entries that hold
    the wrong value, the one that is meant first.
    """

    right: str
    said: str
    hits: tuple[Hit, ...] = ()
    contradicts: bool = False
    """Whether it stands against what the agent said, value against value."""


class _Matter(NamedTuple):
    """What a correction is about, for comparing: its words without the values, and those of its subject."""

    words: frozenset[str]
    subject: frozenset[str]
    everything: frozenset[str]
    wrongs: tuple[str, ...]
    mine: bool
    told: bool
    """Whether the wrong value is beyond doubt: the operator objects to it, or the agent gave it for an answer."""
    named: bool = False
    """Whether the operator names the wrong value himself."""


def found(objection: Objection, scene: Scene, places: Sequence[Place], nearness: Nearness | None = None) -> Finding:
    """What a correction is about, by the words of both sides, and by meaning where that is at hand."""
    objection = of_what_was_said(objection, scene.turn)
    if objection.over and any(holds(text, objection.over) for text in (scene.turn, *map(_bare_text, places))):
        objection = objection._replace(wrong=objection.over, changed=True)
    said, corrected = said_wrong(objection, scene)
    named = bool(objection.wrong)
    if corrected and not contradicts(objection, said, corrected):
        said, corrected = "", None
    if not objection.wrong and (answered := answer_given(scene.turn)) and not holds(objection.said, answered):
        objection, said = objection._replace(wrong=answered), said or scene.turn
    right = _sentence(objection, scene, corrected)
    matter = _matter(objection, scene, said, corrected)._replace(named=named)
    if corrected and objection.firm and _is_distinct(corrected.old, places):
        matter = matter._replace(told=True)
    cosines = _cosines(nearness, [text for text in (right, said) if text], places)
    spoken = content(f"{objection.said} {objection.wrong} {said} {scene.turn} {scene.question}")
    hits = [
        hit
        for place, cosine in _likeliest(spoken, places, cosines)
        if (hit := _hit(objection, scene, matter, place, cosine, right))
    ]
    hits.sort(key=lambda hit: -hit.score)
    if objection.over and objection.over == objection.wrong:
        hits = hits[:1]
    return Finding(right, said, tuple(hits), contradicts=contradicts(objection, said, corrected))


def _sentence(objection: Objection, scene: Scene, corrected: Put | None) -> str:
    if objection.whole:
        return dated(standing(objection.said, scene.operator), "", scene.time)
    if corrected and not _OWN_DOING.match(corrected.text):
        return dated(standing(corrected.text, scene.operator, by_agent=True), corrected.old, scene.time)
    if said := answer(scene.question, objection.value):
        return dated(standing(said, scene.operator), "", scene.time)
    return ""


def _likeliest(spoken: frozenset[str], places: Sequence[Place], cosines: Sequence[float]) -> list[tuple[Place, float]]:
    """The entries that share most with what was spoken of, in their order: only these are read closely."""
    known = [*zip(places, cosines, strict=True)]
    if len(known) <= _CLOSELY:
        return known
    shared = [len(spoken & content(_bare_text(place))) + _MUCH * (cosine >= NEAR) for place, cosine in known]
    best = sorted(range(len(known)), key=lambda at: -shared[at])[:_CLOSELY]
    return [known[at] for at in sorted(best)]


def _matter(objection: Objection, scene: Scene, said: str, corrected: Put | None) -> _Matter:
    core = bare(objection.value)
    here = slots(f"x {core}")
    typed = [slot.text for slot in here if slot.kind != NAME] or [slot.text for slot in here]
    value = content(" ".join(typed) or core)
    wrongs = tuple(filter(None, (objection.wrong, corrected.old if corrected else "")))
    words = (content(objection.said) - value or content(objection.said)) if objection.whole else frozenset[str]()
    if of_ours(objection, corrected):
        words = (content(said) | content(objection.said)) - value
    elif not objection.whole:
        words = (content(objection.said) - value) | content(said) | content(scene.question)
        words |= content(objection.around) - value
    words -= frozenset().union(*map(content, wrongs)) if wrongs else frozenset()
    subject = subject_of(objection.said if objection.whole else said or objection.around)
    if corrected and not objection.whole and same_fact(corrected.old, subject):
        subject = ""
    mine = bool(_MINE.match(objection.said)) or bool(said and _YOURS.match(said) and not _RELATED.match(said))
    everything = (content(objection.said) | content(said)) - value
    told = bool(objection.wrong) and (objection.firm or holds(scene.turn, objection.wrong))
    return _Matter(words - _GENERIC - _CHANGES, own_words(f"{subject} is") - _GENERIC, everything, wrongs, mine, told)


def _hit(objection: Objection, scene: Scene, matter: _Matter, place: Place, cosine: float, right: str) -> Hit | None:  # noqa: PLR0911 - one guard clause for each way to say it
    text = _bare_text(place)
    words = content(text)
    share = _share(matter, words, whole=objection.whole)
    wrong = any(_claims(text, one) for one in matter.wrongs)
    if not _speaks_of(objection, scene, matter, text, words):
        return None
    if bare(objection.value) and holds(text, bare(objection.value)) and not wrong and not of_others(right, text):
        fits = share >= _HALF or not matter.words or same_fact(text, right)
        return Hit(place, text if _agrees(right, text) else right, 1 + share + cosine) if fits and right else None
    same_subject = not objection.whole or _same_subject(objection, scene, matter, text)
    changed = who_instead(text, objection, scene) or put_right(
        text, objection, turn=scene.turn, guess=not objection.whole and len(words) <= _SHORT
    )
    if changed and _of_other_role(objection, scene, matter, text, changed):
        return None
    if not changed and same_subject and objection.whole and (objection.firm or objection.changed):
        changed = _said_of_the_same(text, objection)
    if objection.whole and _ends_it(objection, scene, text, words, same_subject=same_subject):
        return Hit(place, right, share + cosine + _close(matter, words), named=wrong)
    spoken_of = share > 0 or not matter.words or bool(content(objection.said) & words - content(objection.value))
    told_wrong = matter.told and any(holds(text, one) for one in matter.wrongs)
    named = (wrong and (spoken_of or told_wrong)) or (changed is not None and changed.how in _ANYWHERE)
    instead = changed is not None and objection.firm and changed.old == subject_of(text).strip()
    enough = (
        _SOME
        if instead or (objection.whole and same_subject) or (matter.subject and matter.subject <= words)
        else _MOST
    )
    named = named or (instead and words <= content(scene.turn))
    bonus = _spoken(objection, words)
    if changed and changed.sure and (named or share >= enough or cosine >= NEAR):
        told = dated(finished(changed.text) if text[-1:] in ".!" else changed.text, changed.old, scene.time)
        return Hit(place, told, share + cosine + wrong + bonus + _close(matter, words), named=named)
    said_so = objection.firm and objection.whole and words <= content(scene.turn)
    if named or cosine >= NEAR or (same_subject and (said_so or share >= (_HALF if changed else _MOST))):
        told = changed.text if changed and not objection.whole else right
        if told and not _narrower(objection, matter, words, told):
            return Hit(place, told, share + cosine + wrong + _close(matter, words) - _HALF, sure=False, named=named)
    return None


def _same_subject(objection: Objection, scene: Scene, matter: _Matter, text: str) -> bool:
    """Whether an entry is about just what a statement is about; who sets right what was just said may call it less."""
    subject = content(subject_of(text)) - content(scene.operator) - _GENERIC
    if subject == matter.subject:
        return True
    return (
        objection.firm
        and bool(matter.subject)
        and matter.subject < subject <= content(f"{scene.turn} {scene.question}")
    )


def _of_other_role(objection: Objection, scene: Scene, matter: _Matter, text: str, changed: Put) -> bool:
    """Whether a statement is of what an entry only names: “Max moved to Vienna”, of “the trainer is Max”."""
    subject = content(subject_of(text))
    if not objection.whole or not matter.subject or not subject or changed.how in _ANYWHERE:
        return False
    if holds(changed.old, bare(subject_of(objection.said))):
        return True
    if objection.wrong:
        return False
    return not (matter.subject & subject) and not other_subject(text, objection, scene.turn)


def _spoken(objection: Objection, words: frozenset[str]) -> float:
    """How much of what a statement says besides its value an entry holds, too."""
    rest = content(objection.said) - content(bare(objection.value))
    told = len(rest & words) / len(rest) if rest else _HALF
    return told if objection.said == objection.value or objection.whole else max(told, 1.0)


def _said_of_the_same(text: str, objection: Objection) -> Put | None:
    """“The bucket is tvl-eu” in the place of “the bucket is called staging”: of one subject, one thing is said."""
    value = bare(objection.value)
    if len(value.split()) > _TWO or not _BE.search(objection.said) or not _BE.search(text):
        return None
    told = put_last(text, value)
    return told._replace(how=KIND) if told else None


def _ends_it(objection: Objection, scene: Scene, text: str, words: frozenset[str], *, same_subject: bool) -> bool:
    """Whether a statement says that what an entry tells is over: cancelled, sold, given up."""
    if ended := _STOPPED.search(objection.said):
        days = " ".join(slot.text for slot in slots(objection.said) if slot.kind == DAY)
        matter = content(bare(objection.said)) - _CHANGES - _GENERIC - _DOINGS - content(f"{ended[0]} {days}")
        spoken = len(matter) >= _TWO or (bool(matter) and matter <= content(scene.turn))
        if spoken and matter <= words and not _NEGATED.search(text) and not _STOPPED.search(text):
            return True
    return same_subject and bool(_ENDS.search(objection.said)) and not _ENDS.search(text)


def _share(matter: _Matter, words: frozenset[str], *, whole: bool) -> float:
    """How much of what is spoken of an entry holds; or how much of the entry, where it is not said what it is about."""
    both = len(matter.words & words)
    told = both / len(matter.words) if matter.words else 0.0
    return told if whole or both < _TWO else max(told, both / len(words))


def _speaks_of(objection: Objection, scene: Scene, matter: _Matter, text: str, words: frozenset[str]) -> bool:
    """Whether an entry can be about the same subject: what he says of himself is not corrected in what others do."""
    if _is_another(objection, matter, text, words) and not other_subject(text, objection, scene.turn):
        told = who_instead(text, objection, scene) or put_right(text, objection, turn=scene.turn, guess=False)
        return told is not None and (
            told.how == SPELLING or put_right(text, objection, turn=scene.turn, guess=False) != told
        )
    subject = subject_of(text)
    if not matter.mine or not subject:
        return True
    owner = _OWNER.match(subject)
    if owner:
        rest, spoken = content(subject[owner.end() :]), matter.words | matter.everything
        if _is_operator(owner[1], scene.operator):
            return bool(rest & (spoken | content(scene.turn))) or not objection.whole
        return rest <= spoken and _known_by(matter, scene, text, words)
    alone = _ONE_NAME.fullmatch(subject.strip())
    if alone is None or _is_operator(alone[0], scene.operator) or content(subject) & matter.everything:
        return True
    return _known_by(matter, scene, text, words)


def _known_by(matter: _Matter, scene: Scene, text: str, words: frozenset[str]) -> bool:
    """Whether an entry is known to be the operator's by what the agent told him, where nobody knows his name."""
    if scene.operator:
        return False
    cited = _YOUR.search(scene.turn) is not None and len(content(scene.turn) & words) >= _TWO
    return cited or any(holds(text, one) for one in matter.wrongs)


def _is_another(objection: Objection, matter: _Matter, text: str, words: frozenset[str]) -> bool:
    """Whether an entry speaks of another thing: it lacks what the statement is about and is about something else; or
    it does not hold the wrong value that the operator names.
    """
    named = bool(objection.wrong) and _claims(text, objection.wrong)
    missing = matter.subject - words
    if missing and objection.whole and content(subject_of(text)) & matter.subject:
        values = content(f"{objection.value} {objection.wrong}")
        if of_two_things(text, objection.said, values):
            return True
    if missing and (objection.whole or content(subject_of(text)) - matter.subject - matter.everything):
        return not named or not (objection.whole or objection.over == objection.wrong)
    return matter.named and not named and not (matter.subject and matter.subject <= words)


def _is_distinct(value: str, places: Sequence[Place]) -> bool:
    """Whether a value is a sum or a long number that just one entry has: both mean the same then."""
    if not _DISTINCT.search(value):
        return False
    return sum(_claims(_bare_text(place), value) for place in places) == 1


def _claims(text: str, value: str) -> bool:
    """Whether an entry says a value to be so, and does not only deny it."""
    return any(holds(claimed(text), one) for one in (value, bare(value)))


def _agrees(right: str, text: str) -> bool:
    """Whether an entry that holds the right value says the same, and not its contrary."""
    return bool(_NEGATED.search(right)) == bool(_NEGATED.search(text))


def _narrower(objection: Objection, matter: _Matter, words: frozenset[str], told: str) -> bool:
    """Whether an entry says so much else that a new sentence in its place would lose it."""
    if any(matter.wrongs):
        return False
    return len(words - content(told) - matter.everything) > max(2, len(content(objection.said)))


def _close(matter: _Matter, words: frozenset[str]) -> float:
    """How much of what an entry says is spoken of: of two that fit, the one that says little else is meant."""
    return 0.5 * len(matter.everything & words) / max(len(words), 1)


def _bare_text(place: Place) -> str:
    return wording(place.entry)


def wording(entry: Entry) -> str:
    """What an entry states: its own first paragraph on one line, without its categories."""
    lead = _BULLET.sub("", visible(entry.raw[: lead_end(entry.raw)]), count=1)
    return " ".join(_TAG.sub(" ", lead).split())


def _is_operator(name: str, operator: str) -> bool:
    plain = name.casefold().removesuffix("'s").removesuffix("’s")
    if plain in ("i", "my", "our", "we", "the operator", "operator", "user", "the user"):
        return True
    return any(plain == one or (len(plain) > _TWO and one.startswith(plain)) for one in operator.casefold().split())


def _cosines(nearness: Nearness | None, texts: list[str], places: Sequence[Place]) -> list[float]:
    if nearness is None or not texts or not places:
        return [0.0] * len(places)
    rows = nearness.cosines(texts, [_bare_text(place) for place in places])
    return [max(float(row[at]) for row in rows) for at in range(len(places))]


_BULLET = re.compile(r"\ufeff? {0,3}(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
_TAG = re.compile(r"(?<!\S)#(?:event|knowledge|skill|decision|correction)(?![\w/-])")
_MINE = re.compile(r"(?:i|i'm|i've|my)\b", re.IGNORECASE)
_YOURS = re.compile(r"(?:[^,.]{0,30}, )?(?:your|you)\b", re.IGNORECASE)
_YOUR = re.compile(r"\byou(?:rs?)?\b", re.IGNORECASE)
_RELATED = re.compile(r"your \w+['’]s\b", re.IGNORECASE)
_OWNER = re.compile(r"((?:The )?\w+)['’]s ")
_DISTINCT = re.compile(r"[$€£¥] ?[0-9]{2}|[0-9]{2,} ?(?:[$€£¥]|euro|eur|dollar|usd)|[0-9]{4}", re.IGNORECASE)
_ONE_NAME = re.compile(r"(?:The operator|[A-Z]\w+)")
_NEGATED = re.compile(r"\b(?:not|no longer|never|stopped|quit|without)\b|n't\b|不|没|않|안 ", re.IGNORECASE)
_ENDS = re.compile(
    r"\b(?:cancell?ed|called off|discontinued|closed down|sold|gone|dropped|retired|postponed|over|dead"
    r"|off the table|on hold)\b",
    re.IGNORECASE,
)
_BE = re.compile(r"\b(?:is|are|was|were|called|named)\b", re.IGNORECASE)
_STOPPED = re.compile(
    r"\b(?:stopped(?: doing| using| going to)?|quit|gave up|no longer|cancell?ed|sold|got rid of|dropped)\b"
    r"|\bany ?(?:more|longer)\b",
    re.IGNORECASE,
)
_OWN_DOING = re.compile(
    r"(?:(?:ok(?:ay)?|sure|done|great|got it|yes)[,.!:]? )?(?:i|i['’](?:ll|ve|m|d)|let me|here|shall"
    r"|should|do|does|did|can|could|would|will|is|are|was|were|who|what|where|when|which|how)\b",
    re.IGNORECASE,
)
_ANYWHERE = (SPELLING, FAMILY, SOLE)
_DOINGS = content("take use do have go get make accept do doing taking")
_CHANGES = content(CHANGES)
_GENERIC = content(GENERIC)
