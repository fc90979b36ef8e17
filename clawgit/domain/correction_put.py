"""A sentence with another value in the place of the wrong one: where that place is, and whether the value fits it."""

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from typing import NamedTuple

from clawgit.domain.correction_measures import (
    MONEY,
    in_units,
    is_year,
    led_by_day,
    placed,
    rate,
    unit,
    widened,
    with_rate,
)
from clawgit.domain.correction_slots import (
    Slot,
    bare,
    claimed,
    content,
    holds,
    key_of,
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
    if content(core) - _ANOTHER <= content(sentence[: verb[0]]):
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
    return any(in_units(f"x {old}", one, f"y {new}", other) for one in ones for other in others)


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
    inside = [slot for slot in slots(sentence) if slot.kind in kinds and _is_within(slot, start, end)]
    if len(like) == 1 and len(inside) == 1:
        start, end, new = inside[0].start, inside[0].end, like[0]
        old = sentence[start:end]
    else:
        new = bare(value, sentence[:start], sentence[end:])
        start, new = _with_lead(sentence, start, value, new)
        old = sentence[start:end]
    if not new or len(new.split()) > _LONGEST or key_of(new) == key_of(old) or verb_in(f"x {new}"):
        return None
    if holds(f"{sentence[:start]}\0{sentence[end:]}", new):
        return None
    return Put(placed(sentence, start, end, new), old, WRONG)


def _with_lead(sentence: str, start: int, value: str, new: str) -> tuple[int, str]:
    """From where a value goes that is led otherwise than the wrong one: “from a dealer in Bonn”, of “at Ulm”."""
    led = _PREPOSITION.match(value)
    before = sentence[:start]
    if led is None or slots(new)[:1] == slots(f"x {new}")[:1] or before.lower().endswith(led[0].lower()):
        return start, new
    word = led[0].split()[0]
    at = before.lower().rfind(f" {word.lower()} ")
    between = before[at + len(word) + 2 :]
    if at < 0 or not _LED_BY.search(before) or "," in between or verb_in(f"x {between}"):
        return start, new
    article = _ARTICLED.match(value, led.end())
    return at + 1, f"{led[0]}{article[0] if article else ''}{new}"


def _is_within(slot: Slot, start: int, end: int) -> bool:
    """Whether a value is what stands there, be it that only a part of it was named: “not 8”, of 8:00."""
    return (start <= slot.start and slot.end <= end) or (slot.start <= start and end <= slot.end)


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
            and in_units(sentence, slot, value, new)
            and is_year(value, new) <= is_year(sentence, slot)
        ]
        like = [slot for slot in like if key_of(slot.text) not in {key_of(one.text) for one in there}] or like
        if not like:
            continue
        swaps[_closest(sentence, like, value, new)] = new
    if not swaps:
        return _port(sentence, value)
    text = sentence
    for old in sorted(swaps, reverse=True, key=lambda slot: slot.start):
        start, end, said = widened(text, old, value, _with_next(swaps[old], there, here, value))
        end -= old.text.endswith(".") and text[end:].strip() == "" and not said.endswith(".")
        end, said = with_rate(text, end, f"{said}{rate(value, swaps[old])}")
        text = led_by_day(text, start, end, said) if old.kind == DAY else placed(text, start, end, said)
    text = _same_led(text, value, {one.text for one in swaps.values()})
    return Put(text, ", ".join(old.text for old in sorted(swaps, key=lambda slot: slot.start)), KIND)


def _with_next(new: Slot, there: list[Slot], here: list[Slot], value: str) -> Slot:
    """A day with the time that is told right behind it, where the sentence has none: “on Thursday at 15:00”."""
    behind = next((one for one in there if one.start > new.end), None)
    if behind is None or behind.kind in {one.kind for one in here} or {new.kind, behind.kind} != {DAY, TIME}:
        return new
    between = value[new.end : behind.start]
    return new._replace(text=value[new.start : behind.end], end=behind.end) if _SMALL.fullmatch(between) else new


