"""Whether two lines of memory cannot both be true.

They must say nearly the same, and differ in one value of one type, in one name or in one negation.
In doubt they do not contradict each other: a false alarm costs the operator a minute.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import log
from operator import attrgetter
from typing import NamedTuple

from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.claims.conflicts import pair_key
from clawgit.domain.corrections.disputed import is_quote
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
from clawgit.domain.markdown.entry import Entry
from clawgit.domain.markdown.excerpt import label_of
from clawgit.domain.workspace.tiers import dated
from clawgit.language.lexicon import has_any, lexicons_for
from clawgit.language.stems import content_words
from clawgit.language.tokens import Token, tokens

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


_MARKED = re.compile(r"^\s*\[.\]|^~~|```|^\W*`[^`]*`\W*$")
"""Checkboxes, what is struck out, and code."""
_TIMES = ("date", "time", "month", "year")


class Contradiction(NamedTuple):
    """Two entries, what they say differently, and how alike their words are."""

    a: Entry
    b: Entry
    dispute: Dispute
    likeness: float

    @property
    def pair(self) -> str:
        return pair_key(self.a.text, self.b.text)

    @property
    def sides(self) -> tuple[Entry, Entry]:
        return self.a, self.b


def contradictions(places: Sequence[Entry], near: Mapping[Pair, float]) -> Iterator[Contradiction]:
    """Those among these pairs of entries that contradict each other."""
    for (first, second), likeness in near.items():
        a, b = places[first], places[second]
        found = dispute(a.text, b.text, likeness)
        if found and not _is_apart(a, b) and not _are_items(a, b, found):
            yield Contradiction(a, b, found, likeness)


def stating(places: Iterable[Entry]) -> list[Entry]:
    """The entries that state a fact."""
    return [place for place in places if _states(place)]


def _states(entry: Entry) -> bool:
    if _MARKED.search(entry.text) or is_quote(lead_of(entry.raw)):
        return False
    # What somebody told the agent to remember is not a record, whatever its shape.
    if _is_from_conversation(entry):
        return True
    if dated(entry.path) or any(_times_in(heading) for heading in entry.under[-2:]):
        return False
    times = _times_in(lead_of(entry.text))
    return not times or any(map(str.isalnum, entry.text[: times[0].start]))


def _times_in(text: str) -> list[TypedValue]:
    return [value for value in typed_values(text) if value.type in _TIMES]


def _is_from_conversation(entry: Entry) -> bool:
    """Whether an entry came from a conversation, or was written like one, with a category.

    Any other entry is a note.
    """
    return bool(entry.primary or entry.facts.src)


def _is_apart(a: Entry, b: Entry) -> bool:
    """Whether two entries stand under headings of which neither is above the other.

    As a rule the first heading is the title of a file. It counts if one of the two is a note: it
    may name what the file is about.
    """
    begins = int(_is_from_conversation(a) and _is_from_conversation(b))
    upper, lower = sorted((_folded(a.under[begins:]), _folded(b.under[begins:])), key=len)
    return lower[: len(upper)] != upper


def _folded(headings: Iterable[str]) -> list[str]:
    return [heading.casefold() for heading in headings]


def _are_items(a: Entry, b: Entry, found: Dispute) -> bool:
    """Whether two entries are notes in one list. Unless both are full sentences, each is one of
    several.
    """
    if _is_from_conversation(a) or _is_from_conversation(b):
        return False
    if a.path != b.path or a.under != b.under:
        return False
    return found.kind == NAME or any(statement(side.text).verb < 0 for side in (a, b))
