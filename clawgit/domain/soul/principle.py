"""Compares principles: does a new wording keep all that the old one says? Is it contradicted?

Only the small words of English are known. In any other language each new wording counts as weaker,
so the operator is asked once too often rather than once too seldom.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.markdown.tags import visible
from clawgit.language.lazily import lazily


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FILLERS = _set("a an the and or also too please that is are be")
"""Words that change nothing, and are not compared."""

_LINKS = _set(
    "to of in on at for from with by as into your you my i me we our it its this they them"
)

_NEGATIONS = _set("not no never nothing nobody none neither nor nowhere stop avoid forbidden")

_STRONG = _set("always must only before without first every all any strictly explicitly")

_STRONGER = _set("always must strictly ever any")
"""Words that may be added: they only make a principle stronger."""

_HEDGES = _set(
    """usually generally normally often sometimes mostly typically try unless except if when where
    while whenever possible possibly may might could can would prefer preferably ideally perhaps
    maybe optional optionally only but however though although until almost rarely seldom reasonable
    reasonably appropriate practical necessary convenient consider probably likely feel free some
    most should need otherwise"""
)
"""Words that soften a principle, and may never be added to it."""

_STRUCK = "~~"
"""Markdown for text that is struck out."""

_SHORTEST_STEM = 3
"""An ending is cut only where this many letters remain: “red” is not “r”."""

_MARKER = lazily(r"^[\s>]*(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})[ \t]+")

_CLAUSE_END = lazily(r"[.;:!?—–。；：！？]+(?=\s|$)|[。；：！？—]")

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"

_WORD = lazily(
    rf"[{_CJK}]|(?:[^\W_{_CJK}]|[^\w\s\x00-\x2f:-@\[-`{{-~\u2000-\u206f\u3000-\u303f\uff00-\uff0f])+"
)


class _Word(NamedTuple):
    """A word as written and as compared. `clause` is the number of its clause in the line."""

    text: str
    stem: str
    clause: int


def says_the_same(old: str, new: str) -> bool:
    """Whether two lines differ in nothing but markers, emphasis, punctuation, case and comments."""
    if _STRUCK in new:
        return False
    return [word.text for word in _words(old)] == [word.text for word in _words(new)]


def weakens(old: str, new: str, beside: Iterable[str] = ()) -> str:
    """What a principle loses in a new wording, in words for the reader; "" if it loses nothing.

    Each word must stay, in order and in any form (delete, deleting). Only articles may be added,
    words that make it stronger, and words of the principles `beside` it that it was merged with.
    """
    if _STRUCK in new and _STRUCK not in old:
        return "is struck out"
    if says_the_same(old, new):
        return ""
    before = _without_fillers(_words(old))
    after = _without_fillers(_words(new))
    kept = _kept(before, after)
    if kept is None:
        return _lost(before, after)
    # A hedge is looked for before a new word: it says more exactly what is wrong.
    return _hedged(after, kept) or _turned_round(after, kept) or _added(old, after, kept, beside)


def _hedged(after: Sequence[_Word], kept: Sequence[int]) -> str:
    """A hedge weakens the clauses that hold old words; in a clause of its own it is a new word."""
    clauses = {after[at].clause for at in kept}
    for at, word in enumerate(after):
        if at not in kept and word.text in _HEDGES and word.clause in clauses:
            return f"is softened by “{word.text}”"
    return ""


def _turned_round(after: Sequence[_Word], kept: Sequence[int]) -> str:
    """A negation turns the words after it, so one after the last old word does no harm here."""
    clauses = {after[at].clause for at in kept}
    for at, word in enumerate(after[: max(kept, default=0)]):
        if at not in kept and word.text in _NEGATIONS and word.clause in clauses:
            return f"is reversed by “{word.text}”"
    return ""


def _added(old: str, after: Sequence[_Word], kept: Sequence[int], beside: Iterable[str]) -> str:
    """Words of other languages are not known well enough to see that two principles were merged."""
    merged: set[str] = set()
    if _is_english(old):
        merged = {word.stem for line in beside for word in _words(line)}
    for at, word in enumerate(after):
        if at not in kept and word.stem not in merged and word.text not in _STRONGER:
            return f"gains “{word.text}”, which it did not say"
    return ""


def contradicts(correction: Correction, line: str) -> bool:
    """Whether a correction takes back what a line says. If in doubt, it does not.

    It does if its `Was` quotes the line. It also does if its `Correct` shares at least half of the
    line's subject words (two or more, unless there is only one) and negates what the line affirms,
    or the other way round. Two negations affirm: “never delete without asking” does not contradict
    “ask before deleting”. A new value (“answer in French”) contradicts only with a `Was`.
    """
    stems = [word.stem for word in _words(line)]
    if stems and _has_run([word.stem for word in _words(correction.was)], stems):
        return True
    about = subject(line)
    correct = _words(correction.correct)
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
    text = _MARKER.sub("", visible(line)).casefold()
    text = text.replace("’", "'").replace("n't", " not").replace("cannot", "can not")
    words: list[_Word] = []
    for clause, part in enumerate(_CLAUSE_END.split(text)):
        words += [_Word(word, _stem(word), clause) for word in _WORD.findall(part)]
    return words


def _stem(word: str) -> str:
    """A word without the endings of English, so that “deleting” is “delete”."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)].removesuffix("e")
    return word


def _without_fillers(words: Iterable[_Word]) -> list[_Word]:
    return [word for word in words if word.text not in _FILLERS]


def _kept(old: Sequence[_Word], new: Sequence[_Word]) -> list[int] | None:
    """The places of the old words in the new wording, in order; None if one is missing.

    Where a word stands several times, the places that lie closest together are taken.
    """
    at = _places([word.stem for word in old], [word.stem for word in new])
    if not at:
        return None if old else []
    # Searching back from the first possible end moves each word as near to it as it can be.
    tail = new[: at[-1] + 1]
    back = _places([word.stem for word in reversed(old)], [word.stem for word in reversed(tail)])
    return [len(tail) - 1 - place for place in reversed(back)]


def _places(stems: Sequence[str], text: Sequence[str]) -> list[int]:
    """Where the stems stand in a text, each after the one before; empty if one is missing."""
    places: list[int] = []
    for at, word in enumerate(text):
        if len(places) < len(stems) and word == stems[len(places)]:
            places.append(at)
    return places if len(places) == len(stems) else []


def _lost(old: Sequence[_Word], new: Sequence[_Word]) -> str:
    remaining = {word.stem for word in new}
    missing = [word.text for word in old if word.stem not in remaining]
    if not missing:
        return "says the same words in another order"
    for word in missing:
        if word in _STRONG | _NEGATIONS:
            return f"no longer says “{word}”"
    return f"loses “{missing[0]}”"


def _is_negative(words: Iterable[_Word]) -> bool:
    return sum(word.text in _NEGATIONS or word.text == "without" for word in words) % 2 == 1


def _is_english(line: str) -> bool:
    small_words = _FILLERS | _STRONG | _NEGATIONS | _HEDGES | _LINKS
    return any(word.text in small_words for word in _words(line))


def _has_run(words: Sequence[str], run: Sequence[str]) -> bool:
    return f" {' '.join(run)} " in f" {' '.join(words)} "
