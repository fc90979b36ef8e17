"""The judges: what a message does, what is worth keeping, its tag, and what was planted.

Each is one shape: the features of a text → scores → chances that hold for how often things occur in
real chats. From which chance one acts alone was chosen on writers that no judge learned from.

The features are words, characters, shape, and what a text shares with the turn before. The learned
weights depend on each of these strings and on their order: a change needs `make judges`.
"""

import itertools
import re
import struct
from binascii import crc32
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from math import exp, log
from typing import TypeVar

from clawgit.core import NamedTuple
from clawgit.language.judges.weights import head
from clawgit.language.lazily import lazily
from clawgit.language.tokens import Token, is_cjk, is_hangul, tokens

SLOTS = 1 << 16
LONGEST = 3000
LONGEST_BEFORE = 400
"""At most this many characters are read: the beginning of a message, the end of the turn before."""

_MARKS = "?!:;`\"“”()/\\{}=<>|#*@…-,.'？！。，、："
_STOPS = ".!?。！？"
_BULLET = lazily(r"^\s*[-*•]\s", re.MULTILINE)
_DIGIT = lazily(r"\d")
_NINES = str.maketrans("012345678", "9" * 9)
_ASCII_UNIT = lazily(r"\d+(?:[.,:]\d+)*|[a-z][a-z0-9]*(?:'[a-z0-9]+)*|\S")
"""What `tokens` finds in lower case ASCII, and each sign between."""
_LONG_WORD = 4
_LONGEST_SHARED = 12
LONGEST_CLASS = 4
"""The longest word that is looked up where no space parts words."""
_Row = TypeVar("_Row", str, list[str], list[Token])
OF_BOTH = 5
"""From this group on, the features of a message may be of what it is read beside as well."""
_TOLD = ("negations", "first_person", "second_person")
"""Classes whose absence is a feature as well."""


def hashed(groups: Sequence[Iterable[str]], slots: int = SLOTS) -> list[list[int]]:
    """The slots of each group's features. The number of the group tells equal features apart."""
    return [
        _slots(group, crc32(str(number).encode()), slots) for number, group in enumerate(groups)
    ]


def _slots(group: Iterable[str], seed: int, slots: int) -> list[int]:
    return [
        crc32(feature.encode("utf-8", "surrogatepass"), seed) % slots
        for feature in dict.fromkeys(group)
    ]


def of_message(message: str, before: str) -> list[list[str]]:
    """The features of a message and of the turn before it."""
    message, before = message[:LONGEST], before[-LONGEST_BEFORE:]
    mine, theirs = tokens(message), tokens(before)
    folded, earlier = _units(message, mine), _units(before, theirs)
    classes, classes_before = known_words().of(mine), known_words().of(theirs)
    return [
        folded,
        # Two and three units in a row.
        [*map(" ".join, _rows_of(["^", *folded, "$"], 2, 3))],
        [part for word in dict.fromkeys(folded) for part in parts(word)] + list(_characters(mine)),
        list(_edges(folded)),
        list(_shape(message, mine)),
        [*earlier[-60:], *_before(before, theirs)],
        list(_shared(folded, earlier)),
        classes + [f"no {name}" for name in _TOLD if name not in classes],
        _exchange(set(classes), set(classes_before), bool(before)),
    ]


def characters(units: Sequence[str]) -> list[str]:
    """Three to five characters in a row, across words: they still match a new form of a phrase."""
    return _rows_of(" ".join(units), 3, 4, 5)


def _rows_of(row: _Row, *sizes: int) -> list[_Row]:
    """Whatever stands side by side, so many of it at a time."""
    return [row[at : at + size] for size in sizes for at in range(len(row) - size + 1)]


def first_words(text: str) -> list[str]:
    """The first of the groups alone: words, numbers and marks."""
    text = text[:LONGEST]
    if text.isascii():  # every line that is committed comes here, and most are
        return [_shaped(unit) for unit in _ASCII_UNIT.findall(text.lower())]
    return _units(text, tokens(text))


def _units(text: str, among: Sequence[Token]) -> list[str]:
    """Words, numbers by their shape, and the marks between them."""
    units: list[str] = []
    end = 0
    for token in among:
        if token.start > end:
            units += [sign for sign in text[end : token.start] if not sign.isspace()]
        units.append(_shaped(token.folded))
        end = token.end
    units += [sign for sign in text[end:] if not sign.isspace()]
    return units


def _shaped(unit: str) -> str:
    """The shape of a number says more than its value: `3:30` and `4:15` are both `9:99`."""
    if not unit[0].isdigit():
        return unit
    return (unit.translate(_NINES) if unit.isascii() else _DIGIT.sub("9", unit))[:6]


@lru_cache(8192)
def parts(word: str) -> tuple[str, ...]:
    """Beginnings and endings of a word: a typo leaves most of them as they are."""
    if len(word) < 4 or not word[0].isalpha():  # noqa: PLR2004 - a shorter word is its own beginning
        return ()
    whole = f"<{word[:40]}>"
    return tuple(dict.fromkeys((*(whole[:n] for n in (4, 5, 6)), *(whole[-n:] for n in (4, 5)))))