def _same_led(text: str, value: str, taken: Collection[str]) -> str:
    """What else a value says behind a preposition goes behind the same one: “in Porto” in the place of “in Lisbon”."""
    told = _LED_LAST.search(bare(value))
    if told is None or (slots(told[2]) and {slot.text for slot in slots(told[2])} & {*taken}):
        return text
    here = [one for one in _LED.finditer(text) if one[1].lower() == told[1].lower()]
    if len(here) != 1 or holds(text, told[2]) or {slot.kind for slot in slots(here[0][2])} - {NAME}:
        return text
    return placed(text, here[0].start(2), here[0].end(2), told[2])


def _port(sentence: str, value: str) -> Put | None:
    """Another port in an address."""
    told, address = _PORT_TOLD.search(value), _PORT.search(sentence)
    if told is None or address is None or told[1] == address[1]:
        return None
    return Put(f"{sentence[: address.start(1)]}{told[1]}{sentence[address.end(1) :]}", address[1], KIND)


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
    counted = (slot for slot in like if unit(sentence, slot) in ("", MONEY))
    return next(near, next(counted, like[0]))


def _respelled(sentence: str, value: str) -> Put | None:
    """A name that is spelled otherwise."""
    names = bare(value).split()
    core = names[0] if names and all(one[:1].isupper() for one in names[1:]) else ""
    if core.islower() and _ARTICLE.match(value):
        return None
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
        or _TRAILING.search(core)
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
    return Put(placed(sentence, slot.start, slot.end, bare(value, sentence[: slot.start])), slot.text, KIND)


def _stop(sentence: str) -> str:
    last = sentence.rstrip()[-1:]
    return last if last in ".!。" else ""


_PORT = re.compile(r"[\w.\]]:([0-9]{2,5})(?![\w:])")
_PORT_TOLD = re.compile(r"(?:^|port|端口|포트)[^0-9]{0,12}([0-9]{2,5})(?!\w)", re.IGNORECASE)
_WORDED = re.compile(r"\w+")
_PREPOSITION = re.compile(
    r"(?:(?:in|at|on|by|to|with|from|for|of|via|around|near|under|until)\s(?:the\s)?|the\s|an?\s)", re.IGNORECASE
)
_IN_WORD = re.compile(r"(?<=[\u3400-\u9fff])(?![的是在用了和与到去找归由，。])[\u3400-\u9fff]")
"""A Chinese word that goes on: what stands in it is no value of its own."""
_ASIDES = re.compile("\0+")
_ARTICLED = re.compile(r"an? (?=\S)", re.IGNORECASE)
_TRAILING = re.compile(r" (?:up|out|off|down|open|over|away|back|ready|on|in|too)$", re.IGNORECASE)
"""“Ida has a PR up”: no name ends so."""
_ANOTHER = content("new other another different second")
_SMALL = re.compile(r",? ?(?:at |from |by |around )?", re.IGNORECASE)
_LED_BY = re.compile(r"(?<!\w)(?:in|at|on|by|to|with|from|for|of|near) (?:the )?$", re.IGNORECASE)
_LED = re.compile(r"(?<=\w )(in|at|with|from|via) ((?:the )?[\w-]+)(?=[\s.,!]*$)", re.IGNORECASE)
_LED_LAST = re.compile(r"(?<=\w )(in|at|with|from|via) ((?:the )?[^\W\d][\w-]*)$", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_COPULA = re.compile(r"\b(?:is|are|was|were|be|became|named|called|stays?)\b|['’](?:s|re|m)\b", re.IGNORECASE)
_ONE_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_SPELLED_ALIKE = 0.75
_LEAST, _SHORT, _LONGEST = 3, 8, 8
_NUMERAL = re.compile(r"(?<![0-9])[0-9]{1,4}(?![0-9])")
_ARTICLE = re.compile(r"(?:it(?:['’]s| is) )?an? ", re.IGNORECASE)
