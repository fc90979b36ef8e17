"""What of the agent's turn is set right: the sentence, the value that it gave, and how it reads with the right one."""

import re

from clawgit.domain.correction_alignment import aligned
from clawgit.domain.correction_clauses import clauses, sentences, stands, supposes
from clawgit.domain.correction_objection import Objection, Scene
from clawgit.domain.correction_put import KIND, SOLE, WRONG, Put, put, put_last
from clawgit.domain.correction_slots import bare, claimed, content, holds, slots, verb_in
from clawgit.domain.correction_values import NAME
from clawgit.domain.mention import same_fact


def contradicts(objection: Objection, said: str, corrected: Put | None) -> bool:
    """Whether both speak of the same matter, one of them with another value."""
    if corrected is None or not corrected.sure:
        return False
    if of_ours(objection, corrected):
        return objection.firm or objection.changed
    led = objection.firm or objection.said != objection.value or bool(objection.wrong) or _alone(objection, said)
    return (led and not objection.whole) or bool(content(objection.said) & content(said))


def of_ours(objection: Objection, corrected: Put | None) -> bool:
    """Whether a statement about us means what the agent spoke of: “we're on node 22”, of “the app runs on node 18”."""
    ours = objection.whole and _OURSELVES.match(objection.said) is not None and not own_words(objection.said)
    return ours and corrected is not None and corrected.how == KIND


def _alone(objection: Objection, said: str) -> bool:
    """Whether a message is no more than a value, said to a sentence with just one of its kind: “43.”"""
    told = slots(objection.said) or slots(f"x {objection.said}")
    like = [slot for slot in slots(said) if len(told) == 1 and slot.kind == told[0].kind]
    return len(like) == 1 and bare(objection.said) == told[0].text and objection.around in ("", objection.said)


def said_wrong(objection: Objection, scene: Scene) -> tuple[str, Put | None]:
    """The sentence of the agent's turn that is set right, and that sentence put right, where one can be told."""
    best: tuple[float, str, Put | None] = (0.0, "", None)
    told = [_OFFER.sub(".", _AS_NOTED.sub("", one)) for one in sentences(scene.turn) if len(one) <= _LONGEST_SENTENCE]
    stated = [one for one in told if not one.endswith(("?", "？")) or supposes(one)]
    told = stated or [one for one in told if objection.firm and not objection.whole and len(told) == 1]
    told = [part for one in told for part in (one.rstrip("?"), *_standing(one))]
    words, own = content(objection.said), content(subject_of(objection.said))
    for sentence in told:
        corrected = put_right(sentence, objection)
        score = len(words & content(sentence)) / max(len(words), 1)
        score += bool(corrected and corrected.sure) + 2 * bool(objection.wrong and holds(sentence, objection.wrong))
        score += (_HALF if objection.firm and corrected else 0.2) * (len(told) == 1 and not objection.whole)
        score += _HALF * (objection.firm and bool(own) and own <= content(subject_of(sentence)))
        if score > max(best[0], _HALF - 0.1):
            best = score, sentence, corrected
    return best[1], best[2]


def _standing(sentence: str) -> list[str]:
    """The clauses of a sentence that say something of their own."""
    parts = [one.text for one in clauses(sentence)]
    return [one for one in parts if stands(one)] if len(parts) > 1 else []


def answer_given(turn: str) -> str:
    """The value that the agent gave for an answer, where it said no more: “Paris, according to my notes”."""
    found = _ANSWERED.fullmatch(" ".join(turn.split()))
    if not found or stands(found[1]) or len(found[1].split()) > _ANSWER:
        return ""
    return _KOREAN_END.sub("", bare(found[1]))


def put_right(sentence: str, objection: Objection, *, guess: bool = True, turn: str | None = None) -> Put | None:
    """A sentence put right: the agent's own, or with its `turn` one of memory. None where it would still say what is
    wrong.
    """
    told = _put_right(sentence, objection, guess=guess, turn=turn)
    wrong = objection.wrong if objection.wrong != objection.over else ""
    if told and wrong and holds(claimed(told.text), wrong) and not holds(objection.value, wrong):
        return None
    return told


