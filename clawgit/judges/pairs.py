"""What a judge sees of two texts: how far one covers the other, which values they share or
exchange.

The learned weights depend on the numbers here and on their order. A change needs `make judges`.
"""

import itertools
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from clawgit.judges.features import LONGEST
from clawgit.judges.words import known_words
from clawgit.language.negation import is_negated
from clawgit.language.stems import stem
from clawgit.language.tokens import Token, is_cjk, is_hangul, tokens
from clawgit.language.values import values

_MOST = 3.0
_DAYS = ("weekday", "date")
_AMOUNTS = ("money", "percent", "measure")
_RUN = 4
_DENSE_RUN = 2


class PairText(NamedTuple):
    """A text as pairs are compared: its stems, its runs of characters, its values."""

    stems: frozenset[str]
    runs: frozenset[str]
    values: frozenset[tuple[str, str]]
    is_negated: bool
    length: int


@lru_cache(2048)
def reading(text: str) -> PairText:
    """What is compared of a text. Cached, because the entries of memory come again and again."""
    flat = " ".join(text.casefold().split())
    size = _DENSE_RUN if is_cjk(flat) else _RUN
    runs = frozenset(flat[at : at + size] for at in range(len(flat) - size + 1))
    exact = frozenset((value.kind, value.key) for value in values(text) if value.kind != "word")
    return PairText(_stems(text), runs, exact, is_negated(text), len(text))


def _stems(text: str) -> frozenset[str]:
    """Stems of words, pairs of characters where nothing parts words, and beginnings in Hangul."""
    among = tokens(text)
    words = {stem(token.text) for token in among if not is_cjk(token.text)}
    beginnings = {token.folded[:2] for token in among if is_hangul(token.text)}
    return frozenset(words | beginnings | _dense_pairs(among))


def _dense_pairs(among: Sequence[Token]) -> set[str]:
    dense = (token for token in among if is_cjk(token.text))
    return {
        first.folded + second.folded
        for first, second in itertools.pairwise(dense)
        if first.end == second.start
    }


def beginning(text: str) -> PairText:
    return reading(text[:LONGEST])


def _weight(stems: Iterable[str]) -> float:
    return known_words().weight(stems)


def _kinds(held: Iterable[tuple[str, str]]) -> set[str]:
    return {kind for kind, _ in held}


def _alike(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(1, min(len(a), len(b)))


def two(a: PairText, b: PairText, under_a: str, under_b: str) -> list[float]:
    """What two records have in common, the same whichever comes first."""
    of_shared = _weight(a.stems & b.stems)
    # Sorted, so that the order of the two texts has no effect.
    least, most = sorted((_weight(a.stems), _weight(b.stems)))
    cover, share = of_shared / (least or 1.0), of_shared / (most or 1.0)
    lower, higher = sorted((_weight(a.stems - b.stems), _weight(b.stems - a.stems)))
    fresh_a, fresh_b = a.values - b.values, b.values - a.values
    exchanged = _kinds(fresh_a) & _kinds(fresh_b)
    swapped = float(bool(exchanged))
    turned = float(a.is_negated != b.is_negated)
    places = _places(under_a, under_b)
    signs = [swapped, turned, cover, share, swapped * cover, turned * cover]
    return [
        *signs,
        *places,
        *(place * sign for place in places for sign in signs),
        min(of_shared, _MOST),
        lower,
        min(higher, 6.0) / 2,
        float(not lower),
        _alike(a.runs, b.runs),
        len(a.runs & b.runs) / max(1, len(a.runs | b.runs)),
        float(a.is_negated and b.is_negated),
        min(len(exchanged), _MOST),
        *(float(kind in exchanged) for kind in ("number", "time", "name", "version")),
        float(bool(exchanged.intersection(_DAYS))),
        float(bool(exchanged.intersection(_AMOUNTS))),
        min(len(a.values & b.values), 4) / 2,
        float(bool(fresh_a) != bool(fresh_b)),
        float(not fresh_a and not fresh_b),
        lower * swapped,
        float(len(exchanged) == 1 and len(fresh_a) == 1 and len(fresh_b) == 1),
        min(max(len(fresh_a), len(fresh_b)), 5) / 2,
        abs(a.length - b.length) / max(1, a.length, b.length),
    ]


def _places(under_a: str, under_b: str) -> list[float]:
    """How two headings relate: equal, one below the other, with shared words, or apart.

    All zeros if one of them is unknown.
    """
    if not under_a or not under_b:
        return [0.0, 0.0, 0.0, 0.0]
    first, second = under_a.casefold(), under_b.casefold()
    is_same = first == second
    is_nested = not is_same and (first.startswith(second) or second.startswith(first))
    is_related = is_same or is_nested
    shares_words = not is_related and _share_words(under_a, under_b)
    is_apart = not is_related and not shares_words
    return [float(is_same), float(is_nested), float(shares_words), float(is_apart)]


def _share_words(first: str, second: str) -> bool:
    return not beginning(first).stems.isdisjoint(beginning(second).stems)
