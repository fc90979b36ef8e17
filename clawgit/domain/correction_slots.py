"""Values in a sentence: days, times, numbers, addresses, names; and the words that carry meaning."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.domain.correction_values import DAY, KINDS, LEADING, NAME, NUMBER, TIME, VERBS
from clawgit.domain.mention import words
from clawgit.domain.question_words import FORMS, STOP


class Slot(NamedTuple):
    """A value and what kind of value it is; `start` and `end` are where it stands."""

    kind: str
    text: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def slots(text: str) -> tuple[Slot, ...]:
    """The values of a sentence in order: days, times, numbers, addresses, names."""
    found = ((match.lastgroup or "", match) for match in _slots().finditer(text))
    return tuple(Slot(kind, match[0], *match.span()) for kind, match in found if kind != NAME or _is_name(text, match))


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
    return span_of(sentence, value) is not None or (value.isascii() and same_number(sentence, value) is not None)


def claimed(sentence: str) -> str:
    """A sentence with NULs where it says what is not so: the end of “goes to Boris, not to Ana”."""
    return _ASIDE.sub(lambda found: "\0" * len(found[0]), sentence)


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
    return frozenset(root_of(word) for word in found if word not in STOP and word not in LEADING)


def span_of(sentence: str, value: str) -> tuple[int, int] | None:
    pieces = _PIECE.findall(value)
    if not pieces:
        return None
    plain = sentence.lower()
    if not all(_WEEKLY.sub("day", piece).lower() in plain for piece in pieces):
        return None
    pattern = r"\W{0,3}".join(_WEEKLY.sub("days?", re.escape(piece)) for piece in pieces)
    for found in re.finditer(pattern, sentence, re.IGNORECASE):
        before, behind = sentence[found.start() - 1 : found.start()], sentence[found.end() : found.end() + 1]
        if not value.isascii() or not (_LETTER.match(before) or _LETTER.match(behind)):
            return found.span()
    return None


def same_number(sentence: str, value: str) -> tuple[int, int] | None:
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


def root_of(word: str) -> str:
    if forms := FORMS.get(word) or FORMS.get(word.removesuffix("s")) or FORMS.get(word.removesuffix("ing")):
        return min(forms)
    if _HANGUL.match(word):
        return _PARTICLE.sub("", word)
    if not word.isascii() or not word.isalpha() or len(word) <= _LEAST:
        return word.removesuffix("'s")
    root = _ENDING.sub("", word)
    return root[:-1] if len(root) > _LEAST and root[-1] == root[-2] else root


def key_of(text: str) -> tuple[str, ...]:
    return tuple(piece.casefold() for piece in _PIECE.findall(text))


@cache
def _slots() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS), re.VERBOSE)


_FIRST = re.compile(r"([\w'’]+)(?:[\s,:]+|$)")
_BEHIND = re.compile(r"(.+) (?:for|in|on|at|from|with|of|to) (\S+(?: \S+){0,3})")
_REASON = re.compile(
    r",? (?:because|since|cause|so that|cuz|which|this (?:year|week|month|time)|in (?:spring|summer|autumn|fall"
    r"|winter)|since|last (?:week|month|year)|anymore|any more|these days|(?:\w+ ){1,2}ago)\b|, |[;(—]| – | - ",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:[,(–—-]| and| but) ?(?:not|never|no longer|instead of|rather than)\b[^,;.!?)]*"
    r"|[，,]?(?:而)?不(?:再)?是[^，,。]*",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
_ENDING = re.compile(r"(?<=..)(?:(?<=..)ies|(?<=.)(?:ing|ed|es|s|e))$")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_PARTICLE = re.compile(r"(?<=[\uac00-\ud7af])(?:은|는|을|를|에서|에게|한테|으로|까지|부터|에|의)$")
_LETTER = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WEEKLY = re.compile(r"(?i:(?<=mon)|(?<=tues)|(?<=wednes)|(?<=thurs)|(?<=fri)|(?<=satur)|(?<=sun))days?$")
_HYPHENED = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})+")
_NUMERAL = re.compile(r"(?<![0-9])[0-9]{1,4}(?![0-9])")
_LEAST, _SHORTLY = 3, 3