def _put_right(sentence: str, objection: Objection, *, guess: bool, turn: str | None) -> Put | None:
    value = objection.value
    if bare(value) and holds(sentence, bare(value)) and not (objection.wrong and holds(sentence, objection.wrong)):
        return other_subject(sentence, objection, turn) if objection.whole and objection.firm else None
    if told := put(sentence, value, objection.wrong):
        other = other_subject(sentence, objection, turn) if objection.whole else None
        return told if other is None or (told.how == WRONG and told.old != other.old) else other
    if objection.whole and (told := other_subject(sentence, objection, turn)):
        return told
    if objection.said != value and (told := put(sentence, objection.said, objection.wrong)):
        return told if slots(objection.said) else None
    if (objection.firm or objection.changed) and (told := aligned(sentence, objection.said)):
        return told
    told = put_last(sentence, value) if guess and not objection.whole else None
    return told._replace(how=KIND) if told and _is_what(objection, told) else told


def names_it(objection: Objection) -> bool:
    """Whether it says what something is, as “it's pear” does; an opinion of it is none."""
    return _IT_IS.match(objection.said) is not None and _OPINION.match(objection.value) is None


def _is_what(objection: Objection, told: Put) -> bool:
    """Whether “it's pear” takes the place of “apple” in “the code word is apple”."""
    longest = max(len(told.old.split()), len(objection.value.split()))
    is_told = objection.firm and names_it(objection) and longest <= _NOUN
    is_told = is_told and bool(_ONE_OF.match(objection.value)) == bool(_ONE_OF.match(told.old))
    return is_told and _WHAT_IT_IS.match(told.text) is not None


def of_what_was_said(objection: Objection, turn: str) -> Objection:
    """“Ben leads it” with what it means: what somebody else led in the agent's turn."""
    verb = verb_in(f" {objection.said}")
    if not objection.whole or not verb or objection.value.lower() not in _PRONOUNS:
        return objection
    doing = _doing(f" {objection.said}"[slice(*verb)])
    for sentence in sentences(turn):
        told = verb_in(sentence)
        thing = sentence[told[1] :].strip(" .!?…") if told and _doing(sentence[slice(*told)]) == doing else ""
        if thing and thing.lower() not in _PRONOUNS:
            said = objection.said.rstrip(" .!…")
            return objection._replace(said=f"{said[: -len(objection.value)]}{thing}", value=thing)
    return objection


def _doing(verb: str) -> frozenset[str]:
    """A verb by its root; one that says little, by itself."""
    return content(verb) or frozenset((verb.strip().lower(),))


def is_sentence(text: str) -> bool:
    """Whether a text has a verb, and before it what can be its subject: “units per run” has none."""
    return verb_in(f"x {text}") is not None and _LEADS_ON.search(subject_of(text)) is None


def is_dangling(text: str) -> bool:
    """Whether a sentence ends in a pronoun, and so says nothing by itself."""
    return text.rstrip(" .!?…").rpartition(" ")[2].lower() in _PRONOUNS


def other_subject(sentence: str, objection: Objection, turn: str | None = None) -> Put | None:
    """“Bruno does the reviews” in the place of “Sofia does the reviews”: the same said of somebody else. What stands in
    memory alone is another fact; of that, the agent must have spoken.
    """
    new, old = subject_of(objection.said).strip(), subject_of(sentence).strip()
    rest = content(objection.said[len(new) :])
    sole = objection.firm and _THE_ONE.match(sentence[len(old) :]) and rest == content(sentence[len(old) :])
    if turn is not None and not sole and not content(old) <= content(f"{turn} {objection.wrong}"):
        return None
    if told := _named_instead(sentence, objection):
        return told
    if (
        not new
        or not old
        or _OURSELVES.match(new)
        or same_fact(new, old)
        or (len(rest) < _TWO and not sole)
        or not rest <= content(sentence[len(old) :])
    ):
        return None
    return Put(f"{new[:1].upper()}{new[1:]}{sentence[len(old) :]}", old, SOLE if sole else KIND)


def of_others(one: str, other: str) -> bool:
    """Whether two statements are of people or things with other names."""
    subjects = [subject_of(text).strip() for text in (one, other)]
    return all(map(_PROPER.fullmatch, subjects)) and not content(subjects[0]) & content(subjects[1])


def _named_instead(sentence: str, objection: Objection) -> Put | None:
    """“Catering goes to Ah Hock” in the place of “Blue Spoon does the catering”: another name for the subject."""
    name = next((slot.text for slot in slots(f"x {bare(objection.value)}") if slot.kind == NAME), "")
    old = subject_of(sentence).strip()
    rest = content(sentence[len(old) :])
    if not name or not rest or not rest <= content(objection.said) or not _PROPER.fullmatch(old):
        return None
    return None if holds(sentence, name) else Put(f"{name}{sentence[len(old) :]}", old, KIND)


