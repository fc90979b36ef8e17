"""Which entries a correction means, and how each of them reads with the right value."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from clawgit.domain.comment import lead_end
from clawgit.domain.correction_alignment import aligned
from clawgit.domain.correction_clauses import clauses, stands
from clawgit.domain.correction_objection import Objection
from clawgit.domain.correction_reading import sentences, supposes
from clawgit.domain.correction_slots import (
    FAMILY,
    KIND,
    SPELLING,
    WRONG,
    Put,
    bare,
    content,
    holds,
    put,
    put_last,
    slots,
    verb_in,
)
from clawgit.domain.correction_values import CHANGES, DAY, GENERIC, NAME
from clawgit.domain.correction_wording import answer, dated, finished, standing
from clawgit.domain.entry import Entry
from clawgit.domain.known import Place
from clawgit.domain.mention import same_fact
from clawgit.domain.tags import visible

NEAR = 0.85
"""From this cosine on, an entry speaks of the same matter."""

_SOME, _HALF, _MOST = 0.3, 0.5, 0.6
_TWO, _ANSWER, _SHORT = 2, 6, 8
_LONGEST_SENTENCE = 300


class Nearness(Protocol):
    """How near texts are in meaning: a row for each of `ones`, with its cosine to each of `others`."""

    def cosines(self, ones: Sequence[str], others: Sequence[str]) -> Sequence[Sequence[float]]: ...


class Scene(NamedTuple):
    """In what talk a correction was said: the operator's name, what he had asked, what the agent said, and when."""

    operator: str
    question: str
    turn: str
    time: datetime


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
    said, corrected = _said_wrong(objection, scene)
    named = bool(objection.wrong)
    if corrected and not _contradicts(objection, said, corrected):
        said, corrected = "", None
    if not objection.wrong and (answered := _answer_given(scene.turn)) and not holds(objection.said, answered):
        objection, said = objection._replace(wrong=answered), said or scene.turn
    right = _sentence(objection, scene, corrected)
    matter = _matter(objection, scene, said, corrected)._replace(named=named)
    cosines = _cosines(nearness, [text for text in (right, said) if text], places)
    hits = [
        hit
        for place, cosine in zip(places, cosines, strict=True)
        if (hit := _hit(objection, scene, matter, place, cosine, right))
    ]
    hits.sort(key=lambda hit: -hit.score)
    return Finding(right, said, tuple(hits), contradicts=_contradicts(objection, said, corrected))


def _contradicts(objection: Objection, said: str, corrected: Put | None) -> bool:
    """Whether both speak of the same matter, one of them with another value."""
    if corrected is None or not corrected.sure:
        return False
    if objection.whole and _OURSELVES.match(objection.said) and corrected.how == KIND and not _own(objection.said):
        return objection.firm or objection.changed
    led = objection.firm or objection.said != objection.value or bool(objection.wrong) or _alone(objection, said)
    return (led and not objection.whole) or bool(content(objection.said) & content(said))


def _alone(objection: Objection, said: str) -> bool:
    """Whether a message is no more than a value, said to a sentence with just one of its kind: “43.”"""
    told = slots(objection.said) or slots(f"x {objection.said}")
    like = [slot for slot in slots(said) if len(told) == 1 and slot.kind == told[0].kind]
    return len(like) == 1 and bare(objection.said) == told[0].text and objection.around in ("", objection.said)


