"""A sentence with another value in the place of the wrong one: where that place is, and whether the value fits it."""

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from typing import NamedTuple

from clawgit.domain.correction_slots import (
    Slot,
    bare,
    claimed,
    holds,
    key_of,
    root_of,
    same_number,
    slots,
    span_of,
    verb_in,
)
from clawgit.domain.correction_values import DAY, FAMILIES, LEADING, NAME, NUMBER, TIME
from clawgit.domain.correction_who import OBJECT, UNSURE, belongs
from clawgit.domain.mention import words
from clawgit.domain.question_words import STOP

WRONG, KIND, FAMILY, SPELLING, SOLE, GUESS = "wrong", "kind", "family", "spelling", "sole", "guess"
"""What tells the place of a value: the wrong one that is named, its like, one of the same family (two databases), a
name that is spelled nearly so, that there is but one who is so, or only that it is all that the sentence says.
"""


class Put(NamedTuple):
    """A sentence with the right value, and the value that stood there before; `how` says what told its place."""

    text: str
    old: str
    how: str

    @property
    def sure(self) -> bool:
        """Told by the kind of the value or by the wrong one itself, and not only by where it stands."""
        return self.how != GUESS


def put(sentence: str, value: str, wrong: str = "") -> Put | None:
    """The sentence with this value: in the place of the wrong one where that is told, else of its like, else of what
    is spelled nearly so; None where nothing shows which place is meant. What a sentence denies is no place for it.
    """
    shown = claimed(sentence)
    told = _put(shown, value, wrong)
    if told is None or shown == sentence:
        return told
    asides = [sentence[one.start() : one.end()] for one in _ASIDES.finditer(shown)]
    return told._replace(text=_ASIDES.sub(lambda _: _unless_held(asides.pop(0), value), told.text))


def _unless_held(aside: str, value: str) -> str:
    """“, not to Ana” no longer, where it goes to Ana."""
    return "" if holds(aside, bare(value)) else aside


def _put(sentence: str, value: str, wrong: str) -> Put | None:
    if wrong and (told := _in_place_of(sentence, value, wrong)):
        return told
    return (
        _typed(sentence, value, wrong)
        or _of_family(sentence, value)
        or (_respelled(sentence, value) if not wrong or _respelled(wrong, value) else None)
        or _named(sentence, value)
    )


def put_last(sentence: str, value: str) -> Put | None:
    """The sentence with this value in the place of all that it says of its subject: a guess for short sentences."""
    verb = verb_in(sentence)
    rest = sentence[verb[1] :].strip(" .!") if verb else ""
    core = bare(value, sentence[: verb[1]] if verb else "")
    if not verb or not rest or not core or len(rest.split()) > _SHORT or key_of(core) == key_of(rest):
        return None
    if len(core.split()) > _SHORT or verb_in(f"x {core}") or not _alike(sentence[slice(*verb)], rest, value, core):
        return None
    opening = _PREPOSITION.match(rest)
    kept = opening[0] if opening and not _PREPOSITION.match(value) else ""
    lead = _PREPOSITION.match(value)
    said = f"{lead[0] if lead and not kept else kept}{core}"
    return Put(f"{sentence[: verb[1]].rstrip()} {said}{_stop(sentence)}", rest, GUESS)


def _alike(verb: str, old: str, value: str, new: str) -> bool:
    """Whether two phrases can stand in one place: what something is, or two of one kind, or behind one preposition."""
    kinds, others = ({_kind(slot) for slot in slots(f"x {text}")} for text in (old, new))
    if kinds & others:
        return kinds & others != {NUMBER} or _of_one_unit(old, new)
    led, told = _PREPOSITION.match(old), _PREPOSITION.match(value)
    if led and told and led[0].split()[0].lower() == told[0].split()[0].lower():
        return True
    return _COPULA.search(verb) is not None and not (kinds - {NAME} or others - {NAME})


def _of_one_unit(old: str, new: str) -> bool:
    ones, others = ([slot for slot in slots(f"x {text}") if slot.kind == NUMBER] for text in (old, new))
    return any(_in_units(f"x {old}", one, f"y {new}", other) for one in ones for other in others)


def _kind(slot: Slot) -> str:
    """A year is a day, too."""
    return DAY if _YEAR.fullmatch(slot.text) else slot.kind


