"""Where in a sentence a name belongs that is given alone, told by kind: who is a person takes the place of a person."""

import re

from clawgit.domain.correction_people import is_charge, is_person
from clawgit.domain.correction_slots import slots, verb_in
from clawgit.domain.correction_values import NAME

SUBJECT, OBJECT, UNSURE = "subject", "object", "unsure"


def belongs(name: str, sentence: str) -> str:
    """Whether “it's Ben” says who does what a sentence tells, or to what; `UNSURE` where it may be either."""
    verb = verb_in(sentence)
    if verb is None or _COPULA.search(sentence[slice(*verb)]):
        return OBJECT
    rest = sentence[verb[1] :]
    named = [slot for slot in slots(sentence) if slot.kind == NAME and slot.start >= verb[1]]
    is_proper = _PROPER.fullmatch(sentence[: verb[0]].strip()) is not None
    if is_person(name):
        return _of_person(rest, is_proper=is_proper, people=any(is_person(slot.text) for slot in named))
    if not is_proper or not is_charge(sentence[slice(*verb)]) or _LED.match(rest):
        return OBJECT
    return UNSURE if named or is_person(sentence[: verb[0]]) else SUBJECT


def _of_person(rest: str, *, is_proper: bool, people: bool) -> str:
    """Beside somebody else it stands only where a preposition tells so: “reports to Ben”, and not “manages Ben”."""
    if people or not is_proper:
        return OBJECT if _WITH.match(rest) or (people and not is_proper) else UNSURE
    return SUBJECT


_COPULA = re.compile(r"\b(?:is|are|was|were|be|am|became|named|called)\b|['’](?:s|re|m)\b", re.IGNORECASE)
_PROPER = re.compile(r"(?:(?:Dr|Mrs?|Ms|Prof)\. )?[A-Z][\w&'’-]*(?: [A-Z][\w&'’-]*)*")
_LED = re.compile(r"\s*(?:in|at|on|by|to|with|from|for|of|via|around|near|under|until)\b", re.IGNORECASE)
_WITH = re.compile(r"(?:\s*\w+)?\s*(?:to|with|from|by|for|under)\b", re.IGNORECASE)
