"""Typing slips: which word of the memory was meant by one that is not in it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain

from clawgit.domain.search.terms import is_unspaced
from clawgit.doors import rapidfuzz
from clawgit.language.lazily import lazily

_SHORTEST = 5
"""Letters of the shortest word that is repaired; short words are too often one slip apart."""

_SWAPPED_FROM = _SHORTEST
"""In a word of this many letters, two swapped letters count as a slip."""

_ADDED_FROM = 6
"""In a word of this many letters, a missing or extra letter counts as a slip."""

_OTHER_FROM = 8
"""In a word of this many letters, a wrong letter counts as a slip: “house” and “mouse” are both
right.
"""

_VOWEL_FROM = 7
"""The same of a vowel in the place of another, as in the names Dittmer and Dittmar."""

_VOWELS = frozenset("aeiouy")

_TWO_FROM = 6
_TWO_ALIKE = 0.94
"""In stems of this many letters, two slips count if the words are this much alike by Jaro and
Winkler: “bycicle”.
"""

_MOST_SLIPS = 2

_LOOSE_FROM = 4
"""A word of this many letters may have a slip in a name whose other words fit, or be the stem of
one that is meant.
"""

_DOUBLED = lazily(r"(.)\1")

_SPELLED_OUT = lazily("([aou])e")

_ENDINGS = ("", "e", "es", "y", "er", "ing")
"""A stem with one of these has itself as its stem: that of `hous` is `hou`, that of `house` is not.
"""

_CUT = (
    *("s", "es", "ed", "er", "ers", "ing", "ings", "ly", "al", "ally", "able", "ible", "ive"),
    *("ity", "ities", "ment", "ments", "ent", "ents", "ence", "ant", "ants", "ance", "ness"),
    *("ion", "ions", "ate", "ates", "ated", "ation", "ations", "ize", "izes", "ized", "ful"),
)
"""What the stemmer cuts off. It does not know such an ending with a slip: that of “secuirty” is
`secuirti`, that of “security” `secur`.
"""

_CERTAIN = 2
"""Letters at the beginning of a word that has a slip in its ending or before it."""

Stems = Callable[[Iterable[str]], Mapping[str, str]]
"""Gives the stems that the index makes of words."""


def repairs(
    missing: Iterable[str],
    vocabulary: Callable[[], Collection[str]],
    stems: Stems,
    stands: Callable[[str], bool],
) -> dict[str, str]:
    """For words that are neither in the index nor known, the word of the index that is one slip
    away, or two in words that are very much alike.

    Many of them are spelled right, and a similar word means something else. So the likelier a slip
    turns one word into another word, the longer both must be. The vocabulary, as stems, is read
    only if there is something to repair. `stands`: whether the memory has a word as it is written.
    """
    misspelled = [word for word in missing if _can_be_repaired(word)]
    if not misspelled:
        return {}
    known, stem_of = vocabulary(), stems(misspelled)
    repaired: dict[str, str] = {}
    for word in misspelled:
        if other := _nearest(word, stem_of.get(word, word), known):
            repaired[word] = _as_word(other, stems)
        elif other := next(filter(stands, _ended(word, known, stems)), ""):
            repaired[word] = other
    return repaired


def with_umlauts(
    missing: Iterable[str],
    frequencies: Callable[[Iterable[str]], Mapping[str, int]],
    stands: Callable[[str], bool],
) -> dict[str, str]:
    """For words that were written without a German keyboard, the one of the index: “Muell” for
    “Müll”. Its umlauts have no dots there. A short one must stand there itself, and not be the stem
    of another.
    """
    plain = {word: _SPELLED_OUT.sub(r"\1", word) for word in missing if "e" in word}
    counts = frequencies(plain.values())
    return {
        word: other
        for word, other in plain.items()
        if word != other and counts.get(other) and (len(other) >= _LOOSE_FROM or stands(other))
    }


def _can_be_repaired(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha() and not is_unspaced(word)


def _as_word(other: str, stems: Stems) -> str:
    """A stem as a word that is found: with an ending where the bare one has another stem."""
    forms = [other + ending for ending in _ENDINGS]
    stem_of = stems(forms)
    return next((form for form in forms if stem_of.get(form) == other), other)


def _ended(word: str, known: Iterable[str], stems: Stems) -> list[str]:
    """The stems of the index with an ending that are one slip away from a word, the likeliest
    first. Most of them are no words.
    """
    near = {
        made: other
        for made, other in _endings(word, known)
        if _distance(word, made) == 1 and _is_slip(word, made, 1, len(word))
    }
    stem_of = stems(near)
    likely = [made for made, other in near.items() if stem_of.get(made) == other]
    return sorted(likely, key=lambda made: (-_likeness(word, made), made))


def _endings(word: str, known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Stems with an ending that are about as long as a word and begin alike, each with its stem."""
    for other in known:
        if len(other) >= _LOOSE_FROM and other.startswith(word[:_CERTAIN]):
            for ending in _CUT:
                if abs(len(other) + len(ending) - len(word)) <= 1:
                    yield other + ending, other