def _in_place_of(sentence: str, value: str, wrong: str) -> Put | None:
    span = span_of(sentence, bare(wrong)) or span_of(sentence, wrong) or same_number(sentence, wrong)
    if span is None:
        return None
    start, end = span
    if _IN_WORD.match(sentence, end):
        return None
    named = next(
        (slot for slot in slots(sentence) if slot.kind == NAME and slot.start == start and slot.end > end), None
    )
    end = named.end if named and _NUMERAL.search(sentence[end : named.end]) else end
    old = sentence[start:end]
    kinds = {slot.kind for slot in slots(sentence) if slot.start < end and start < slot.end} - {NAME}
    typed = {slot.kind for slot in slots(value)} - {NAME}
    if typed and not typed & kinds and any(slot.kind in typed for slot in slots(sentence)):
        return None
    like = [slot.text for slot in slots(value) if slot.kind in kinds and not holds(wrong, slot.text)]
    inside = [slot for slot in slots(sentence) if slot.kind in kinds and start <= slot.start and slot.end <= end]
    if len(like) == 1 and len(inside) == 1:
        start, end, new = inside[0].start, inside[0].end, like[0]
        old = sentence[start:end]
    else:
        new = bare(value, sentence[:start], sentence[end:])
    if not new or len(new.split()) > _LONGEST or key_of(new) == key_of(old) or verb_in(f"x {new}"):
        return None
    if holds(f"{sentence[:start]}\0{sentence[end:]}", new):
        return None
    return Put(placed(sentence, start, end, new), old, WRONG)


def _typed(sentence: str, value: str, wrong: str) -> Put | None:
    """Each value whose like stands in the sentence, in its place; the unlike is left out of account."""
    here = [slot for slot in slots(sentence) if slot.kind != NAME]
    there = [slot for slot in slots(value) if slot.kind != NAME and not holds(wrong, slot.text)]
    known = {key_of(slot.text) for slot in here}
    swaps: dict[Slot, Slot] = {}
    for new in there:
        if key_of(new.text) in known:
            continue
        like = [
            slot
            for slot in here
            if slot.kind == new.kind
            and slot not in swaps
            and _in_units(sentence, slot, value, new)
            and _is_year(value, new) <= _is_year(sentence, slot)
        ]
        like = [slot for slot in like if key_of(slot.text) not in {key_of(one.text) for one in there}] or like
        if not like:
            continue
        swaps[_closest(sentence, like, value, new)] = new
    if not swaps:
        return _port(sentence, value)
    text = sentence
    for old in sorted(swaps, reverse=True, key=lambda slot: slot.start):
        start, end, said = _widened(text, old, value, _with_next(swaps[old], there, here, value))
        end -= old.text.endswith(".") and text[end:].strip() == "" and not said.endswith(".")
        end, said = _with_rate(text, end, f"{said}{_rate(value, swaps[old])}")
        text = _led(text, start, end, said) if old.kind == DAY else placed(text, start, end, said)
    text = _same_led(text, value, {one.text for one in swaps.values()})
    return Put(text, ", ".join(old.text for old in sorted(swaps, key=lambda slot: slot.start)), KIND)


def _with_next(new: Slot, there: list[Slot], here: list[Slot], value: str) -> Slot:
    """A day with the time that is told right behind it, where the sentence has none: “on Thursday at 15:00”."""
    behind = next((one for one in there if one.start > new.end), None)
    if behind is None or behind.kind in {one.kind for one in here} or {new.kind, behind.kind} != {DAY, TIME}:
        return new
    between = value[new.end : behind.start]
    return new._replace(text=value[new.start : behind.end], end=behind.end) if _SMALL.fullmatch(between) else new


def _rate(value: str, number: Slot) -> str:
    found = _RATE.match(value, number.end) if number.kind == NUMBER else None
    return found[0] if found else ""


def _with_rate(sentence: str, end: int, said: str) -> tuple[int, str]:
    """Up to where a number goes that says per what it is: “30 EUR per month” in the place of “20 EUR a week”."""
    told, known = _RATE.search(said), _RATE.match(sentence, end)
    if told is None or known is None:
        return (end, said) if told is None or not _RATE.search(sentence) else (end, said[: told.start()])
    return known.end(), said


def _led(sentence: str, start: int, end: int, day: str) -> str:
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