def _said_wrong(objection: Objection, scene: Scene) -> tuple[str, Put | None]:
    """The sentence of the agent's turn that is set right, and that sentence put right, where one can be told."""
    best: tuple[float, str, Put | None] = (0.0, "", None)
    told = [_OFFER.sub(".", one) for one in sentences(scene.turn) if len(one) <= _LONGEST_SENTENCE]
    told = [one for one in told if not one.endswith(("?", "？")) or supposes(one)]
    told = [part for one in told for part in (one.rstrip("?"), *_standing(one))]
    words, own = content(objection.said), content(_subject(objection.said))
    for sentence in told:
        corrected = _put(sentence, objection)
        score = len(words & content(sentence)) / max(len(words), 1)
        score += bool(corrected and corrected.sure) + 2 * bool(objection.wrong and holds(sentence, objection.wrong))
        score += (_HALF if objection.firm and corrected else 0.2) * (len(told) == 1 and not objection.whole)
        score += _HALF * (objection.firm and bool(own) and own <= content(_subject(sentence)))
        if score > max(best[0], _HALF - 0.1):
            best = score, sentence, corrected
    return best[1], best[2]


def _standing(sentence: str) -> list[str]:
    """The clauses of a sentence that say something of their own."""
    parts = [one.text for one in clauses(sentence)]
    return [one for one in parts if stands(one)] if len(parts) > 1 else []


def _answer_given(turn: str) -> str:
    """The value that the agent gave for an answer, where it said no more: “Paris, according to my notes”."""
    found = _ANSWERED.fullmatch(" ".join(turn.split()))
    if not found or stands(found[1]) or len(found[1].split()) > _ANSWER:
        return ""
    return _KOREAN_END.sub("", bare(found[1]))


def _put(sentence: str, objection: Objection, *, guess: bool = True) -> Put | None:
    value = objection.value
    if bare(value) and holds(sentence, bare(value)) and not (objection.wrong and holds(sentence, objection.wrong)):
        return None
    if told := put(sentence, value, objection.wrong):
        other = _other_subject(sentence, objection) if objection.whole else None
        return told if other is None or (told.how == WRONG and told.old != other.old) else other
    if objection.whole and (told := _other_subject(sentence, objection)):
        return told
    if objection.said != value and (told := put(sentence, objection.said, objection.wrong)):
        return told if slots(objection.said) else None
    if (objection.firm or objection.changed) and (told := aligned(sentence, objection.said)):
        return told
    return put_last(sentence, value) if guess and not objection.whole else None


def _other_subject(sentence: str, objection: Objection) -> Put | None:
    """“Bruno does the reviews” in the place of “Sofia does the reviews”: the same said of somebody else."""
    if told := _named_instead(sentence, objection):
        return told
    new, old = _subject(objection.said).strip(), _subject(sentence).strip()
    rest = content(objection.said[len(new) :])
    if not new or not old or _OURSELVES.match(new) or same_fact(new, old) or len(rest) < _TWO or not rest <= content(sentence[len(old) :]):
        return None
    return Put(f"{new[:1].upper()}{new[1:]}{sentence[len(old) :]}", old, KIND)


def _named_instead(sentence: str, objection: Objection) -> Put | None:
    """“Catering goes to Ah Hock” in the place of “Blue Spoon does the catering”: another name for the subject."""
    name = next((slot.text for slot in slots(f"x {bare(objection.value)}") if slot.kind == NAME), "")
    old = _subject(sentence).strip()
    rest = content(sentence[len(old) :])
    if not name or not rest or not rest <= content(objection.said) or not _PROPER.fullmatch(old) or holds(old, name):
        return None
    return Put(f"{name}{sentence[len(old) :]}", old, KIND)


def _who(sentence: str, objection: Objection, scene: Scene) -> Put | None:
    """“Joan”, said to “who has the key?”, in the place of “Walter has the key”."""
    if objection.whole or not _ASKS_WHO.search(scene.question):
        return None
    name, old = bare(objection.value), _subject(sentence).strip()
    rest = content(sentence[len(old) :])
    if not any(slot.kind == NAME for slot in slots(f"x {name}")) or not _PROPER.fullmatch(old) or holds(old, name):
        return None
    asked = 2 * len(rest & content(scene.question)) >= len(rest) > 0
    return Put(f"{name}{sentence[len(old) :]}", old, KIND) if asked else None


