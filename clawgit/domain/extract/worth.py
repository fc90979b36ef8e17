"""What a sentence is worth by its words, its shape and its place: labelled conversations have taught it."""

import re
from base64 import b85decode
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32, decompress

from clawgit.domain.extract.language import Sign
from clawgit.domain.extract.worth_weights import BIAS, PACKED, SCALE

SLOTS = 32768
"""Features share slots by their hashes: a slot has one weight, whoever is in it."""


class Place(NamedTuple):
    """Where a sentence stands: its `number`, from 0, `of` all in its message, and the `length` of that; what the
    assistant had said `before`, if anything; and whether it names a day `ahead`.
    """

    number: int = 0
    of: int = 1
    length: int = 0
    before: str = ""
    ahead: bool = False


class Learned(NamedTuple):
    """The weight of each slot; together with `bias`, more than 0 is worth keeping."""

    weights: Sequence[int]
    scale: float
    bias: float

    def worth(self, slots: frozenset[int], weight: int) -> float:
        """Of a sentence that has so much weight by rules: what was learned goes on from there."""
        return self.bias + by_rules(weight) + self.scale * sum(self.weights[slot] for slot in slots)


def by_rules(weight: int) -> float:
    """The odds that rules give."""
    return _POINT * max(-_CLEAR, min(_CLEAR, weight))


@cache
def learned() -> Learned:
    """What bench/make_worth.py has learned."""
    return Learned(memoryview(decompress(b85decode(PACKED))).cast("b").tolist(), SCALE, BIAS)


def slots_of(text: str, signs: Sequence[Sign], reason: str, place: Place) -> frozenset[int]:
    """The slots of all that a sentence shows. `signs` are those that its language knows in it, `reason` is what is said
    against it.
    """
    return frozenset(crc32(name.encode()) % SLOTS for name in _features(text, signs, reason, place))


def _features(text: str, signs: Sequence[Sign], reason: str, place: Place) -> Iterator[str]:
    plain = text.lower().replace("’", "'")
    words = ["#" if word.isdigit() else word for word in _WORD.findall(plain)]
    yield from (f"word {word}" for word in words)
    yield from (f"pair {one} {other}" for one, other in pairwise(words))
    yield from (f"first {at} {word}" for at, word in enumerate(words[:_OPENING]))
    yield f"opens {' '.join(words[:2])}"
    yield f"ends {words[-1] if words else ''}"
    yield from (f"sign {sign.kind} {sign.weight}" for sign in signs)
    yield f"against {reason}"
    yield from _shape(text, plain, words)
    yield from _standing(place)
    run = " ".join(words)
    yield from (f"part {run[at : at + _PART]}" for at in range(len(run) - _PART + 1))


def _shape(text: str, plain: str, words: Sequence[str]) -> Iterator[str]:
    last = text.rstrip()[-1:]
    yield f"length {min(len(words) // _STEP, _LONG)}"
    yield f"numbers {min(len(_NUMBER.findall(text)), _MANY)}"
    yield f"names {min(len(_NAME.findall(text)), _MANY)}"
    yield f"commas {min(text.count(','), _MANY)}"
    yield f"stops {'' if last.isalnum() else last}"
    yield f"small {text[:1].islower()}"
    yield from (f"{name} {found.search(plain) is not None}" for name, found in _MARKS.items())
    yield f"capitals {_CAPITALS.search(text) is not None}"


def _standing(place: Place) -> Iterator[str]:
    yield f"place {min(place.number, _MANY)}"
    yield f"of {min(place.of, _MANY)}"
    yield f"message {min(place.length // _LINE, _LONG)}"
    yield f"ahead {place.ahead}"
    yield f"asked {place.before.rstrip().endswith('?')}"
    yield from (f"before {word}" for word in set(_WORD.findall(place.before.lower())[-_HEARD:]))


_POINT, _CLEAR = 0.3, 6
_OPENING, _HEARD, _PART = 3, 4, 4
_STEP, _LINE, _LONG, _MANY = 4, 80, 6, 3
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+|[?!:]")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_CAPITALS = re.compile(r"[A-Z]{2,}")
_MARKS = {
    "me": re.compile(r"(?<!\w)(?:i|we|my|our)(?!\w)"),
    "you": re.compile(r"(?<!\w)your?(?!\w)"),
    "clock": re.compile(r"\d{1,2}(?::\d\d| ?[ap]m)(?!\w)"),
    "money": re.compile(r"[$€£]|\b(?:euro|dollar)"),
}
"""What the text of a sentence shows as a whole, by names."""