def _nearest(word: str, stem: str, known: Iterable[str]) -> str:
    """The stem of the index that is a slip away from a word or its stem, or two from its stem; ""
    if there is none.
    """
    near: list[tuple[int, float, str]] = []
    for form in {word, stem}:
        for other in _similar(word, form, known):
            distance = _distance(form, other)
            if (distance <= 1 or form == stem) and _is_slip(form, other, distance, len(word)):
                near.append((distance, -_likeness(form, other), other))
    *_, nearest = min(near, default=(0, 0.0, ""))
    return nearest


def _similar(word: str, form: str, known: Iterable[str]) -> Iterator[str]:
    """A cheap choice before distances are measured: people rarely miss the first letter.

    Of both words, the stemmer has cut off about the same.
    """
    cut = len(word) - len(form)
    least = max(_LOOSE_FROM, _SHORTEST - cut, len(form) - _MOST_SLIPS)
    for other in known:
        if least <= len(other) <= len(form) + _MOST_SLIPS and other[0] == word[0]:
            yield other


def _is_slip(form: str, other: str, distance: int, letters: int) -> bool:
    """`letters` are those of the word that was typed: the stemmer may have cut some off."""
    if distance <= 1:
        return len(form) >= _least(form, other, letters - len(form))
    if distance > _MOST_SLIPS or min(len(form), len(other)) < _TWO_FROM:
        return False
    return _likeness(form, other) >= _TWO_ALIKE


def _likeness(word: str, other: str) -> float:
    alike: float = rapidfuzz.distance.JaroWinkler.similarity(word, other)
    return alike


def _least(form: str, other: str, cut: int) -> int:
    """How long both words must be for such a difference to count as a slip.

    The letters that were cut off count where letters were swapped or one was not doubled, which
    hardly ever makes another word.
    """
    if len(form) != len(other):
        return _ADDED_FROM - (cut if _once(form) == _once(other) else 0)
    if sorted(form) == sorted(other):
        return _SWAPPED_FROM - min(cut, 1)
    wrong = {*chain(*(pair for pair in zip(form, other, strict=True) if pair[0] != pair[1]))}
    return _VOWEL_FROM if wrong <= _VOWELS else _OTHER_FROM


def _once(word: str) -> str:
    """The word with each doubled letter once."""
    return _DOUBLED.sub(r"\1", word)


def is_slip(word: str, meant: str, *, loosely: bool = False) -> bool:
    """Whether a word is likely to be another one with a slip or two in it.

    `loosely` takes one slip in a short word too: for a word of a name whose others fit.
    """
    if word[0] != meant[0] or abs(len(word) - len(meant)) > _MOST_SLIPS:
        return False
    distance = _distance(word, meant)
    if loosely and distance == 1 and min(len(word), len(meant)) >= _LOOSE_FROM:
        return True
    return _is_slip(word, meant, distance, len(word))


def _distance(word: str, other: str) -> int:
    distance: int = rapidfuzz.distance.OSA.distance(word, other, score_cutoff=_MOST_SLIPS)
    return distance
