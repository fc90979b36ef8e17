"""Values in a sentence, and the same sentence with another value in the place of the wrong one."""

import re
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.domain.correction_values import DAY, FAMILIES, KINDS, LEADING, NAME, NUMBER, TIME, VERBS
from clawgit.domain.mention import words
from clawgit.domain.question_words import FORMS, STOP

WRONG, KIND, FAMILY, SPELLING, GUESS = "wrong", "kind", "family", "spelling", "guess"
"""What tells the place of a value: the wrong one that is named, its like, one of the same family (two databases), a
name that is spelled nearly so, or only that it is all that the sentence says.
"""


class Slot(NamedTuple):
    """A value and what kind of value it is; `start` and `end` are where it stands."""

    kind: str
    text: str
    start: int
    end: int


class Put(NamedTuple):
    """A sentence with the right value, and the value that stood there before; `how` says what told its place."""

    text: str
    old: str
    how: str

    @property
    def sure(self) -> bool:
        """Told by the kind of the value or by the wrong one itself, and not only by where it stands."""
        return self.how != GUESS


def slots(text: str) -> tuple[Slot, ...]:
    """The values of a sentence in order: days, times, numbers, addresses, names."""
    found = ((match.lastgroup or "", match) for match in _slots().finditer(text))
    return tuple(Slot(kind, match[0], *match.span()) for kind, match in found if kind != NAME or _is_name(text, match))


def put(sentence: str, value: str, wrong: str = "") -> Put | None:
    """The sentence with this value: in the place of the wrong one where that is told, else of its like, else of what
    is spelled nearly so; None where nothing shows which place is meant.
    """
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
    if not verb or not rest or not core or len(rest.split()) > _SHORT or _key(core) == _key(rest):
        return None
    opening = _PREPOSITION.match(rest)
    kept = opening[0] if opening and not _PREPOSITION.match(value) else ""
    lead = _PREPOSITION.match(value)
    said = f"{lead[0] if lead and not kept else kept}{core}"
    return Put(f"{sentence[: verb[1]].rstrip()} {said}{_stop(sentence)}", rest, GUESS)


def bare(value: str, before: str = "", behind: str = "") -> str:
    """What of a value is new: without the small words that lead to it, and those that stand in the sentence before."""
    known, there = content(before), frozenset(words(before))
    around = known | content(behind)
    rest = value.strip(' \t.,;:!?…—–"“”')
    while (first := _FIRST.match(rest)) and _leads(first[1].lower(), known, there):
        rest = rest[first.end() :]
    rest = _REASON.split(rest, maxsplit=1)[0]
    while around and (tail := _BEHIND.fullmatch(rest)) and content(tail[2]) <= around and content(tail[2]):
        rest = tail[1]
    return rest.strip(' .,;:!"“”')


def _leads(word: str, known: frozenset[str], there: frozenset[str]) -> bool:
    meant = content(word)
    return word in LEADING or word in there or bool(meant and meant <= known)


def holds(sentence: str, value: str) -> bool:
    """Whether the words of a value stand in a sentence, side by side."""
    return _span(sentence, value) is not None or (value.isascii() and _same_number(sentence, value) is not None)


def verb_in(sentence: str) -> tuple[int, int] | None:
    """Where the first verb of a statement stands."""
    found = _verb().search(sentence)
    return found.span() if found else None


@cache
def _verb() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:(?<=\bit)|(?<=\bhe)|(?<=\bshe)|(?<=\bthat)|(?<=\bthere)|(?<=\bwho)|(?<=\bwhat)|(?<=\bhere))['’]s(?= )"
        rf"|(?<=\w)['’](?:re|m|ve)(?= )|(?<=[\w'’]) (?:{VERBS})(?![\w'’-]))(?: (?:now|always|not|also|only))*",
        re.IGNORECASE,
    )


@lru_cache(maxsize=16384)
def content(text: str) -> frozenset[str]:
    """The words that carry meaning, each by its root."""
    found = (part for word in words(text) for part in (word.split("-") if _HYPHENED.fullmatch(word) else (word,)))
    return frozenset(_root(word) for word in found if word not in STOP and word not in LEADING)


