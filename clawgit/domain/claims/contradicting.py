"""Whether two standing lines cannot both be true, and which words of theirs stand against each
other.

A structure that stands by itself comes first: one value exchanged for another of its kind, or a
word that denies, in two sentences about the same subject. Then the learned judge must agree. In
doubt there is none.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from clawgit.domain.claims.compared import Reading, form_of, is_statement, label_words, readings
from clawgit.judges.relation import relation
from clawgit.language.spans import Span
from clawgit.language.stems import stem
from clawgit.language.tokens import tokens
from clawgit.language.values import Value

NEGATION = "negation"
NAME = "name"
"""Kinds of a dispute, beside those of an exact value: time, weekday, date, money, and the like."""


class Dispute(NamedTuple):
    """What stands against what: a span of each text, and of which kind they are. One is empty for a
    negation.
    """

    kind: str
    a: Span
    b: Span

    def __str__(self) -> str:
        if self.kind == NEGATION:
            return f"“{self.a.text or self.b.text}” on one side only"
        return f"“{self.a.text}” against “{self.b.text}”"


def contradicts(a: str, b: str, under_a: str = "", under_b: str = "") -> bool:
    """Whether two lines cannot both be true; `under_…` is the heading path of each, joined by ` >
    `.
    """
    return dispute(a, b, under_a, under_b) is not None


def dispute(a: str, b: str, under_a: str = "", under_b: str = "") -> Dispute | None:
    """The words that contradict each other, where structure and judge agree."""
    found = exchange(a, b, under_a, under_b)
    return found if found and surety(found, a, b, under_a, under_b) >= least(found, a, b) else None


def surety(found: Dispute, a: str, b: str, under_a: str = "", under_b: str = "") -> float:
    """How sure the judge is of the two sentences that a dispute is about."""
    return relation(
        sentence_at(a, found.a).text, sentence_at(b, found.b).text, under_a, under_b
    ).contradict


def least(found: Dispute, a: str, b: str) -> float:
    """From where on the judge is sure enough. An exchange of exact values says much by itself, and
    nearly all where it is the only thing in which two full sentences differ.
    """
    if found.kind == NAME:
        return _SURE
    sentence = sentence_at(a, found.a).text
    is_alone = is_same_form(found, a, b) and (
        is_statement(sentence) or len(readings(sentence)[0].words) >= _SHARED
    )
    return _SURE_IF_ALONE if is_alone else _SURE


def exchange(a: str, b: str, under_a: str = "", under_b: str = "") -> Dispute | None:
    """The one value that two texts about the same subject exchange, or the negation that only one
    of them has.
    """
    pairs = list(product(readings(a), readings(b)))
    if len(pairs) > _MOST_PAIRS:
        return None
    found = [dispute for one, other in pairs if (dispute := _against(one, other))]
    if len(found) != 1:
        return None
    apart = not _is_within(under_a, under_b) and not _is_within(under_b, under_a)
    is_field = readings(a)[0].labelled and label_words(a) < _SHARED
    is_record = (apart or is_field) and is_same_form(found[0], a, b)
    # A heading can deny as well: “Banned claims”.
    return None if is_record or (apart and found[0].kind == NEGATION) else found[0]


def is_same_form(found: Dispute, a: str, b: str) -> bool:
    """Whether two sentences differ in the disputed words alone. Under two headings, or behind a
    label of one word, they are records of two things.
    """
    ours, theirs = sentence_at(a, found.a), sentence_at(b, found.b)
    return form_of(ours, found.a) == form_of(theirs, found.b)


def _is_within(heading: str, other: str) -> bool:
    """Whether a heading path is another one's, or begins with it."""
    return not other or f"{heading.casefold()} > ".startswith(f"{other.casefold()} > ")


def sentence_at(text: str, piece: Span) -> Span:
    sides = (one.sentence for one in readings(text))
    whole = Span(0, len(text), text)
    return next((one for one in sides if one.start <= piece.start <= one.end), whole)


def _against(a: Reading, b: Reading) -> Dispute | None:
    if "?" in a.scope or a.scope != b.scope or not a.words & b.words:
        return None
    ours, theirs = _fresh(a, b), _fresh(b, a)
    if bool(a.denials) != bool(b.denials):
        return None if ours or theirs else _negated(a, b)
    if ours and theirs:
        return _exchanged(a, b, ours, theirs)
    return None if ours or theirs else _renamed(a, b)


