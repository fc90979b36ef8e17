"""Whether two lines of memory cannot both be true.

They must say nearly the same, and differ in one value of one type, in one name or in one negation.
In doubt they do not contradict each other: a false alarm costs the operator a minute.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import log
from typing import NamedTuple

from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.corrections.wording import (
    TypedValue,
    are_alike,
    doubt,
    is_filler,
    is_negated,
    limits,
    pattern,
    typed_values,
    without,
    words,
)
from clawgit.domain.markdown.label import label_of
from clawgit.language.lexicon import has_any, lexicons_for
from clawgit.language.stems import content_words
from clawgit.language.tokens import Token, tokens

NEGATION = "negation"
NAME = "name"
"""Kinds of a dispute. The others are types of values: time, weekday, date, money, and the like."""

_ALIKE = 0.8
"""The share of their words, values aside and by weight, that two lines must have in common."""

_EXCLUSIVE = frozenset(
    ("time", "date", "weekday", "percent", "money", "month", "year", "measure")
)  # fmt: skip
"""Types of which one thing has one value. A number or an address may also say which thing is meant,
and counts only where all other words are the same."""

_COMMON = 50
"""A word in more lines than this brings no two of them together."""

_LONGEST = 400
_LONGEST_NAME = 4

_FRAME = re.compile(r"\A[^“”:]{1,80}: “|”(?=[\s#]*\Z)|(?<!\S)#[^\s#]+")
"""Speaker, quotation marks and tags are no part of what was said."""
_QUESTION = re.compile("[?？]")

Pair = tuple[int, int]
"""Two lines by their numbers, the smaller first."""


class Statement(NamedTuple):
    """A line, prepared for comparison."""

    tokens: tuple[Token, ...]
    values: tuple[TypedValue, ...]
    words: frozenset[str]
    """Its telling words without values and negations."""
    limits: frozenset[str]
    is_negated: bool
    is_plain: bool
    """It says how something is now: no question, guess, plan, past state or field of a record."""
    verb: int
    """The number of its first auxiliary verb among its tokens, -1 if it has none."""

    @property
    def folded(self) -> list[str]:
        return [token.folded for token in self.tokens]


class Dispute(NamedTuple):
    """What the two lines say differently, and its kind. Of a negation, one side is empty."""

    kind: str
    a: str
    b: str

    def __str__(self) -> str:
        if self.kind == NEGATION:
            return f"“{self.a or self.b}” on one side only"
        return f"“{self.a}” against “{self.b}”"


def dispute(a: str, b: str, likeness: float | None = None) -> Dispute | None:
    """What of two lines cannot both be true; None if both can be.

    `likeness` is that of their words, by weight; without it each word weighs the same.
    """
    one, other = statement(a), statement(b)
    if not (one.is_plain and other.is_plain) or one.limits != other.limits:
        return None
    if likeness is None:
        likeness = _likeness(one.words, other.words, len)
    if one.is_negated != other.is_negated:
        return _denied(a, b) if likeness >= _ALIKE and not _differing(one, other) else None
    differing = _differing(one, other)
    if not differing:
        return _renamed(one, other)
    is_one = len(differing) == 1 and likeness >= _ALIKE
    return _exchanged(one, other, *differing[0]) if is_one else None


def neighbours(lines: Sequence[str]) -> dict[Pair, float]:
    """The pairs of lines that share a telling word, with the likeness of their words by weight."""
    said = [statement(line).words for line in lines]
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(said):
        for word in own:
            holding[word].append(number)
    weights = {word: log(1 + len(lines) / len(among)) for word, among in holding.items()}

    def weight(shared: Iterable[str]) -> float:
        # Sorted, so that rounding never depends on the order of a set.
        return sum(weights[word] for word in sorted(shared))

    near = {
        pair
        for among in holding.values()
        if len(among) <= _COMMON
        for pair in combinations(among, 2)
    }
    return {(a, b): _likeness(said[a], said[b], weight) for a, b in sorted(near)}


@lru_cache(maxsize=1 << 15)
def statement(text: str) -> Statement:
    """The first line of a text, as it is compared."""
    line = unframed(lead_of(text)[: _LONGEST + 1])
    values = typed_values(line)
    rest = pattern("negations").sub("", without(line, values))
    return Statement(
        tokens=tokens(line),
        values=values,
        words=words(rest),
        limits=frozenset(limits(line)),
        is_negated=is_negated(line),
        is_plain=len(line) <= _LONGEST and _is_plain(line),
        verb=_verb(line),
    )


def lead_of(text: str) -> str:
    return text.split("\n", 1)[0]


def unframed(text: str) -> str:
    """A text without its speaker and tags."""
    return _FRAME.sub(" ", text).strip()


def _is_plain(line: str) -> bool:
    if _QUESTION.search(line) or doubt(line):
        return False
    # `Status: done` is a field of a record. A label of several words says what it is about.
    label = label_of(line)
    if label and len(content_words(label)) == 1:
        return False
    return not has_any(line, "past", "future", "hedges", "reports")


def _verb(line: str) -> int:
    verbs = frozenset().union(*(language.words("auxiliaries") for language in lexicons_for(line)))
    every = (number for number, token in enumerate(tokens(line)) if token.folded in verbs)
    return next(every, -1)


def _likeness(
    ours: frozenset[str], theirs: frozenset[str], weight: Callable[[Collection[str]], float]
) -> float:
    shared = ours & theirs
    return weight(shared) / weight(ours | theirs) if shared else 0.0


def _differing(one: Statement, other: Statement) -> list[tuple[TypedValue | None, ...]]:
    """The values that differ, by their places. A value that has no partner differs from None."""
    if [value.type for value in one.values] != [value.type for value in other.values]:
        return [(None, None), (None, None)]
    pairs = zip(one.values, other.values, strict=True)
    return [pair for pair in pairs if pair[0].key != pair[1].key]


def _denied(a: str, b: str) -> Dispute:
    denials = (pattern("negations").search(lead_of(text)) for text in (a, b))
    return Dispute(NEGATION, *(found[0] if found else "" for found in denials))


def _exchanged(
    one: Statement, other: Statement, ours: TypedValue | None, theirs: TypedValue | None
) -> Dispute | None:
    if ours is None or theirs is None or not are_alike(ours, theirs):
        return None
    kind = ours.type.split()[0]
    if kind not in _EXCLUSIVE and _without(one, ours) != _without(other, theirs):
        return None
    return Dispute(kind, ours.text, theirs.text)


def _without(line: Statement, value: TypedValue) -> list[str]:
    return [token.folded for token in line.tokens if not value.start <= token.start < value.end]


def _renamed(one: Statement, other: Statement) -> Dispute | None:
    """The same line except for one name after its verb."""
    head, tail = common_ends(one.folded, other.folded)
    ours = one.tokens[head : len(one.tokens) - tail]
    theirs = other.tokens[head : len(other.tokens) - tail]
    if not 0 <= one.verb < head or not ours or not theirs:
        return None
    if max(len(ours), len(theirs)) > _LONGEST_NAME:
        return None
    if any(is_filler(token.text) for token in (*ours, *theirs)):
        return None
    if _touches_value(one, ours) or _touches_value(other, theirs):
        return None
    return Dispute(NAME, *(" ".join(token.text for token in side) for side in (ours, theirs)))


def _touches_value(line: Statement, span: Sequence[Token]) -> bool:
    start, end = span[0].start, span[-1].end
    return any(value.start < end and start < value.end for value in line.values)