def _characters(among: Sequence[Token]) -> Iterator[str]:
    """Two and three characters in a row where no space parts words. Single ones are
    words already.
    """
    for run in _rows_of([token for token in among if is_cjk(token.text)], 2, 3):
        if _is_dense(run):
            yield "".join(token.folded for token in run)
    for token in among:
        if is_hangul(token.text):
            yield from _rows_of(f"<{token.folded[:16]}>", 2, 3)


def _is_dense(run: Sequence[Token]) -> bool:
    return all(first.end == second.start for first, second in itertools.pairwise(run))


def _edges(folded: Sequence[str]) -> Iterator[str]:
    if not folded:
        return
    for place, word in enumerate(folded[:4]):
        yield f"first{place} {word}"
    yield f"begins {' '.join(folded[:2])}"
    yield f"ends {folded[-1]}"
    yield f"end {' '.join(folded[-2:])}"


def _shape(text: str, among: Sequence[Token]) -> Iterator[str]:
    yield "always"
    yield f"length {len(text).bit_length()}"
    yield f"words {min(len(among), 60).bit_length()}"
    yield from (f"mark {mark}" for mark in _MARKS if mark in text)
    yield f"question at end {text.rstrip().endswith(('?', '？'))}"
    yield f"lines {min(text.count(chr(10)), 40).bit_length()}"
    yield from _numbers(among)
    if "http" in text or "www." in text:
        yield "address"
    if _BULLET.search(text):
        yield "bullet"
    yield f"capital {text[:1].isupper()} {any(token.text[0].isupper() for token in among[1:])}"
    if text.isupper():
        yield "shouted"
    yield f"stops {min(sum(map(text.count, _STOPS)), 8).bit_length()}"


def _numbers(among: Sequence[Token]) -> Iterator[str]:
    numbers = [token.text for token in among if token.text[0].isdigit()]
    yield f"numbers {min(len(numbers), 9).bit_length()}"
    if any(":" in number for number in numbers):
        yield "a time"


def _before(before: str, theirs: Sequence[Token]) -> Iterator[str]:
    if not before:
        yield "= nothing before"
        return
    yield f"= asks {before.rstrip().endswith(('?', '？'))}"
    yield f"= length {len(before).bit_length()}"
    yield f"= numbers {any(token.text[0].isdigit() for token in theirs)}"


def _shared(folded: Sequence[str], earlier: Sequence[str]) -> Iterator[str]:
    mine, theirs = set(folded), set(earlier)
    shared = sorted(word for word in mine & theirs if word[0].isalnum())
    yield f"shared {min(len(shared), 7)}"
    long = [word for word in shared if len(word) >= _LONG_WORD]
    yield f"shared long {min(len(long), 5)}"
    mine_numbers, their_numbers = _with_digits(mine), _with_digits(theirs)
    yield f"numbers {bool(mine_numbers)} {bool(their_numbers)} {bool(mine_numbers & their_numbers)}"
    yield from (f"both {word}" for word in shared if len(word) < _LONGEST_SHARED)


def _with_digits(words: Iterable[str]) -> set[str]:
    return {word for word in words if word[0].isdigit()}


def _exchange(mine: set[str], theirs: set[str], has_before: bool) -> list[str]:
    """A weekday after a turn with a weekday, a negation after none: which classes meet, and which
    are new.
    """
    features = [f"{name} both" for name in sorted(mine & theirs)]
    features += [f"before {name}" for name in sorted(theirs)]
    if has_before:
        features += [f"{name} new" for name in sorted(mine - theirs)]
    return features


class Words(NamedTuple):
    """The classes of single words in any language, compiled from the language files by
    models/training/train_judges.py, so that judging a message reads none of them.
    """

    classes: tuple[str, ...]
    masks: dict[int, int]

    def of(self, tokens: tuple[Token, ...]) -> list[str]:
        """The classes of these words, each once."""
        mask = 0
        for word in _words(tokens):
            mask |= self.masks.get(crc32(word.encode("utf-8", "surrogatepass")), 0)
        return [name for bit, name in enumerate(self.classes) if mask >> bit & 1]


@cache
def known_words() -> Words:
    learned = head("words")
    count = learned.more["count"]
    numbers = struct.unpack(f"<{2 * count}I", bytes(learned.raw))
    return Words(learned.classes, dict(zip(numbers[:count], numbers[count:], strict=True)))


def _words(tokens: tuple[Token, ...]) -> Iterator[str]:
    """Words. In a script without spaces, every run of up to four characters; in Hangul, every part
    of a word.
    """
    run: list[Token] = []
    for token in tokens:
        if is_cjk(token.text):
            if run and run[-1].end != token.start:
                run = []
            run = [*run[1 - LONGEST_CLASS :], token]
            for first in range(len(run)):
                yield "".join(sign.folded for sign in run[first:])
        elif is_hangul(token.text):
            word = token.folded[:16]
            for first in range(len(word)):
                for last in range(first + 1, min(len(word), first + LONGEST_CLASS) + 1):
                    yield word[first:last]
        else:
            yield token.folded