def _fresh(reading: Reading, other: Reading) -> list[Value]:
    known = {(value.kind, value.key) for value in other.exact}
    return [value for value in reading.exact if (value.kind, value.key) not in known]


def _exchanged(a: Reading, b: Reading, ours: list[Value], theirs: list[Value]) -> Dispute | None:
    """One value of one kind on either side. What one side has besides must not limit it."""
    kinds = {value.kind for value in ours} & {value.kind for value in theirs}
    if len(kinds) != 1 or not _is_same_subject(a, b):
        return None
    sides = [[value for value in side if value.kind in kinds] for side in (ours, theirs)]
    besides = {value.kind for value in (*ours, *theirs)} - kinds
    if [len(side) for side in sides] != [1, 1] or besides & _LIMITING:
        return None
    one, other = sides[0][0], sides[1][0]
    if _unit(one) != _unit(other) or _is_part(one.key, other.key) or _is_part(other.key, one.key):
        return None
    if one.kind == "number" and not _count_the_same(a.beside(one), b.beside(other)):
        return None
    return Dispute(one.kind, a.span(one.start, one.end), b.span(other.start, other.end))


def _count_the_same(ours: tuple[str, str], theirs: tuple[str, str]) -> bool:
    """Whether two bare numbers stand behind, or before, the same word."""
    return any(one and one == other for one, other in zip(ours, theirs, strict=True))


def _is_part(key: str, other: str) -> bool:
    """Whether one value only says less than the other: 17 and 17.2, 2026 and 2026-03-03."""
    return other.startswith((f"{key}.", f"{key}-", f"{key}/"))


def _unit(value: Value) -> str:
    return value.key.partition(" ")[2] if value.kind in ("money", "measure") else ""


def _negated(a: Reading, b: Reading) -> Dispute | None:
    """The same words but for the one that denies."""
    denials = a.denials or b.denials
    denying = {stem(token.text) for denial in denials for token in tokens(denial.text)}
    if len(denials) != 1 or (a.words ^ b.words) - denying or len(a.words & b.words) < _SHARED:
        return None
    spans = [
        one.span(one.denials[0].start, one.denials[0].end) if one.denials else one.span(0, 0)
        for one in (a, b)
    ]
    return Dispute(NEGATION, *spans)


def _renamed(a: Reading, b: Reading) -> Dispute | None:
    """The same sentence but for one name behind its verb."""
    ours, theirs = ([token.folded for token in one.line] for one in (a, b))
    before = _common(ours, theirs)
    behind = _common(ours[before:][::-1], theirs[before:][::-1])
    ends = len(ours) - behind, len(theirs) - behind
    if not all(0 < end - before <= _LONGEST_NAME for end in ends) or not 0 <= a.joint < before:
        return None
    places = [
        (one.line[before].start, one.line[end - 1].end)
        for one, end in zip((a, b), ends, strict=True)
    ]
    if any(one.touches(*place) for one, place in zip((a, b), places, strict=True)):
        return None
    return Dispute(NAME, a.span(*places[0]), b.span(*places[1]))


def _common(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """How many words at the beginning are the same."""
    pairs = zip(ours, theirs, strict=False)
    return next(
        (at for at, (one, other) in enumerate(pairs) if one != other), min(len(ours), len(theirs))
    )


def _is_same_subject(a: Reading, b: Reading) -> bool:
    """A side begins with what the other speaks of, too, and at most one of them says more than a
    word besides.
    """
    ours, theirs = a.words - b.words, b.words - a.words
    if (
        not a.words & b.words
        or (a.first not in b.words and b.first not in a.words)
        or (a.lacks(b.names) and b.lacks(a.names))
    ):
        return False
    if not ours or not theirs:
        return True
    return len(a.words & b.words) >= _SHARED and len(ours) <= 1 and len(theirs) <= 1


_SURE_IF_ALONE = 0.05
_SURE = 0.45
"""Bars of the judge, measured on writers held out: of the exchanges above the second, 20 of 21
contradict each other.
"""
_LIMITING = frozenset(("weekday", "date", "version", "number"))
"""What makes two sentences speak of different occasions, where only one of them has it."""
_MOST_PAIRS = 36
_SHARED = 2
_LONGEST_NAME = 3