def _sentence(objection: Objection, scene: Scene, corrected: Put | None) -> str:
    if objection.whole:
        return dated(standing(objection.said, scene.operator), "", scene.time)
    if corrected and not _OWN_DOING.match(corrected.text):
        return dated(standing(corrected.text, scene.operator, by_agent=True), corrected.old, scene.time)
    if said := answer(scene.question, objection.value):
        return dated(standing(said, scene.operator), "", scene.time)
    return ""


def _matter(objection: Objection, scene: Scene, said: str, corrected: Put | None) -> _Matter:
    core = bare(objection.value)
    here = slots(f"x {core}")
    typed = [slot.text for slot in here if slot.kind != NAME] or [slot.text for slot in here]
    value = content(" ".join(typed) or core)
    wrongs = tuple(filter(None, (objection.wrong, corrected.old if corrected else "")))
    words = (content(objection.said) - value or content(objection.said)) if objection.whole else frozenset[str]()
    if not objection.whole:
        words = (content(objection.said) - value) | content(said) | content(scene.question)
        words |= content(objection.around) - value
    words -= frozenset().union(*map(content, wrongs)) if wrongs else frozenset()
    subject = _subject(objection.said if objection.whole else said or objection.around)
    mine = bool(_MINE.match(objection.said)) or bool(said and _YOURS.match(said) and not _RELATED.match(said))
    everything = (content(objection.said) | content(said)) - value
    told = bool(objection.wrong) and (objection.firm or holds(scene.turn, objection.wrong))
    return _Matter(
        words - _GENERIC - _CHANGES, _own(f"{subject} is") - _GENERIC, everything, wrongs, mine, told
    )


def _hit(objection: Objection, scene: Scene, matter: _Matter, place: Place, cosine: float, right: str) -> Hit | None:
    text = _bare_text(place)
    words = content(text)
    share = _share(matter, words, whole=objection.whole)
    wrong = any(holds(text, one) or holds(text, bare(one)) for one in matter.wrongs)
    if not _speaks_of(objection, scene, matter, text, words):
        return None
    if bare(objection.value) and holds(text, bare(objection.value)) and not wrong:
        fits = share >= _HALF or not matter.words or same_fact(text, right)
        return Hit(place, text if _agrees(right, text) else right, 1 + share + cosine) if fits and right else None
    same_subject = not objection.whole or content(_subject(text)) - content(scene.operator) - _GENERIC == matter.subject
    changed = _who(text, objection, scene) or _put(text, objection, guess=not objection.whole and len(words) <= _SHORT)
    if changed and _of_other_role(objection, matter, text, changed):
        return None
    if not changed and same_subject and objection.whole and (objection.firm or objection.changed):
        changed = _said_of_the_same(text, objection)
    if objection.whole and _ends_it(objection, scene, text, words, same_subject=same_subject):
        return Hit(place, right, share + cosine + _close(matter, words), named=wrong)
    spoken_of = share > 0 or not matter.words or bool(content(objection.said) & words - content(objection.value))
    told_wrong = matter.told and any(holds(text, one) for one in matter.wrongs)
    named = (wrong and (spoken_of or told_wrong)) or (changed is not None and changed.how in _ANYWHERE)
    enough = _SOME if objection.whole and same_subject or (matter.subject and matter.subject <= words) else _MOST
    bonus = _spoken(objection, words)
    if changed and changed.sure and (named or share >= enough or cosine >= NEAR):
        told = dated(finished(changed.text) if text[-1:] in ".!" else changed.text, changed.old, scene.time)
        return Hit(place, told, share + cosine + wrong + bonus + _close(matter, words), named=named)
    if named or cosine >= NEAR or (same_subject and share >= (_HALF if changed else _MOST)):
        told = changed.text if changed and not objection.whole else right
        if told and not _narrower(objection, matter, words, told):
            return Hit(place, told, share + cosine + wrong + _close(matter, words) - _HALF, sure=False, named=named)
    return None