def _in_place_of(sentence: str, value: str, wrong: str) -> Put | None:
    span = _span(sentence, bare(wrong)) or _span(sentence, wrong) or _same_number(sentence, wrong)
    if span is None:
        return None
    start, end = span
    named = next(
        (slot for slot in slots(sentence) if slot.kind == NAME and slot.start == start and slot.end > end), None
    )
    end = named.end if named and _NUMERAL.search(sentence[end : named.end]) else end
    old = sentence[start:end]
    kinds = {slot.kind for slot in slots(sentence) if slot.start < end and start < slot.end} - {NAME}
    like = [slot.text for slot in slots(value) if slot.kind in kinds and not holds(wrong, slot.text)]
    inside = [slot for slot in slots(sentence) if slot.kind in kinds and start <= slot.start and slot.end <= end]
    if len(like) == 1 and len(inside) == 1:
        start, end, new = inside[0].start, inside[0].end, like[0]
        old = sentence[start:end]
    else:
        new = bare(value, sentence[:start], sentence[end:])
    if not new or len(new.split()) > _LONGEST or _key(new) == _key(old) or verb_in(f"x {new}"):
        return None
    return Put(placed(sentence, start, end, new), old, WRONG)


def _typed(sentence: str, value: str, wrong: str) -> Put | None:
    """Each value whose like stands in the sentence, in its place; the unlike is left out of account."""
    here = [slot for slot in slots(sentence) if slot.kind != NAME]
    there = [slot for slot in slots(value) if slot.kind != NAME and not holds(wrong, slot.text)]
    known = {_key(slot.text) for slot in here}
    swaps: dict[Slot, Slot] = {}
    for new in there:
        if _key(new.text) in known:
            continue
        like = [
            slot
            for slot in here
            if slot.kind == new.kind and slot not in swaps and _in_units(sentence, slot, value, new)
        ]
        like = [slot for slot in like if _key(slot.text) not in {_key(one.text) for one in there}] or like
        if not like:
            continue
        swaps[_closest(sentence, like, value, new)] = new
    if not swaps:
        return _port(sentence, value)
    text = sentence
    for old in sorted(swaps, reverse=True, key=lambda slot: slot.start):
        start, end, said = _widened(text, old, value, swaps[old])
        text = placed(text, start, end, said)
    return Put(text, ", ".join(old.text for old in sorted(swaps, key=lambda slot: slot.start)), KIND)


def _widened(sentence: str, old: Slot, value: str, new: Slot) -> tuple[int, int, str]:
    """From where to where a number goes, and what is said there: `Lindenallee 18` in the place of `Gartenweg 5`."""
    here, there = _CALLED.search(sentence[: old.start]), _CALLED.search(value[: new.start])
    part = _PART_OF_DAY.match(value[new.end :])
    if old.kind == DAY and part and not _PART_OF_DAY.match(sentence[old.end :]):
        return old.start, old.end, f"{new.text}{part[0]}"
    if old.kind != NUMBER or not here or not there or _key(here[0]) == _key(there[0]):
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


def _unit(text: str, slot: Slot) -> str:
    if _IS_MONEY.search(slot.text):
        return _MONEY
    if "%" in slot.text or "percent" in slot.text.lower():
        return "%"
    behind = words(text[slot.end : slot.end + _NEAR])[:1] if text[slot.end : slot.end + 1] in (" ", "-") else ()
    return _root(behind[0]) if behind and behind[0] not in STOP and behind[0] != "per" and behind[0].isalpha() else ""


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
    """A name in the place of the first name that the sentence says of its subject."""
    core = bare(value, sentence)
    if (
        not any(slot.kind == NAME for slot in slots(f"x {core}"))
        or len(core.split()) > _LONGEST
        or verb_in(f"x {core}")
    ):
        return None
    verb = verb_in(sentence)
    here = [slot for slot in slots(sentence) if slot.kind == NAME and (verb is None or slot.start >= verb[1])]
    lead = _PREPOSITION.match(value)
    same = [slot for slot in here if lead and sentence[: slot.start].lower().endswith(lead[0].lower())]
    slot = next(iter(same or here), None)
    if slot is None or _key(core) == _key(slot.text) or holds(sentence, core):
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


def _span(sentence: str, value: str) -> tuple[int, int] | None:
    pieces = _PIECE.findall(value)
    if not pieces:
        return None
    pattern = r"[^\w]{0,3}".join(_WEEKLY.sub("days?", re.escape(piece)) for piece in pieces)
    edges = (rf"(?<!{_LETTER})", rf"(?!{_LETTER})") if value.isascii() else ("", "")
    found = re.search(f"{edges[0]}{pattern}{edges[1]}", sentence, re.IGNORECASE)
    return found.span() if found else None


