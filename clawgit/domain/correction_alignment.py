"""Two sentences laid side by side: where they say the same, and the one place where they differ."""

import re
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.correction_measures import placed
from clawgit.domain.correction_put import KIND, Put
from clawgit.domain.correction_slots import content, verb_in

_LONGEST = 6


class _Word(NamedTuple):
    key: str
    start: int
    end: int
    means: bool


def aligned(sentence: str, statement: str) -> Put | None:
    """The sentence with the words of the statement in the one place where they differ; None where they differ in more,
    or share nothing that carries meaning.
    """
    mine, theirs = _tokens(sentence), _tokens(statement)
    steps = SequenceMatcher(None, [one.key for one in mine], [one.key for one in theirs], autojunk=False).get_opcodes()
    shared = sum(one.means for how, start, end, *_ in steps if how == "equal" for one in mine[start:end])
    apart = [step for step in steps if step[0] == "replace" and _means(mine, *step[1:3]) and _means(theirs, *step[3:5])]
    added = [step for step in steps if step[0] == "insert" and step[4] < len(theirs) and _means(theirs, *step[3:5])]
    if not shared or len(apart) != 1 or added:
        return _otherwise_marked(sentence, mine, theirs, statement)
    [(_, start, end, other, last)] = apart
    if max(end - start, last - other) > _LONGEST or shared < len(content(statement)) - shared - _LONGEST:
        return None
    old = sentence[mine[start].start : mine[end - 1].end]
    new = statement[theirs[other].start : theirs[last - 1].end]
    if bool(_NUMERAL.search(old)) != bool(_NUMERAL.search(new)):
        return None
    if verb_in(f"x {old}") or verb_in(f"x {new}"):
        return _otherwise_marked(sentence, mine, theirs, statement)
    return Put(placed(sentence, mine[start].start, mine[end - 1].end, new), old, KIND)


def of_two_things(sentence: str, statement: str, values: Collection[str]) -> bool:
    """Whether two sentences say the same of two things, whatever the values: the invoices of one project, and those of
    another. What is the same number, written otherwise, is no other thing.
    """
    mine, theirs = (
        [one for one in _tokens(_up_to_verb(text)) if one.means and one.key not in values]
        for text in (sentence, statement)
    )
    steps = SequenceMatcher(None, [one.key for one in mine], [one.key for one in theirs], autojunk=False).get_opcodes()
    apart = [step for step in steps if step[0] != "equal"]
    if len(apart) != 1 or len(steps) == 1 or apart[0][0] != "replace":
        return False
    [(_, start, end, other, last)] = apart
    return not _numerals(mine[start:end]) & _numerals(theirs[other:last])


def _up_to_verb(sentence: str) -> str:
    """What a sentence says before its values: its subject, and what is said of that."""
    verb = verb_in(sentence)
    return sentence[: verb[1]] if verb else sentence


def _numerals(words: Sequence[_Word]) -> frozenset[str]:
    return frozenset(number for one in words for number in _NUMBER.findall(one.key))


def _otherwise_marked(sentence: str, mine: tuple[_Word, ...], theirs: tuple[_Word, ...], statement: str) -> Put | None:
    """“Wet food” in the place of “dry food”: the same thing with another word before it."""
    heads = {one.key: (before, one) for before, one in pairwise(mine) if before.means and one.means}
    found = [
        (heads[one.key][0], before)
        for before, one in pairwise(theirs)
        if one.key in heads and before.means and before.key != heads[one.key][0].key
    ]
    if len(found) != 1:
        return None
    [(old, new)] = found
    if old.key in {one.key for one in theirs} or new.key in {one.key for one in mine}:
        return None
    marked = statement[new.start : new.end]
    if verb_in(f"x {marked} x") or verb_in(f"x {sentence[old.start : old.end]} x"):
        return None
    return Put(placed(sentence, old.start, old.end, marked), sentence[old.start : old.end], KIND)


def _means(words: tuple[_Word, ...], start: int, end: int) -> bool:
    return any(one.means for one in words[start:end])


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[_Word, ...]:
    return tuple(_word(found) for found in _WORD.finditer(text))


def _word(found: re.Match[str]) -> _Word:
    roots = content(found[0])
    return _Word(min(roots) if roots else found[0].lower(), *found.span(), bool(roots))


_NUMERAL = re.compile(r"[0-9]")
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W_])+"
    r"(?:[.:,'’@/_-]+(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W_])+)*"
)