def _of_other_role(objection: Objection, matter: _Matter, text: str, changed: Put) -> bool:
    """Whether a statement says something of what an entry only names: “Max moved to Vienna”, of “the trainer is Max”."""
    subject = content(_subject(text))
    if not objection.whole or not matter.subject or not subject or changed.how in _ANYWHERE:
        return False
    if holds(changed.old, bare(_subject(objection.said))):
        return True
    if objection.wrong:
        return False
    return not (matter.subject & subject) and not _other_subject(text, objection)


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


def _ends_it(
    objection: Objection, scene: Scene, text: str, words: frozenset[str], *, same_subject: bool
) -> bool:
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
    if _is_another(objection, matter, text, words) and not _other_subject(text, objection):
        told = _who(text, objection, scene) or _put(text, objection, guess=False)
        return told is not None and (told.how == SPELLING or _put(text, objection, guess=False) != told)
    subject = _subject(text)
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
    named = bool(objection.wrong) and (holds(text, objection.wrong) or holds(text, bare(objection.wrong)))
    missing = matter.subject - words
    if missing and (objection.whole or content(_subject(text)) - matter.subject - matter.everything):
        return not named or not objection.whole
    return matter.named and not named and not (matter.subject and matter.subject <= words)


def _own(text: str) -> frozenset[str]:
    """The words that tell of what a statement is, beside the speakers themselves."""
    return content(_YOU.sub(" ", _subject(text)))


def _subject(text: str) -> str:
    """What stands before the first verb."""
    verb = verb_in(f" {text}")
    return text[: max(verb[0] - 1, 0)] if verb else ""


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
_ONE_NAME = re.compile(r"(?:The operator|[A-Z]\w+)")
_NEGATED = re.compile(r"\b(?:not|no longer|never|stopped|quit|without)\b|n't\b|不|没|않|안 ", re.IGNORECASE)
_ENDS = re.compile(
    r"\b(?:cancell?ed|called off|discontinued|closed down|sold|gone|dropped|retired|postponed|over|dead"
    r"|off the table|on hold)\b",
    re.IGNORECASE,
)
_KOREAN_END = re.compile(r"(?:입니다|이에요|예요|이야|에요)$")
_ANSWERED = re.compile(
    r"([^,;:?(]{1,60}?|[^;:?(]{1,20}[0-9])[.!]?(?:,? (?:according to|as far as|from what|i think|i believe|if i"
    r"|per my|in my notes)[^?]*)?",
    re.IGNORECASE,
)
_BE = re.compile(r"\b(?:is|are|was|were|called|named)\b", re.IGNORECASE)
_PROPER = re.compile(r"(?:The )?[A-Z][\w&'’-]*(?: [A-Z][\w&'’-]*)*")
_ASKS_WHO = re.compile(r"\bwho(?:'s|se)?\b", re.IGNORECASE)
_OURSELVES = re.compile(r"(?:i|we)\b", re.IGNORECASE)
_YOU = re.compile(r"\b(?:your?|i|we|always|never|usually|normally|only|all|just)\b", re.IGNORECASE)
_STOPPED = re.compile(r"\b(?:stopped(?: doing| using| going to)?|quit|gave up|no longer|cancell?ed|sold|got rid of|dropped)\b"
    r"|\bany ?(?:more|longer)\b", re.IGNORECASE)
_OFFER = re.compile(r",? (?:shall|should|do|can|could|would|want|or|is that|right|ok(?:ay)?)\b[^,.]*\?$", re.IGNORECASE)
_OWN_DOING = re.compile(
    r"(?:(?:ok(?:ay)?|sure|done|great|got it|yes)[,.!:]? )?(?:i|i['’](?:ll|ve|m|d)|let me|here)\b", re.IGNORECASE
)
_ANYWHERE = (SPELLING, FAMILY)
_DOINGS = content("take use do have go get make accept do doing taking")
_CHANGES = content(CHANGES)
_GENERIC = content(GENERIC)
