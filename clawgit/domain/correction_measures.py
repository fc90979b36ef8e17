"""How a day or a number is written in the place of another: with its unit, its street, the word that leads to it."""

import re

from clawgit.domain.correction_slots import Slot, key_of, root_of
from clawgit.domain.correction_values import DAY, NUMBER
from clawgit.domain.mention import words
from clawgit.domain.question_words import STOP


def placed(sentence: str, start: int, end: int, new: str) -> str:
    """The sentence with other words from `start` to `end`."""
    before, after = sentence[:start], sentence[end:]
    first, last = _NEXT.match(after), new.rpartition(" ")
    if first and last[0] and first[1].lower() == last[2].lower():
        new = last[0]
    if _ARTICLE.search(before):
        before = _ARTICLE.sub(lambda found: found[1] + ("n " if new[:1].lower() in "aeiou" else " "), before)
    if not before.strip():
        new = new[:1].upper() + new[1:]
    return f"{before}{new}{after}"


def rate(value: str, number: Slot) -> str:
    found = _RATE.match(value, number.end) if number.kind == NUMBER else None
    return found[0] if found else ""


def with_rate(sentence: str, end: int, said: str) -> tuple[int, str]:
    """Up to where a number goes that says per what it is: “30 EUR per month” in the place of “20 EUR a week”."""
    told, known = _RATE.search(said), _RATE.match(sentence, end)
    if told is None or known is None:
        return (end, said) if told is None or not _RATE.search(sentence) else (end, said[: told.start()])
    return known.end(), said


def led_by_day(sentence: str, start: int, end: int, day: str) -> str:
    """A day with the word that leads to it: on Friday, in May, at the end of May."""
    led = _DAY_LED.search(sentence[:start])
    if led is None or _lead(day).strip() == _lead(sentence[start:end]).strip():
        return placed(sentence, start, end, day)
    return placed(sentence, led.start(1), end, f"{_lead(day)}{day}")


def _lead(day: str) -> str:
    if _ENDS_A_MONTH.match(day):
        return "at the "
    if _NEAR_DAY.match(day):
        return ""
    return "on " if re.search(r"[0-9]|day", day) else "in "


def widened(sentence: str, old: Slot, value: str, new: Slot) -> tuple[int, int, str]:
    """From where to where a number goes, and what is said there: `Lindenallee 18` in the place of `Gartenweg 5`."""
    here, there = _CALLED.search(sentence[: old.start]), _CALLED.search(value[: new.start])
    part = _PART_OF_DAY.match(value[new.end :])
    if old.kind == DAY and part and not _PART_OF_DAY.match(sentence[old.end :]):
        return old.start, old.end, f"{new.text}{part[0]}"
    if old.kind != NUMBER or not here or not there or key_of(here[0]) == key_of(there[0]):
        return old.start, old.end, _as_written(new.text, old.text)
    return here.start(), old.end, f"{there[0]}{new.text}"


def _as_written(new: str, old: str) -> str:
    """A bare number with what the old one had beside it, `1050` in the place of `980 euros`; a weekday as the old one
    was, `Thursday` where Tuesday stood.
    """
    if _WEEKLY.search(new) and _WEEKLY.search(old):
        return new.removesuffix("s") + "s" * old.endswith("s")
    digits = _DIGITS.fullmatch(new)
    return _DIGITS.sub(lambda _: new, old, count=1) if digits and _IS_MONEY.search(old) else new


def in_units(sentence: str, one: Slot, value: str, other: Slot) -> bool:
    """Whether two numbers can be of the same thing: not money and months."""
    if one.kind != NUMBER:
        return True
    mine, theirs = unit(sentence, one), unit(value, other)
    if not mine or not theirs or mine == theirs:
        return True
    beside = words(sentence[: one.start])[-1:]
    return bool(beside) and beside == words(value[: other.start])[-1:] and MONEY not in (mine, theirs)


def is_year(text: str, slot: Slot) -> bool:
    """“In 2024” is when it was, and no number of anything."""
    return _YEAR.fullmatch(slot.text) is not None and _SINCE.search(text[: slot.start]) is not None


def unit(text: str, slot: Slot) -> str:
    if _IS_MONEY.search(slot.text):
        return MONEY
    if "%" in slot.text or "percent" in slot.text.lower():
        return "%"
    behind = words(text[slot.end : slot.end + _NEAR])[:1] if text[slot.end : slot.end + 1] in (" ", "-") else ()
    if behind == ("percent",):
        return "%"
    if behind and not behind[0].isascii():
        return behind[0][:1]
    return root_of(behind[0]) if behind and behind[0] not in STOP and behind[0] != "per" and behind[0].isalpha() else ""


_CALLED = re.compile(r"(?<=\w )(?<!\. )[A-Z][\w-]+ $|^[A-Z][\w-]+ $")
_PART_OF_DAY = re.compile(r" (?:morning|afternoon|evening|night)s?\b", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
MONEY = "money"
_IS_MONEY = re.compile(r"[$€£¥]|euro|dollar|usd|eur", re.IGNORECASE)
_NEAR = 24
_RATE = re.compile(
    r" (?:per|each|every) [^\W\d]+\b|/[^\W\d]+\b| an? (?:hour|day|night|week|month|quarter|year|head|person|piece|seat"
    r"|user)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:in|since|until|till|before|after|from|by) $", re.IGNORECASE)
_NEXT = re.compile(r" ([^\W\d]+)")
_DAY_LED = re.compile(r"(?<!\w)((?:on|in|at)(?: the)? )$", re.IGNORECASE)
_ENDS_A_MONTH = re.compile(r"(?:the )?end of\b", re.IGNORECASE)
_NEAR_DAY = re.compile(r"(?:today|tomorrow|tonight|yesterday)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_ARTICLE = re.compile(r"(?<!\w)([Aa])n? $")
_WEEKLY = re.compile(r"(?i:(?<=mon)|(?<=tues)|(?<=wednes)|(?<=thurs)|(?<=fri)|(?<=satur)|(?<=sun))days?$")
