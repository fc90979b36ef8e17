"""Whether two lines of memory cannot both be true, and which of their words contradict each other.

First the structure: two sentences about the same subject exchange one value for another of its
kind, or only one of them denies. Then the learned judge must agree. In doubt there is no dispute.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.claims.compared import (
    ComparedSentence,
    form_of,
    is_statement,
    label_words,
    readings,
)
from clawgit.judges.relation import relation
from clawgit.language.spans import Span
from clawgit.language.stems import stem
from clawgit.language.tokens import tokens
from clawgit.language.values import Value

NEGATION = "negation"
NAME = "name"
"""Kinds of a dispute, besides those of an exact value: time, weekday, date, money, and the like."""

_SURE_IF_ALONE = 0.05
_SURE = 0.45
"""The judge's thresholds, measured on writers that it did not learn from: above the second, 20 of
21 exchanges are contradictions.
"""
_LIMITING = frozenset(("weekday", "date", "version", "number", "code"))
"""Kinds of values that make two sentences be about different occasions if only one has them."""
_MOST_PAIRS = 36
"""With more pairs of sentences, a chance exchange becomes likely."""
_SHARED = 2
_LONGEST_NAME = 3


class Dispute(NamedTuple):
    """The span of each text that contradicts the other, and their kind. For a negation, one span is
    empty.
    """

    kind: str
    a: Span
    b: Span

    def __str__(self) -> str:
        if self.kind == NEGATION:
            return f"“{self.a.text or self.b.text}” on one side only"
        return f"“{self.a.text}” against “{self.b.text}”"


def surety(dispute: Dispute, a: str, b: str, under_a: str = "", under_b: str = "") -> float:
    """How sure the judge is of the two sentences that a dispute is about."""
    return relation(
        sentence_at(a, dispute.a).text, sentence_at(b, dispute.b).text, under_a, under_b
    ).contradict


def least(dispute: Dispute, a: str, b: str) -> float:
    """The value from which the judge is sure enough.

    If two full sentences differ in one exact value only, that says nearly all by itself.
    """
    if dispute.kind == NAME:
        return _SURE
    sentence = sentence_at(a, dispute.a).text
    is_alone = is_same_form(dispute, a, b) and (
        is_statement(sentence) or len(readings(sentence)[0].words) >= _SHARED
    )
    return _SURE_IF_ALONE if is_alone else _SURE


def exchange(a: str, b: str, under_a: str = "", under_b: str = "") -> Dispute | None:
    """The one value that two texts about the same subject exchange, or the negation in
    one of them.
    """
    dispute = _only_dispute(readings(a), readings(b))
    if dispute is None:
        return None
    apart = _is_apart(under_a, under_b)
    # A heading can deny as well: “Banned claims”.
    if apart and dispute.kind == NEGATION:
        return None
    # `Status: done` and `Status: open` are fields of two records.
    is_field = readings(a)[0].labelled and label_words(a) < _SHARED
    is_record = (apart or is_field) and is_same_form(dispute, a, b)
    return None if is_record else dispute


def _is_apart(under_a: str, under_b: str) -> bool:
    return not _is_within(under_a, under_b) and not _is_within(under_b, under_a)


def _only_dispute(
    ours: Sequence[ComparedSentence], theirs: Sequence[ComparedSentence]
) -> Dispute | None:
    """The dispute of two sentences, None if there are several or none."""
    pairs = list(product(ours, theirs))
    if len(pairs) > _MOST_PAIRS:
        return None
    disputes = [dispute for a, b in pairs if (dispute := _against(a, b))]
    return disputes[0] if len(disputes) == 1 else None


def is_same_form(dispute: Dispute, a: str, b: str) -> bool:
    """Whether two sentences differ only in the disputed words.

    Under two headings, or after a label of one word, such sentences are records of two things.
    """
    ours, theirs = sentence_at(a, dispute.a), sentence_at(b, dispute.b)
    return form_of(ours, dispute.a) == form_of(theirs, dispute.b)


def _is_within(heading: str, other: str) -> bool:
    """Whether a heading path is the other one, or is below it."""
    return not other or f"{heading.casefold()} > ".startswith(f"{other.casefold()} > ")


def sentence_at(text: str, piece: Span) -> Span:
    every = (sentence.sentence for sentence in readings(text))
    whole = Span(0, len(text), text)
    return next(
        (sentence for sentence in every if sentence.start <= piece.start <= sentence.end), whole
    )


def _against(a: ComparedSentence, b: ComparedSentence) -> Dispute | None:
    """What two sentences exchange, or which of them denies the other."""
    # “It was 3” and “it will be 4” agree, and so do “if it rains, 3” and “4”.
    if "?" in a.scope or a.scope != b.scope or a.words.isdisjoint(b.words):
        return None
    ours, theirs = _fresh(a, b), _fresh(b, a)
    # One side has a value that the other does not exchange for another.
    if bool(ours) != bool(theirs):
        return None
    is_one_denied = bool(a.denials) != bool(b.denials)
    if not ours:
        return _negated(a, b) if is_one_denied else _renamed(a, b)
    return None if is_one_denied else _exchanged(a, b, ours, theirs)


def _fresh(reading: ComparedSentence, other: ComparedSentence) -> list[Value]:
    """The values that the other sentence lacks."""
    known = {(value.kind, value.key) for value in other.exact}
    return [value for value in reading.exact if (value.kind, value.key) not in known]


def _exchanged(
    a: ComparedSentence, b: ComparedSentence, ours: list[Value], theirs: list[Value]
) -> Dispute | None:
    """One value of one kind on either side. No other value may limit what a side says."""
    kinds = _kinds(ours) & _kinds(theirs)
    others = _kinds(ours) ^ _kinds(theirs)
    if len(kinds) != 1 or not others.isdisjoint(_LIMITING):
        return None
    if not _is_same_subject(a, b):
        return None
    our_value, their_value = _only_one(ours, kinds), _only_one(theirs, kinds)
    if (
        our_value is None
        or their_value is None
        or not _may_exclude_each_other(our_value, their_value)
    ):
        return None
    # “3 desks” and “4 rooms” are both true.
    is_count = our_value.kind == "number"
    if is_count and not _count_the_same(a.beside(our_value), b.beside(their_value)):
        return None
    return Dispute(
        our_value.kind,
        a.span(our_value.start, our_value.end),
        b.span(their_value.start, their_value.end),
    )


def _only_one(values: Iterable[Value], kinds: frozenset[str]) -> Value | None:
    """The one value of these kinds, None if there are several."""
    of_kind = [value for value in values if value.kind in kinds]
    return of_kind[0] if len(of_kind) == 1 else None


def _kinds(values: Iterable[Value]) -> frozenset[str]:
    return frozenset(value.kind for value in values)


def _may_exclude_each_other(our_value: Value, their_value: Value) -> bool:
    """Whether two values have one unit, and neither only says less than the other."""
    if _unit(our_value) != _unit(their_value):
        return False
    return not _is_part(our_value.key, their_value.key) and not _is_part(
        their_value.key, our_value.key
    )


def _count_the_same(ours: tuple[str, str], theirs: tuple[str, str]) -> bool:
    """Whether two bare numbers stand before or after the same word."""
    return any(
        our_word and our_word == their_word
        for our_word, their_word in zip(ours, theirs, strict=True)
    )


def _is_part(key: str, other: str) -> bool:
    """Whether one value only says less than the other: 17 and 17.2, 2026 and 2026-03-03."""
    return other.startswith((f"{key}.", f"{key}-", f"{key}/"))


def _unit(value: Value) -> str:
    return value.key.partition(" ")[2] if value.kind in ("money", "measure") else ""


def _negated(a: ComparedSentence, b: ComparedSentence) -> Dispute | None:
    """The same words except for the one that denies."""
    denials = a.denials or b.denials
    if len(denials) != 1 or len(a.words & b.words) < _SHARED:
        return None
    denying = {stem(token.text) for denial in denials for token in tokens(denial.text)}
    if (a.words ^ b.words) - denying:
        return None
    return Dispute(NEGATION, _denial(a), _denial(b))


def _denial(reading: ComparedSentence) -> Span:
    """The word that denies, an empty span if there is none."""
    if not reading.denials:
        return reading.span(0, 0)
    first = reading.denials[0]
    return reading.span(first.start, first.end)


def _renamed(a: ComparedSentence, b: ComparedSentence) -> Dispute | None:
    """The same sentence except for one name after its verb."""
    ours = [token.folded for token in a.line]
    theirs = [token.folded for token in b.line]
    before, behind = common_ends(ours, theirs)
    if not 0 <= a.joint < before:
        return None
    place = _name_at(a, before, len(ours) - behind)
    other_place = _name_at(b, before, len(theirs) - behind)
    if place is None or other_place is None:
        return None
    return Dispute(NAME, a.span(*place), b.span(*other_place))


def _name_at(reading: ComparedSentence, first: int, after: int) -> tuple[int, int] | None:
    """Where the words between two tokens stand, None if they cannot be a name."""
    if not 0 < after - first <= _LONGEST_NAME:
        return None
    start, end = reading.line[first].start, reading.line[after - 1].end
    return None if reading.touches(start, end) else (start, end)


def _is_same_subject(a: ComparedSentence, b: ComparedSentence) -> bool:
    """Whether two sentences are about the same thing: one begins with a word of the other, and
    only one of them has words of its own. If both have, these may be what they are about.
    """
    begins_alike = a.first in b.words or b.first in a.words
    if not begins_alike or (a.lacks(b.names) and b.lacks(a.names)):
        return False
    return a.words <= b.words or b.words <= a.words
