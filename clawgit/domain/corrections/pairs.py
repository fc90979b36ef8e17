"""What tells a wrong statement from the right one, in texts that no comment can mark: notes,
paragraphs, chronicles.
"""

from collections.abc import Iterable
from typing import NamedTuple

from clawgit.domain.corrections.corrections import QUOTED, Correction
from clawgit.domain.facts.same_fact import words
from clawgit.domain.search.question_words import STOP


class Pair(NamedTuple):
    """The words of the wrong statement alone, those of the right one alone, and those that both
    have.
    """

    wrong: frozenset[str]
    right: frozenset[str]
    shared: frozenset[str]


class SetRight(NamedTuple):
    """What the operator has set right, word against word; and the ids of the corrections that do
    not hold: they still wait for him, or a later one has put right what they said.
    """

    pairs: tuple[Pair, ...] = ()
    void: frozenset[str] = frozenset()
    disputed: frozenset[frozenset[str]] = frozenset()
    """The words of each entry that is disputed: what says the same elsewhere is no surer."""


def set_right(known: Iterable[Correction]) -> SetRight:
    """All that a search needs to know of the corrections."""
    there = tuple(known)
    void = frozenset(one.id for one in there if not one.binds) | overtaken(there)
    disputed = frozenset(meant(one.old) for one in there if one.status == QUOTED)
    return SetRight(
        pairs(there), void, frozenset(words for words in disputed if len(words) >= _FEW)
    )


def overtaken(known: Iterable[Correction]) -> frozenset[str]:
    """The ids of those that a later one has put right again: it is about the same entry, or what
    they called right was wrong in it.
    """
    last: dict[str, Correction] = {}
    wrong: dict[frozenset[str], Correction] = {}
    void: set[str] = set()
    for one in sorted(known, key=_when, reverse=True):
        entry, _, old = one.was.partition(" ")
        right = meant(one.correct)
        later = wrong.get(right) or (last.get(entry) if entry else None)
        if later and meant(later.correct) != right:
            void.add(one.id)
        if one.binds:
            last.setdefault(entry, one)
            for said in filter(None, (meant(one.said), meant(old))):
                wrong.setdefault(said, one)
    return frozenset(void)


def pairs(known: Iterable[Correction]) -> tuple[Pair, ...]:
    """What the operator has set right, word against word. What only adds to a statement proves none
    wrong; nor does what a later correction has overtaken.
    """
    found: dict[Pair, None] = {}
    for one in sorted(known, key=_when):
        right = meant(one.correct)
        for old in (one.said, one.was.partition(" ")[2]) if one.binds else ():
            wrong = meant(old)
            pair = Pair(wrong - right, right - wrong, wrong & right)
            if all(pair):
                found = {other: None for other in found if not _overtaken(other, pair)}
                found[pair] = None
    return tuple(found)


def _when(correction: Correction) -> float:
    return correction.time.timestamp() if correction.time else 0.0


def tells_wrong(text: frozenset[str], pair: Pair) -> bool:
    """Whether a text, by its words, says the wrong thing of the same matter, and not the right
    one.
    """
    return pair.wrong <= text and not pair.right <= text and _same_matter(text, pair)


def tells_right(text: frozenset[str], pair: Pair) -> bool:
    return pair.right <= text and not pair.wrong <= text and _same_matter(text, pair)


def meant(text: str) -> frozenset[str]:
    """The words of a text that carry meaning."""
    return frozenset(word for word in words(text) if word not in STOP)


_FEW = 2


def _overtaken(pair: Pair, later: Pair) -> bool:
    """Whether what was wrong once is what is right since."""
    return pair.wrong == later.right and pair.shared == later.shared


def _same_matter(text: frozenset[str], pair: Pair) -> bool:
    """What lacks some of its words may be put otherwise; what has others in their place is about
    something else.
    """
    lacking = pair.shared - text
    others = text - pair.shared - pair.wrong - pair.right
    return not lacking or (2 * len(lacking) <= len(pair.shared) and not others)
