"""Principles compared: whether a new wording keeps all that the old one says, and whether a
correction contradicts it.

It knows the small words of English. In any other language each rewording counts as weaker: that
asks once too often.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.markdown.tags import visible


class _Word(NamedTuple):
    """A word as it is written and as it is compared; `clause` counts the sentences and half
    sentences before it.
    """

    text: str
    stem: str
    clause: int


def says_the_same(old: str, new: str) -> bool:
    """Whether two lines differ in nothing but markers, emphasis, punctuation, case and comments."""
    return _STRUCK not in new and [word.text for word in _words(old)] == [
        word.text for word in _words(new)
    ]


def weakens(old: str, new: str, beside: Iterable[str] = ()) -> str:
    """What a principle loses in a new wording, as words for its reader; "" where it keeps all it
    says.

    Each word must stay, in order and in any form (delete, deleting). Nothing may come in but
    articles, words that only make it stronger, and words of the principles `beside` it that it was
    merged with. A hedge or a negation never may.
    """
    if _STRUCK in new and _STRUCK not in old:
        return "is struck out"
    if says_the_same(old, new):
        return ""
    before, after = _telling(_words(old)), _telling(_words(new))
    kept = _kept(before, after)
    if kept is None:
        return _lost(before, after)
    gained = [word for number, word in enumerate(after) if number not in kept]
    clauses = {after[number].clause for number in kept}
    if hedge := next(
        (word.text for word in gained if word.text in _HEDGES and word.clause in clauses), ""
    ):
        return f"is softened by “{hedge}”"
    ahead = [
        word
        for number, word in enumerate(after)
        if number not in kept and number < max(kept, default=0)
    ]
    if turn := next(
        (word.text for word in ahead if word.text in _NEGATIONS and word.clause in clauses), ""
    ):
        return f"is turned round by “{turn}”"
    merged = {word.stem for line in beside for word in _words(line)} if _is_english(old) else set()
    new_words = (
        word.text for word in gained if word.stem not in merged and word.text not in _STRONGER
    )
    return next((f"gains “{word}”, which it did not say" for word in new_words), "")


def contradicts(correction: Correction, line: str) -> bool:
    """Whether a correction takes back what a line says. In doubt it does not: then only the
    operator can.

    It does where its `Was` quotes the line; or where what is `Correct` shares at least half of the
    words that make the line's subject (two or more, unless there is only one) and negates what the
    line affirms, or the other way round. Two negations affirm: “never delete without asking” does
    not contradict “ask before deleting”. A new value for the same subject (“answer in French”) is a
    contradiction only with a `Was`.
    """
    wanted = [word.stem for word in _words(line)]
    if wanted and _has_run([word.stem for word in _words(correction.was)], wanted):
        return True
    about, correct = subject(line), _words(correction.correct)
    shared = about & {word.stem for word in correct}
    if not shared or len(shared) < min(2, len(about)) or 2 * len(shared) < len(about):
        return False
    return _is_negative(correct) != _is_negative(_words(line))


def subject(line: str) -> set[str]:
    """The stems of the words that carry what a line is about."""
    small = _FILLERS | _STRONG | _STRONGER | _NEGATIONS | _HEDGES | _LINKS
    return {word.stem for word in _words(line) if word.text not in small}


def negates(text: str) -> bool:
    """Whether a text, or the heading above a list, says what not to do."""
    return _is_negative(_words(text))


def _words(line: str) -> list[_Word]:
    text = (
        _MARKER.sub("", visible(line))
        .casefold()
        .replace("’", "'")
        .replace("n't", " not")
        .replace("cannot", "can not")
    )
    found: list[_Word] = []
    for clause, part in enumerate(_CLAUSE_END.split(text)):
        found += [_Word(word, _stem(word), clause) for word in _WORD.findall(part)]
    return found


def _stem(word: str) -> str:
    """A word without the endings of English, so that “deleting” is “delete”."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)].removesuffix("e")
    return word


def _telling(words: Iterable[_Word]) -> list[_Word]:
    return [word for word in words if word.text not in _FILLERS]


def _kept(old: Sequence[_Word], new: Sequence[_Word]) -> list[int] | None:
    """The places in the new wording where the old words stand, in order and close together; None if
    one is missing.
    """
    at = _places([word.stem for word in old], [word.stem for word in new])
    if not at:
        return None if old else []
    tail = new[: at[-1] + 1]
    back = _places([word.stem for word in reversed(old)], [word.stem for word in reversed(tail)])
    return [len(tail) - 1 - number for number in reversed(back)]


def _places(wanted: Sequence[str], found: Sequence[str]) -> list[int]:
    """Where the wanted words stand, each behind the one before; empty if one is missing."""
    places: list[int] = []
    for number, word in enumerate(found):
        if len(places) < len(wanted) and word == wanted[len(places)]:
            places.append(number)
    return places if len(places) == len(wanted) else []


def _lost(old: Sequence[_Word], new: Sequence[_Word]) -> str:
    there = {word.stem for word in new}
    missing = [word.text for word in old if word.stem not in there]
    strong = next((word for word in missing if word in _STRONG or word in _NEGATIONS), "")
    if strong:
        return f"no longer says “{strong}”"
    return f"loses “{missing[0]}”" if missing else "says the same words in another order"


def _is_negative(words: Iterable[_Word]) -> bool:
    return sum(word.text in _NEGATIONS or word.text == "without" for word in words) % 2 == 1


def _is_english(line: str) -> bool:
    return any(
        word.text in _FILLERS | _STRONG | _NEGATIONS | _HEDGES | _LINKS for word in _words(line)
    )


def _has_run(words: Sequence[str], run: Sequence[str]) -> bool:
    return f" {' '.join(run)} " in f" {' '.join(words)} "


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FILLERS = _set("a an the and or also too please that is are be")
_LINKS = _set(
    "to of in on at for from with by as into your you my i me we our it its this they them"
)
_NEGATIONS = _set("not no never nothing nobody none neither nor nowhere stop avoid forbidden")
_STRONG = _set("always must only before without first every all any strictly explicitly")
_STRONGER = _set("always must strictly ever any")
_HEDGES = _set(
    """usually generally normally often sometimes mostly typically try unless except if when where
    while whenever possible possibly may might could can would prefer preferably ideally perhaps
    maybe optional optionally only but however though although until almost rarely seldom reasonable
    reasonably appropriate practical necessary convenient consider probably likely feel free some
    most should need otherwise"""
)
_STRUCK = "~~"
_SHORTEST_STEM = 3
_MARKER = re.compile(r"^[\s>]*(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})[ \t]+")
_CLAUSE_END = re.compile(r"[.;:!?—–。；：！？]+(?=\s|$)|[。；：！？—]")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(
    rf"[{_CJK}]|(?:[^\W_{_CJK}]|[^\w\s\x00-\x2f:-@\[-`{{-~\u2000-\u206f\u3000-\u303f\uff00-\uff0f])+"
)