def _same_led(text: str, value: str, taken: Collection[str]) -> str:
    """What else a value says behind a preposition goes behind the same one: “in Porto” in the place of “in Lisbon”."""
    told = _LED_LAST.search(bare(value))
    if told is None or (slots(told[2]) and {slot.text for slot in slots(told[2])} & {*taken}):
        return text
    here = [one for one in _LED.finditer(text) if one[1].lower() == told[1].lower()]
    if len(here) != 1 or holds(text, told[2]) or {slot.kind for slot in slots(here[0][2])} - {NAME}:
        return text
    return placed(text, here[0].start(2), here[0].end(2), told[2])


def _widened(sentence: str, old: Slot, value: str, new: Slot) -> tuple[int, int, str]:
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


def _port(sentence: str, value: str) -> Put | None:
    """Another port in an address."""
    told, address = _PORT_TOLD.search(value), _PORT.search(sentence)
    if told is None or address is None or told[1] == address[1]:
        return None
    return Put(f"{sentence[: address.start(1)]}{told[1]}{sentence[address.end(1) :]}", address[1], KIND)


def _in_units(sentence: str, one: Slot, value: str, other: Slot) -> bool:
    """Whether two numbers can be of the same thing: not money and months."""
    if one.kind != NUMBER:
        return True
    mine, theirs = _unit(sentence, one), _unit(value, other)
    if not mine or not theirs or mine == theirs:
        return True
    beside = words(sentence[: one.start])[-1:]
    return bool(beside) and beside == words(value[: other.start])[-1:] and _MONEY not in (mine, theirs)


def _is_year(text: str, slot: Slot) -> bool:
    """“In 2024” is when it was, and no number of anything."""
    return _YEAR.fullmatch(slot.text) is not None and _SINCE.search(text[: slot.start]) is not None


def _unit(text: str, slot: Slot) -> str:
    if _IS_MONEY.search(slot.text):
        return _MONEY
    if "%" in slot.text or "percent" in slot.text.lower():
        return "%"
    behind = words(text[slot.end : slot.end + _NEAR])[:1] if text[slot.end : slot.end + 1] in (" ", "-") else ()
    if behind == ("percent",):
        return "%"
    if behind and not behind[0].isascii():
        return behind[0][:1]
    return root_of(behind[0]) if behind and behind[0] not in STOP and behind[0] != "per" and behind[0].isalpha() else ""


def _of_family(sentence: str, value: str) -> Put | None:
    """“Postgres” in the place of “MySQL”: what is of one family is mostly used one at a time."""
    core = bare(value)
    family = next((one for one in FAMILIES if core.casefold() in one), None)
    if family is None or holds(sentence, core):
        return None
    old = next((slot for slot in _WORDED.finditer(sentence) if slot[0].casefold() in family), None)
    return Put(placed(sentence, *old.span(), core), old[0], FAMILY) if old else None


def _closest(sentence: str, like: list[Slot], value: str, new: Slot) -> Slot:
    """Of several like values the one with the same word beside it."""
    beside = {*words(value[: new.start])[-1:], *words(value[new.end :])[:1]}
    near = (slot for slot in like if beside & {*words(sentence[: slot.start])[-1:], *words(sentence[slot.end :])[:1]})
    return next(near, like[0])


def _respelled(sentence: str, value: str) -> Put | None:
    """A name that is spelled otherwise."""
    names = bare(value).split()
    core = names[0] if names and all(one[:1].isupper() for one in names[1:]) else ""
    if not _ONE_WORD.fullmatch(core) or len(core) < _LEAST + (len(names) > 1):
        return None
    for found in _WORD.finditer(sentence):
        if not found[0][0].isupper() or found[0].lower() in STOP or found[0].lower() in LEADING:
            continue
        one, other = found[0].casefold(), core.casefold()
        if one != other and one[0] == other[0] and SequenceMatcher(None, one, other).ratio() >= _SPELLED_ALIKE:
            return Put(re.sub(rf"(?<!\w){re.escape(found[0])}(?!\w)", lambda _: core, sentence), found[0], SPELLING)
    return None