def _same_number(sentence: str, value: str) -> tuple[int, int] | None:
    """Where a number, a time or a day stands that is written otherwise: `8` for 8:00, “the 3rd” for 3 September."""
    told = _numerals(value)
    if not told or len(value.split()) > _SHORTLY:
        return None
    same = (slot for slot in slots(sentence) if slot.kind in (NUMBER, TIME, DAY) and _numerals(slot.text) == told)
    return next(((slot.start, slot.end) for slot in same), None)


def _numerals(text: str) -> tuple[int, ...]:
    found = tuple(int(one) for one in _NUMERAL.findall(text))
    return found if not found or any(found[1:]) else found[:1]


def _is_name(text: str, match: re.Match[str]) -> bool:
    """What opens a sentence is written large anyway."""
    before = text[: match.start()].rstrip(" \"“'(*`")
    opens = not before or before[-1] in ".!?:\n"
    word = match[0]
    if word[0] in '"“' or any(sign.isdigit() for sign in word):
        return True
    if word.lower() in STOP or word.lower() in LEADING or word in ("I", "I'm"):
        return False
    return not opens or word[1:] != word[1:].lower()


def _root(word: str) -> str:
    if forms := FORMS.get(word) or FORMS.get(word.removesuffix("s")) or FORMS.get(word.removesuffix("ing")):
        return min(forms)
    if not word.isascii() or not word.isalpha() or len(word) <= _LEAST:
        return word.removesuffix("'s")
    root = _ENDING.sub("", word)
    return root[:-1] if len(root) > _LEAST and root[-1] == root[-2] else root


def _key(text: str) -> tuple[str, ...]:
    return tuple(piece.casefold() for piece in _PIECE.findall(text))


def _stop(sentence: str) -> str:
    last = sentence.rstrip()[-1:]
    return last if last in ".!。" else ""


@cache
def _slots() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS), re.VERBOSE)


_CALLED = re.compile(r"(?<=\w )(?<!\. )[A-Z][\w-]+ $|^[A-Z][\w-]+ $")
_PART_OF_DAY = re.compile(r" (?:morning|afternoon|evening|night)s?\b", re.IGNORECASE)
_PORT = re.compile(r"[\w.\]]:([0-9]{2,5})(?![\w:])")
_PORT_TOLD = re.compile(r"(?:^|port|端口|포트)[^0-9]{0,12}([0-9]{2,5})(?!\w)", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_MONEY = "money"
_IS_MONEY = re.compile(r"[$€£¥]|euro|dollar|usd|eur", re.IGNORECASE)
_WORDED = re.compile(r"\w+")
_NEAR = 24
_FIRST = re.compile(r"([\w'’]+)(?:[\s,:]+|$)")
_BEHIND = re.compile(r"(.+) (?:for|in|on|at|from|with|of|to) (\S+(?: \S+){0,3})")
_PREPOSITION = re.compile(
    r"(?:(?:in|at|on|by|to|with|from|for|of|via|around|near|under|until)\s(?:the\s)?|the\s|an?\s)", re.IGNORECASE
)
_REASON = re.compile(
    r",? (?:because|since|cause|so that|cuz|which|this (?:year|week|month|time)|in (?:spring|summer|autumn|fall"
    r"|winter)|since|last (?:week|month|year)|anymore|any more|these days|(?:\w+ ){1,2}ago)\b|, |[;(—]| – | - ",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?<!\w)([Aa])n? $")
_ONE_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_PIECE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
_ENDING = re.compile(r"(?<=..)(?:(?<=..)ies|(?<=.)(?:ing|ed|es|s|e))$")
_SPELLED_ALIKE = 0.75
_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_WEEKLY = re.compile(r"(?i:(?<=mon)|(?<=tues)|(?<=wednes)|(?<=thurs)|(?<=fri)|(?<=satur)|(?<=sun))days?$")
_HYPHENED = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})+")
_NUMERAL = re.compile(r"(?<![0-9])[0-9]{1,4}(?![0-9])")
_LEAST, _SHORT, _LONGEST, _SHORTLY = 3, 8, 8, 3