_LEAST = -500.0


class Acts(NamedTuple):
    """Chances calibrated for how often each act occurs in real chats. Their sum is 1."""

    corrects: float
    orders: float
    praises: float
    complains: float
    chats: float


class Thresholds(NamedTuple):
    """Below `…_ask` a judge says nothing. From `…_sure` on it may act without asking."""

    corrects_ask: float
    corrects_sure: float
    orders_ask: float
    orders_sure: float
    praises_sure: float
    complains_ask: float
    worth: float
    undone: float
    disputes: float
    poison_hold: float


@cache
def thresholds() -> Thresholds:
    judges = ("acts", "worth", "undone", "disputes", "poison")
    bars = (head(name).more["thresholds"] for name in judges)
    return Thresholds(
        **{name: bar for part in bars for name, bar in part.items() if name in Thresholds._fields}
    )


def acts(message: str, before: str = "") -> Acts:
    """What this message does. `before` is the assistant's last turn."""
    learned = head("acts")
    scores = learned.scores(hashed(of_message(message, before)))
    # Each act but the last has its own line; the last gets the rest.
    each = [
        sigmoid(slope * _odds(scores, number) + shift)
        for number, (slope, shift) in enumerate(learned.more["calibration"])
    ]
    # Each line was fitted by itself, so together they may pass 1.
    total = max(1.0, sum(each))
    each = [chance / total for chance in each]
    return Acts._make((*each, max(0.0, 1 - sum(each))))


def worth(sentence: str, before: str = "", *, place: str = "chat") -> float:
    """The chance that a sentence is worth keeping for months. `place` is "chat", "assistant",
    "note", or "daily" for a note that tells what was done on a day; `before` the turn or heading.
    """
    features = [*of_message(sentence, before), [f"place {place}"]]
    return _chance("lasting" if place == "daily" else "worth", place, features)


def undoes(later: str, said: str) -> float:
    """The chance that a sentence misleads if it is read without what its writer said later."""
    return _chance("undone", "chat", of_message(later, said))


def disputes(features: Sequence[Iterable[str]]) -> float:
    """The chance that a message says that an entry is wrong, as `beside` tells it."""
    return _chance("disputes", "chat", features)


def _chance(judge: str, place: str, features: Sequence[Iterable[str]]) -> float:
    learned = head(judge)
    (score,) = learned.scores(hashed(features))
    slope, shift = learned.more["calibration"][place]
    return sigmoid(slope * score + shift)


def tag(sentence: str) -> str:
    """The likeliest tag of a sentence that is kept, one of `core/markdown/tag_table.py`."""
    learned = head("tags")
    scores = learned.scores(hashed(of_message(sentence, "")))
    return learned.classes[scores.index(max(scores))]


def sigmoid(score: float) -> float:
    return 1 / (1 + exp(-max(score, _LEAST)))


def _odds(scores: Sequence[float], number: int) -> float:
    """The log odds of one class against all the others."""
    others = [score for at, score in enumerate(scores) if at != number]
    highest = max(others)
    most = sum(exp(max(score - highest, _LEAST)) for score in others)
    return scores[number] - highest - log(most)


class Poison(NamedTuple):
    """`kind` is what such a text would do: `hides`, `leaks` and so on; "" if it is not
    held.
    """

    chance: float
    kind: str


HONEST = Poison(0.0, "")


@lru_cache(maxsize=1024)  # notes share headings and templates, and a file has a line twice
def poison(text: str) -> Poison:
    """The chance that a text of a few lines was planted, and the likeliest kind. HONEST, without a
    closer look, if its words alone say nothing.
    """
    if _first(text) < head("poison_first").more["pass"]:
        return HONEST
    learned = head("poison")
    groups = hashed(seen(text), learned.slots)
    (score,) = learned.scores(groups)
    slope, shift = learned.more["calibration"]
    chance = sigmoid(slope * score + shift)
    # Only what is held has a kind, which costs more than the chance.
    return Poison(chance, _kind(groups) if chance >= thresholds().poison_hold else "")


def seen(text: str) -> list[list[str]]:
    """What the judges of planted text see of it."""
    groups = of_message(text, "")
    return [*groups, characters(groups[0])]


def _kind(groups: list[list[int]]) -> str:
    """Only what is planted has a kind, so this judge learned from no honest text."""
    learned = head("poison_kind")
    scores = learned.scores([[slot % SLOTS for slot in group] for group in groups])
    return learned.classes[max(range(len(scores)), key=scores.__getitem__)]


def _first(text: str) -> float:
    """The score of the words alone: a third of the work, and most lines go no further."""
    learned, units = head("poison_first"), {*first_words(text)}
    scale = learned.step / len(units) ** 0.5 if units else 0.0
    return learned.bias[0] + scale * sum(map(_weight, units))


@lru_cache(maxsize=1 << 14)
def _weight(unit: str) -> int:
    """The weight of one word. Cached, because the files of a commit share most of their words."""
    ((slot,),) = hashed([[unit]])
    return head("poison_first").table[0][slot]
