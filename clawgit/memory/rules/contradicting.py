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
from operator import attrgetter
from typing import NamedTuple

from clawgit.core.markdown.excerpt import label_of
from clawgit.git.rules.common_ends import common_ends
from clawgit.language.lexicon import content_words, has_any, lexicons_for
from clawgit.language.tokens import Token, tokens
from clawgit.talk.rules.wording import (
    TypedValue,
    are_alike,
    is_filler,
    is_negated,
    limits,
    pattern,
    typed_values,
    without,
    words,
)

NEGATION = "negation"
NAME = "name"
"""Kinds of a dispute. The others are types of values: time, weekday, date, money, and the like."""

_ALIKE = 0.8
"""The share of their words, values aside and by weight, that two lines must have in common."""

_NEAR = 0.1
"""The same of two lines that are worth a closer look, such as those with two names."""

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

    def may_contradict(self, other: "Statement") -> bool:
        """Whether both say how things are, in the same limits, with values of the same types."""
        types = [[value.type for value in line.values] for line in (self, other)]
        is_plain = self.is_plain and other.is_plain
        return is_plain and self.limits == other.limits and types[0] == types[1]


class Dispute(NamedTuple):
    """What the two lines say differently, and its kind. Of a negation, one side is empty."""

    kind: str
    a: str
    b: str

    @property
    def is_certain(self) -> bool:
        """Whether only one of the two can hold: “monthly” and “free”, or “part 1” and “part 2”, may
        both.
        """
        if self.kind == NAME:
            return all(word[0].isupper() for word in f"{self.a} {self.b}".split())
        return self.kind == NEGATION or self.kind in _EXCLUSIVE

    def __str__(self) -> str:
        if self.kind == NEGATION:
            return f"“{self.a or self.b}” on one side only"
        return f"“{self.a}” against “{self.b}”"


def dispute(a: str, b: str, likeness: float | None = None) -> Dispute | None:
    """What of two lines cannot both be true; None if both can be.

    `likeness` is that of their words, by weight; without it each word weighs the same.
    """
    one, other = statement(a), statement(b)
    if not one.may_contradict(other):
        return None
    pairs = zip(one.values, other.values, strict=True)
    differing = [pair for pair in pairs if pair[0].key != pair[1].key]
    is_denied = one.is_negated != other.is_negated
    if not differing and not is_denied:
        return _renamed(one, other)
    if likeness is None:
        likeness = _likeness(one.words, other.words, len)
    if likeness < _ALIKE or len(differing) + is_denied > 1:
        return None
    return _denied(a, b) if is_denied else _exchanged(one, other, *differing[0])


def neighbours(lines: Sequence[str]) -> dict[Pair, float]:
    """The pairs of lines that share a telling word and are a little alike, with the likeness of
    their words by weight.
    """
    said = [statement(line).words for line in lines]
    holding = _holding(said)
    weights = {word: log(1 + len(lines) / len(among)) for word, among in holding.items()}

    def weight(shared: Iterable[str]) -> float:
        # Sorted, so that rounding never depends on the order of a set.
        return sum(weights[word] for word in sorted(shared))

    rare = (among for among in holding.values() if len(among) <= _COMMON)
    pairs = {pair for among in rare for pair in combinations(among, 2)}
    near: dict[Pair, float] = {}
    for one, other in sorted(pairs):
        likeness = _likeness(said[one], said[other], weight)
        if likeness >= _NEAR:
            near[one, other] = likeness
    return near


def _holding(said: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    """For each word the numbers of the lines that have it."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(said):
        for word in own:
            holding[word].append(number)
    return holding


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
    if _QUESTION.search(line):
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


def _denied(a: str, b: str) -> Dispute:
    denials = (pattern("negations").search(lead_of(text)) for text in (a, b))
    return Dispute(NEGATION, *(found[0] if found else "" for found in denials))


def _exchanged(
    one: Statement, other: Statement, ours: TypedValue, theirs: TypedValue
) -> Dispute | None:
    kind = ours.type.split()[0]
    is_named = kind not in _EXCLUSIVE and _without(one, ours) != _without(other, theirs)
    if is_named or not are_alike(ours, theirs):
        return None
    return Dispute(kind, ours.text, theirs.text)


def _without(line: Statement, value: TypedValue) -> list[str]:
    return [token.folded for token in line.tokens if not value.start <= token.start < value.end]


_FOLDED = attrgetter("folded")


def _renamed(one: Statement, other: Statement) -> Dispute | None:
    """The same line except for one name after its verb."""
    head, tail = common_ends(*([*map(_FOLDED, line.tokens)] for line in (one, other)))
    if not 0 <= one.verb < head:
        return None
    spans = [line.tokens[head : len(line.tokens) - tail] for line in (one, other)]
    ours, theirs = ([token.text for token in span] for span in spans)
    if not (_may_be_name(ours) and _may_be_name(theirs)):
        return None
    return Dispute(NAME, " ".join(ours), " ".join(theirs))


def _may_be_name(words: Sequence[str]) -> bool:
    is_short = 0 < len(words) <= _LONGEST_NAME
    return is_short and not any(map(is_filler, words)) and not typed_values(" ".join(words))
