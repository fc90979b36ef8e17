"""Whether a correction is plain enough to be written: a list of all that makes one doubtful, so that it is asked."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from clawgit.domain.correction_clauses import clauses, sentences, without_talk, without_verdict
from clawgit.domain.correction_slots import bare, claimed, content, holds, slots, verb_in
from clawgit.domain.correction_values import NAME


class Put(NamedTuple):
    """What is about to be written: `text` in the place of `old`, which is "" for a new entry. `said` is the operator's
    statement, `value` the part of it that is right, `message` all that he wrote; `talk` is what was said before it.
    """

    message: str
    said: str
    value: str
    wrong: str
    old: str
    text: str
    talk: str


def doubt(put: Put) -> str:
    """Why a correction is not plain, "" where it is."""
    return next((why for why, is_so in _DOUBTS if is_so(put)), "")


def _is_unsure(put: Put) -> bool:
    return any(_UNSURE.search(one) and not _UNSURE.search(put.old) for one in _spoken(put))


def _is_hearsay(put: Put) -> bool:
    return _SAID_WRONGLY.search(put.message) is not None or any(_HEARSAY.search(one) for one in _spoken(put))


def _is_supposed(put: Put) -> bool:
    return any(_SUPPOSED.search(one) or (_IF.search(one) and not _IF.search(put.text)) for one in _spoken(put))


def _is_joke(put: Put) -> bool:
    return _JOKE.search(put.message) is not None


def _is_taken_back(put: Put) -> bool:
    found = _TAKEN_BACK.search(put.message)
    return found is not None and bool(slots(f"x {put.message[found.end() :]}"))


def _is_either(put: Put) -> bool:
    if _OR_ELSE.search(put.message):
        return True
    return _EITHER.search(put.said) is not None and not _EITHER.search(put.old)


def _is_past(put: Put) -> bool:
    """Whether he tells what was, or which value was the old one."""
    told = _PAST.search(put.said)
    if told and told[0].lower() not in put.text.lower():
        return True
    was_so = _WAS.search(put.said) and not _WAS.search(f"{put.old} {put.text}")
    if was_so and (put.text == put.old or _UNTIL.search(put.said)):
        return True
    was = _WAS_OLD.search(put.message)
    return was is not None and holds(put.text, was["old"])


def _is_future(put: Put) -> bool:
    return bool(put.old) and _FUTURE.search(put.said) is not None and not _FUTURE.search(put.old)


def _is_bounded(put: Put) -> bool:
    found = (one[0].lower() for one in _BOUNDS.finditer(put.said))
    return not _BOUNDS.search(put.old) and any(one not in put.text.lower() for one in found)


def _is_contrary(put: Put) -> bool:
    """Whether what is written denies what he affirms, or affirms what he denies."""
    written, told = _is_negated(put.text), _is_negated(_claim(put))
    if written and not told:
        return not any(_is_negated(one) for one in sentences(put.message) if holds(one, bare(put.value)))
    return told and not written and not put.wrong and _DENIED_VALUE.search(put.said) is not None


def _is_impossible(put: Put) -> bool:
    return _IMPOSSIBLE.search(put.text) is not None


def _is_unsaid_day(put: Put) -> bool:
    """Whether a day is written that nobody named: he said no more than the month."""
    days = (day[0] for day in _ISO.finditer(put.text) if day[0] not in put.old)
    if any(day not in put.message for day in days):
        return not _SAID_DAY.search(put.message)
    nth = (found for found in _NTH_DAY.finditer(put.message) if holds(put.text, found["day"]))
    return any(not holds(put.text, found[0]) for found in nth)


def _is_less(put: Put) -> bool:
    """Whether something that he names is neither written nor known already."""
    if any(_is_lost(one, put.text) for one in _parts(put.value, put.message)):
        return True
    if any(_is_cut(found[0], put) for found in _DIGITS.finditer(put.text)):
        return True
    known = f"{put.text} {put.talk} {put.old} {put.wrong}"
    return any(_is_lost(one, known) for one in _told_of_it(put.message))


def _is_no_answer(put: Put) -> bool:
    """Whether an entry would stay, of which he says something else; or a part of a sentence stand in its place."""
    if put.old and verb_in(f" {put.old}") and not verb_in(f" {put.text}"):
        return True
    return put.text == put.old and bool(content(put.said) - content(f"{put.text} {put.talk} {put.wrong}"))


def _is_other_unit(put: Put) -> bool:
    """Whether a number stands there with another unit than he said."""
    units = {found[1]: found[2] for found in _UNIT.finditer(put.value)}
    written = {found[1]: found[2] for found in _UNIT.finditer(put.text)}
    return any(number in written and written[number].lower() != unit.lower() for number, unit in units.items())


def _parts(value: str, message: str) -> Iterator[str]:
    """What a value lists, the words of its names, and the month of its day: each of them has to be written."""
    listed = [one.strip() for one in _LISTED.split(value.strip(" .!"))]
    if " and " in value and all(0 < len(one.split()) <= _SHORT and not verb_in(f"x {one}") for one in listed):
        yield from listed
    core = bare(value)
    if core[:1].isdigit():
        core = _BESIDES.split(core, maxsplit=1)[0]
    if (at := message.find(core)) >= 0 and core:
        yield from _goes_on(message[at + len(core) :])
    yield from (slot.text for slot in slots(f"x {core}") if slot.kind == NAME)
    yield from (found[1] for found in _OF_MONTH.finditer(core))


def _is_cut(number: str, put: Put) -> bool:
    """Whether a number is only the head of the one that he said: 379 of “379,000”."""
    said = {found[0] for found in _DIGITS.finditer(f"{put.message} {put.talk} {put.old}")}
    return number not in said and any(one.startswith((f"{number},", f"{number}.")) for one in said)


def _goes_on(behind: str) -> tuple[str, ...]:
    """What else a list names behind a value: “Spain, Italy and Malta”."""
    listed = [one.strip() for one in _LISTED.split(_LIST_END.split(behind, maxsplit=1)[0])]
    if len(listed) <= _TWO or listed[0] or any(not one or len(one.split()) > _TWO for one in listed[1:]):
        return ()
    return () if any(verb_in(f"x {one}") for one in listed) else tuple(listed[1:])


def _told_of_it(message: str) -> Iterator[str]:
    """The names that he gives to what is spoken of: “it's Mrs. Kowalczyk”, “it's garage C”."""
    for found in _IT_IS.finditer(message):
        told = _BESIDES.split(bare(found[1]), maxsplit=1)[0]
        yield from (slot.text for slot in slots(f"x {told}") if slot.kind == NAME)


def _is_lost(part: str, text: str) -> bool:
    words = content(part)
    return bool(words) and not holds(text, part) and not words <= content(text)


def _spoken(put: Put) -> Iterator[str]:
    """The sentences of the message, without the clauses that only judge or tell when it was said."""
    for one in sentences(put.message):
        told = without_talk(without_verdict(one).text).text
        yield ", ".join(clause.text for clause in clauses(told))


def _claim(put: Put) -> str:
    return claimed(put.said)


def _is_negated(text: str) -> bool:
    return _NEGATED.search(text) is not None


_DOUBTS: tuple[tuple[str, Callable[[Put], bool]], ...] = (
    ("he is not sure himself", _is_unsure),
    ("it is what somebody says or thinks", _is_hearsay),
    ("it is only supposed", _is_supposed),
    ("he jests", _is_joke),
    ("he takes it back himself", _is_taken_back),
    ("it is one or the other", _is_either),
    ("it tells what was, and what is now?", _is_past),
    ("it will be so only later", _is_future),
    ("it is a bound or a condition, and no plain value", _is_bounded),
    ("what is denied, and what is so?", _is_contrary),
    ("there is no such day or time", _is_impossible),
    ("on which day?", _is_unsaid_day),
    ("what is said of it?", _is_no_answer),
    ("in which unit?", _is_other_unit),
    ("he names more than memory would hold", _is_less),
)
"""What is not plain, and what to tell of it."""

_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|supposedly|allegedly|apparently|might|may (?:be|have)"
    r"|i (?:wonder|guess|suppose"
    r"|believe|assume|reckon)|i(?:['’]m| am)? not (?:so |quite |really |too |entirely )?(?:sure|certain)"
    r"|i think(?=[,.!]|$)|if you ask me|if i (?:remember|recall)|as far as i (?:know|recall|remember)|who knows)\b",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b(?:every(?:body|one)|some(?:body|one)|people|they|many|most|some|\w+) (?:thinks?|believes?|claims?|guess(?:es)?"
    r"|reckons?|assumes?)(?: that)? (?:the|my|our|it|that|he|she|we|i|[A-Z]\w+)\b"
    r"|\b(?:[Rr]umou?r|[Tt]hey say|i heard|(?:is|are) (?:said|supposed|rumou?red|believed|thought) to)\b",
)
_SAID_WRONGLY = re.compile(
    r"(?<!\bi )(?<!\bwe )(?<!\byou )\bsa(?:ys?|id)\b[^.!?]{0,120}"
    r"\bbut (?:s?he|they|that)(?:['’]s|['’]re| is| are| was)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:imagine|suppose|supposing|pretend|assuming|what if|let['’]?s (?:say|assume|pretend)|say,? for example"
    r"|i wish|if only|hypothetically|in theory|(?:would|could|might)(?:n['’]t)?(?: have)? (?:be(?:en)?|rather)"
    r"|(?<!you )should|ought to)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"(?:^|[,;] )(?:\w+ )?(?:if|unless|in case|provided)\b", re.IGNORECASE)
_JOKE = re.compile(r"\b(?:just |only )?(?:kidding|joking)\b|\bjk\b|\bjust a joke\b|\bjust for fun\b", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"[.,;!?—–-]\s*(?:(?:no|oh|ah|er|um|hm+|oops)[, ]+)*(?:sorry|scratch that|i mean|i meant|or rather|wait|hold on"
    r"|correction|make that)\b[,:]?(?! (?:no|but|that|it)\b)",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"\beither\b|\b[\w:.]{1,40} or (?:an? |the |at |on |in )?(?!so\b|something\b|anything\b|more\b|less\b)[\w:.]+",
    re.IGNORECASE,
)
_OR_ELSE = re.compile(r"\bor (?:was|is|were|are) (?:it|that|he|she|they)\b|\bor (?:maybe|perhaps)\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:used to(?! \w+ing)|was never|were never|until (?:yesterday|last \w+))\b", re.IGNORECASE)
_WAS_OLD = re.compile(
    r"\b(?P<old>[\w:.-]{1,40})(?: o'clock)? (?:was|were|is|are) (?:the |my |our )?(?:old|former|previous|earlier)\b",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|formerly|originally|back then|in the past|at first)\b", re.IGNORECASE)
_FUTURE = re.compile(
    r"\b(?:will be|is going to be|are going to be|['’]ll be)\b.{0,80}"
    r"\b(?:from|as of|starting|beginning|after|once|when)\b"
    r"|\b(?:from|as of|starting|beginning)(?: in| on)? (?:next|tomorrow|(?:19|20)[0-9]{2}\b)"
    r"|\bfrom \w+day on\b",
    re.IGNORECASE,
)
_BOUNDS = re.compile(
    r"\b(?:at (?:most|least)|(?<!it )(?<!go )(?<!goes )(?<!went )up to|between|more than|less than|fewer than"
    r"|no more than|minimum|maximum|about|around|roughly|only (?:at|on|in|for|when|during|after|before)|except|also"
    r"|as well|too|sometimes|usually|plus|minus|haha)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|no longer|never|nobody|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_DENIED_VALUE = re.compile(r"\bnot\b|n['’]t\b|\bnever\b", re.IGNORECASE)
_IMPOSSIBLE = re.compile(
    r"\b(?:3[2-9]|[4-9][0-9])(?:st|nd|rd|th) of\b|(?<![\d.:/-])(?:2[4-9]|[3-9][0-9]):[0-9]{2}(?![\d:])"
    r"|(?<![\d.:])[0-2]?[0-9]:[6-9][0-9](?![\d:])"
    r"|\b(?:30|31)(?:st|th)? (?:of )?feb|\b31(?:st)? (?:of )?(?:apr|june?\b|sep|nov)"
    r"|\bfeb(?:ruary)? (?:30|31)(?!\d)|\b(?:april?|june?|sept?(?:ember)?|nov(?:ember)?) 31(?!\d)",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
_SAID_DAY = re.compile(
    r"[0-9]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:mon|tue|wed|thu|fri|sat|sun)\b|\b(?:today|tonight"
    r"|tomorrow|yesterday|ago|day|week|eve|weekend)",
    re.IGNORECASE,
)
_NTH_DAY = re.compile(
    r"\b(?:first|second|third|fourth|last) (?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day) (?:of|in) \w+",
    re.IGNORECASE,
)
_LISTED = re.compile(r", ?(?:and )?| and | (?:as well as|plus) | & ", re.IGNORECASE)
_SHORT, _TWO = 6, 2
_LIST_END = re.compile(r"[.;:!?(]|\s[–—-]\s|\bnot\b")
_MONTHS = (
    r"january|february|march|april|may|june|july|august|september|october|november|december|month|year|quarter|week"
)
_OF_MONTH = re.compile(rf"(?:day|end|start|middle|beginning) (?:of|in) (?:the )?({_MONTHS})\b", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_UNIT = re.compile(
    r"(?<![\w.])([0-9]+(?:[.,][0-9]+)?) ?([KMGT]i?B|[munkµ]?[glms]|[ck]?m|mm|kg|km|min|h|ms"
    r"|(?:second|minute|hour|day|week|month|year|percent|euro|dollar|pound|franc|litre|liter|mile|metre|meter)(?=s?\b))"
    r"s?\b"
)
_IT_IS = re.compile(
    r"(?:^|[\s,;:])(?:it|that|he|she|they)(?:['’]s|['’]re| is| are) (?!not\b)"
    r"((?:[^,;.]|(?<=Mr)\.|(?<=Mrs)\.|(?<=Dr)\.|(?<=Ms)\.)+)",
    re.IGNORECASE,
)
_BESIDES = re.compile(r"(?<=\w) (?:with|from|for|by|in|at|on|to|since|until|than|like|as|because|who|that)\b")
