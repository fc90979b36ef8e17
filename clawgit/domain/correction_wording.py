"""A correction as a sentence that stands by itself: about the operator by name, with its days written out."""

import re
from datetime import datetime

from clawgit.domain.absolute import absolute
from clawgit.domain.correction_slots import bare, slots, verb_in
from clawgit.domain.correction_values import DAY
from clawgit.domain.extract.wording import standing as named_standing


def standing(said: str, operator: str, *, by_agent: bool = False) -> str:
    """What the operator says of himself, or what the agent said to him, as a sentence about him."""
    text = " ".join(said.split()).strip(" ,;:–—-")
    if by_agent:
        text = _YOU.sub(lambda found: _TO_ME[found[0].lower().replace("’", "'")], text)
    text = _NOT.sub(lambda found: f"{_SHORTENED.get(found[1].lower(), found[1])} not", text)
    return named_standing(text, operator)


def finished(text: str) -> str:
    """A sentence with its capital and its stop."""
    text = text.strip()
    first = text.split(" ", 1)[0]
    if first.islower() and first.isalpha():
        text = text[:1].upper() + text[1:]
    return (
        text
        if not text or text[-1] in ".!?…。！？"
        else f"{text}{'.' if text.isascii() or text[-1].isascii() else '。'}"
    )


def dated(text: str, old: str, said: datetime) -> str:
    """The sentence with its days as they were meant when it was said: beside what he called them, or in the form that
    the old value had. What recurs, and a day of each year, stays as it is.
    """
    days = [slot for slot in slots(text) if slot.kind == DAY and slot.text not in old]
    if _PLURAL.search(old) or len(days) != 1 or _YEAR.search(days[0].text):
        return text
    [day] = days
    when = absolute(text, said).when
    if when is None or _YEARLY.search(text):
        return text
    if not _YEAR.search(old):
        told = f"{day.text} ({when.isoformat()})"
    elif _WEEKDAY.search(day.text) and _WEEKDAY.search(old):
        told = f"{day.text.replace(',', '').split()[0]} {when.isoformat()}"
    else:
        told = when.isoformat()
    return f"{text[: day.start]}{told}{text[day.end :]}" if _YEAR.search(old) or _RELATIVE.search(day.text) else text


def answer(question: str, value: str) -> str:
    """A question and the value that answers it, as one statement; "" where the question is of another kind."""
    found = _QUESTION.search(question)
    verb = verb_in(f"x {value.strip()}")
    if found is None or not bare(value) or (verb and verb[0] <= _FIRST):
        return ""
    be, subject = found["be"].lower().lstrip("'’"), found["subject"].strip()
    lead = {"where": "in ", "when": "on "}.get(found["word"].lower(), "")
    said = value if not lead or _PREPOSITION.match(value) else f"{lead}{bare(value)}"
    return f"{subject} {'is' if be == 's' else be} {said}"


_FIRST = 1
_SHORTENED = {"ca": "can", "wo": "will", "sha": "shall"}
_NOT = re.compile(r"(?<!\w)(\w+)n['’]t(?!\w)", re.IGNORECASE)
_TO_ME = {"you're": "I'm", "you've": "I have", "you'll": "I will", "you": "I", "your": "my", "yours": "mine"}
_YOU = re.compile(r"(?<![\w'’])(?:you['’](?:re|ve|ll)|yours?|you)(?![\w'’])", re.IGNORECASE)
_WEEKDAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE)
_YEAR = re.compile(r"[0-9]{4}")
_PLURAL = re.compile(r"(?i:days)$")
_YEARLY = re.compile(
    r"\b(?:birthday|anniversary|every|each|annual|yearly|born|first|second|third|fourth|last)\b", re.IGNORECASE
)
_RELATIVE = re.compile(r"day\b|\b(?:mon|tue|wed|thu|fri|sat|sun|tomorrow|today|tonight)\b", re.IGNORECASE)
_PREPOSITION = re.compile(r"(?:in|at|on|by|to|with|from|near|under|the|an?)\s", re.IGNORECASE)
_QUESTION = re.compile(
    r"\b(?P<word>where|when|what|which \w+|who|how (?:much|many|old|long|big|high))(?: ?(?P<be>['’]s|is|are|was"
    r"|were)) (?P<subject>[^?.!]{2,80})\?",
    re.IGNORECASE,
)
