"""Typing slips: which word of the memory was meant by one that is not in it."""

from collections.abc import Callable, Collection, Iterable, Mapping

from clawgit.domain.search.terms import is_unspaced
from clawgit.doors import rapidfuzz
from clawgit.language.lazily import lazily

_SHORTEST = 5
"""Letters of the shortest word that is repaired; short words are too often one slip apart."""

_SWAPPED_FROM, _ADDED_FROM, _OTHER_FROM = 5, 6, 7
"""Letters from which two swapped ones count as a slip, one too many or too few, a wrong one:
“house” and “mouse” are both right.
"""

_TWO_FROM, _TWO_ALIKE = 6, 0.94
"""In words of this many letters, two slips count if the words are this much alike."""

_MOST_SLIPS = 2

_SPELLED_OUT = lazily("([aou])e")
"""An umlaut without a German keyboard: “Muell” for “Müll”. The index has no dots there."""

_MOST_LEFT = 3
"""Letters of an ending with a slip, which the stemmer does not know."""

_ENDINGS = ("", "e", "es", "y", "er", "ing")
"""A stem with one of these has itself as its stem: that of `hous` is `hou`, that of `house` is not.
"""

Stems = Callable[[Iterable[str]], Mapping[str, str]]
"""Gives the stems that the index makes of words."""


def repairs(
    missing: Iterable[str], vocabulary: Callable[[], Collection[str]], stems: Stems
) -> dict[str, str]:
    """For words that are neither in the index nor known, the word of the index that is nearest, if
    it is a slip or two away. The vocabulary is read only if there is something to repair.
    """
    plain = {word: _SPELLED_OUT.sub(r"\1", word) for word in missing if _may_be_slip(word)}
    if not plain:
        return {}
    known, stem_of = frozenset(vocabulary()), stems((*plain, *plain.values()))
    found = {word: other for word, other in plain.items() if stem_of.get(other) in known}
    for word in plain.keys() - found.keys():
        if other := _nearest({word, stem_of.get(word, word)}, known):
            found[word] = _as_word(other, stems)
    return found


def _may_be_slip(word: str) -> bool:
    is_long = len(word) >= _SHORTEST or _SPELLED_OUT.search(word) is not None
    return is_long and word.isalpha() and not is_unspaced(word)


def _nearest(forms: Collection[str], known: Iterable[str]) -> str:
    """The stem of the index that is a slip or two away from a word or its stem; "" without one.

    People rarely miss the first letter.
    """
    near = [
        (slips, -_likeness(form, other), other)
        for form in forms
        for other in known
        if other[0] == form[0] and (slips := _slips(form, other)) is not None
    ]
    return min(near)[2] if near else ""


def _slips(form: str, other: str) -> int | None:
    """How many slips make one word of another; None if they are two words."""
    shortest, longest = sorted((len(form), len(other)))
    if shortest < _SHORTEST or longest - shortest > _MOST_LEFT:
        return None
    if form.startswith(other):
        return 0
    slips: int = rapidfuzz.distance.OSA.distance(form, other, score_cutoff=_MOST_SLIPS)
    if slips > _MOST_SLIPS:
        return None
    is_slip = _is_one(form, other) if slips == 1 else _are_two(form, other)
    return slips if is_slip else None


def _is_one(form: str, other: str) -> bool:
    """Whether words with one difference are long enough for it to be a slip."""
    longest = max(len(form), len(other))
    if len(form) != len(other):
        return longest >= _ADDED_FROM
    return longest >= (_SWAPPED_FROM if sorted(form) == sorted(other) else _OTHER_FROM)


def _are_two(form: str, other: str) -> bool:
    return min(len(form), len(other)) >= _TWO_FROM and _likeness(form, other) >= _TWO_ALIKE


def _likeness(word: str, other: str) -> float:
    alike: float = rapidfuzz.distance.JaroWinkler.similarity(word, other)
    return alike


def _as_word(other: str, stems: Stems) -> str:
    """A stem as a word that is found: with an ending where the bare one has another stem."""
    forms = [other + ending for ending in _ENDINGS]
    stem_of = stems(forms)
    return next((form for form in forms if stem_of.get(form) == other), other)