def _named(sentence: str, value: str) -> Put | None:
    """A name in the place of the subject where that is its kind, else of the first name that is said of it."""
    core = bare(value, sentence)
    if (
        not any(slot.kind == NAME for slot in slots(f"x {core}"))
        or len(core.split()) > _LONGEST
        or verb_in(f"x {core}")
    ):
        return None
    verb = verb_in(sentence)
    if verb and (place := belongs(core, sentence)) != OBJECT:
        known = place == UNSURE or holds(sentence, core)
        return None if known else Put(f"{core}{sentence[verb[0] :]}", sentence[: verb[0]].strip(), KIND)
    here = [slot for slot in slots(sentence) if slot.kind == NAME and (verb is None or slot.start >= verb[1])]
    lead = _PREPOSITION.match(value)
    same = [slot for slot in here if lead and sentence[: slot.start].lower().endswith(lead[0].lower())]
    slot = next(iter(same or here), None)
    if slot is None or key_of(core) == key_of(slot.text) or holds(sentence, core):
        return None
    return Put(placed(sentence, slot.start, slot.end, core), slot.text, KIND)


def placed(sentence: str, start: int, end: int, new: str) -> str:
    """The sentence with other words from `start` to `end`."""
    before, after = sentence[:start], sentence[end:]
    if _ARTICLE.search(before):
        before = _ARTICLE.sub(lambda found: found[1] + ("n " if new[:1].lower() in "aeiou" else " "), before)
    if not before.strip():
        new = new[:1].upper() + new[1:]
    return f"{before}{new}{after}"


def _stop(sentence: str) -> str:
    last = sentence.rstrip()[-1:]
    return last if last in ".!。" else ""


_CALLED = re.compile(r"(?<=\w )(?<!\. )[A-Z][\w-]+ $|^[A-Z][\w-]+ $")
_PART_OF_DAY = re.compile(r" (?:morning|afternoon|evening|night)s?\b", re.IGNORECASE)
_PORT = re.compile(r"[\w.\]]:([0-9]{2,5})(?![\w:])")
_PORT_TOLD = re.compile(r"(?:^|port|端口|포트)[^0-9]{0,12}([0-9]{2,5})(?!\w)", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_MONEY = "money"
_IS_MONEY = re.compile(r"[$€£¥]|euro|dollar|usd|eur", re.IGNORECASE)
_WORDED = re.compile(r"\w+")
_NEAR = 24
_PREPOSITION = re.compile(
    r"(?:(?:in|at|on|by|to|with|from|for|of|via|around|near|under|until)\s(?:the\s)?|the\s|an?\s)", re.IGNORECASE
)
_IN_WORD = re.compile(r"(?<=[\u3400-\u9fff])(?![的是在用了和与到去找归由，。])[\u3400-\u9fff]")
"""A Chinese word that goes on: what stands in it is no value of its own."""
_ASIDES = re.compile("\0+")
_RATE = re.compile(
    r" (?:per|each|every) [^\W\d]+\b|/[^\W\d]+\b| an? (?:hour|day|night|week|month|quarter|year|head|person|piece|seat"
    r"|user)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:in|since|until|till|before|after|from|by) $", re.IGNORECASE)
_SMALL = re.compile(r",? ?(?:at |from |by |around )?", re.IGNORECASE)
_DAY_LED = re.compile(r"(?<!\w)((?:on|in|at)(?: the)? )$", re.IGNORECASE)
_ENDS_A_MONTH = re.compile(r"(?:the )?end of\b", re.IGNORECASE)
_NEAR_DAY = re.compile(r"(?:today|tomorrow|tonight|yesterday)\b", re.IGNORECASE)
_LED = re.compile(r"(?<=\w )(in|at|with|from|via) ((?:the )?[\w-]+)(?=[\s.,!]*$)", re.IGNORECASE)
_LED_LAST = re.compile(r"(?<=\w )(in|at|with|from|via) ((?:the )?[^\W\d][\w-]*)$", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_COPULA = re.compile(r"\b(?:is|are|was|were|be|became|named|called|stays?)\b|['’](?:s|re|m)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<!\w)([Aa])n? $")
_ONE_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_SPELLED_ALIKE = 0.75
_LEAST, _SHORT, _LONGEST = 3, 8, 8
_NUMERAL = re.compile(r"(?<![0-9])[0-9]{1,4}(?![0-9])")
_WEEKLY = re.compile(r"(?i:(?<=mon)|(?<=tues)|(?<=wednes)|(?<=thurs)|(?<=fri)|(?<=satur)|(?<=sun))days?$")