def who_instead(sentence: str, objection: Objection, scene: Scene) -> Put | None:
    """“Joan”, said to “who has the key?”, in the place of “Walter has the key”."""
    if objection.whole or not _ASKS_WHO.search(scene.question):
        return None
    name, old = bare(objection.value), subject_of(sentence).strip()
    rest = content(sentence[len(old) :])
    if not any(slot.kind == NAME for slot in slots(f"x {name}")) or not _PROPER.fullmatch(old) or holds(old, name):
        return None
    asked = 2 * len(rest & content(scene.question)) >= len(rest) > 0
    return Put(f"{name}{sentence[len(old) :]}", old, KIND) if asked else None


def own_words(text: str) -> frozenset[str]:
    """The words that tell of what a statement is, beside the speakers themselves."""
    return content(_YOU.sub(" ", subject_of(text)))


def subject_of(text: str) -> str:
    """What stands before the first verb."""
    verb = verb_in(f" {text}")
    return text[: max(verb[0] - 1, 0)] if verb else ""


_LONGEST_SENTENCE = 300
_PRONOUNS = frozenset(("it", "them", "that", "this", "those", "these", "him"))
_IT_IS = re.compile(r"(?:it|that|this)(?:['’]s| is) (?!(?:in|at|on|by|to|with|from|for|of)\b)", re.IGNORECASE)
_LEADS_ON = re.compile(r"\b(?:per|the|an?|of|in|at|for|to|with|from|by|on)\s*$", re.IGNORECASE)
_ONE_OF = re.compile(r"an? ", re.IGNORECASE)
_WHAT_IT_IS = re.compile(r"(?:the|our|my|your|his|her|their|\w+['’]s) [^,;]+? (?:is|are) (?!\w+ing\b)", re.IGNORECASE)
_OPINION = re.compile(
    r"(?:(?:too|so|very|not|still|again|just|already|really|all|because|about|like|me|you|him|her|us|them|up|that|what"
    r"|when|where|why|how|if|a (?:joke|shame|mess|disaster|pity|problem|lie|trap))\b|(?:fine|good|bad|great|terrible"
    r"|awful|nice|ugly|boring|funny|silly|stupid|ok|okay|perfect|weird|crazy|broken|ready|done|gone|late|early|wrong"
    r"|right|true|false|over|empty|here|there|nothing|everything|ridiculous|horrible|better|worse|lovely|hopeless|easy"
    r"|hard|cancell?ed|closed|sold)\W*$)",
    re.IGNORECASE,
)
_KOREAN_END = re.compile(r"(?:입니다|이에요|예요|이야|에요)$")
_ANSWERED = re.compile(
    r"([^,;:?(]{1,60}?|[^;:?(]{1,20}[0-9])[.!]?(?:,? (?:according to|as far as|from what|i think|i believe|if i"
    r"|per my|in my notes)[^?]*)?",
    re.IGNORECASE,
)
_THE_ONE = re.compile(r"\s*(?:is|are|was|were|['’]s) (?:now )?(?:the|our|my|[\w’']+['’]s)\b", re.IGNORECASE)
"""Of what there is but one."""

_PROPER = re.compile(r"(?:The )?[A-Z][\w&'’-]*(?: [A-Z][\w&'’-]*)*")
_ASKS_WHO = re.compile(r"\bwho(?:'s|se)?\b", re.IGNORECASE)
_OURSELVES = re.compile(r"(?:i|we)\b", re.IGNORECASE)
_YOU = re.compile(r"\b(?:your?|i|we|always|never|usually|normally|only|all|just)\b", re.IGNORECASE)
_OFFER = re.compile(r",? (?:shall|should|do|can|could|would|want|or|is that|right|ok(?:ay)?)\b[^,.]*\?$", re.IGNORECASE)
_AS_NOTED = re.compile(
    r"^(?:(?:so|ok(?:ay)?|well)[, ]+)?(?:i(?:['’]ve| have)? (?:assumed?|noted|believed?|thought|think"
    r"|understood)(?: down)?"
    r"(?: that)?|according to (?:my )?\w+,?|per (?:my )?\w+[:,]|as far as i know,?|noted:) ",
    re.IGNORECASE,
)
_HALF, _TWO, _ANSWER, _NOUN = 0.5, 2, 6, 3
