"""Whether two lines of memory cannot both be true, and which of their words contradict each other.

First the structure: two sentences about the same subject exchange one value for another of its
kind, or only one of them denies. Then the learned judge must agree. In doubt there is no dispute.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.markdown.label import label_of
from clawgit.judges.relation import relation
from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.negation import negations
from clawgit.language.sentences import sentences
from clawgit.language.spans import Span
from clawgit.language.stems import content_words, stem
from clawgit.language.tokens import Token, is_cjk, tokens
from clawgit.language.values import Value, values_and_codes

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


class ComparedSentence(NamedTuple):
    """A sentence, prepared for comparison."""

    sentence: Span
    exact: tuple[Value, ...]
    """Its exact values."""
    words: frozenset[str]
    """Its other content words."""
    first: str
    """The first of these words."""
    denials: tuple[Span, ...]
    scope: frozenset[str]
    """The words that limit it: conditions, hedges, other tenses."""
    line: tuple[Token, ...]
    names: frozenset[str]
    """Words that are written like names, or with a digit."""
    labelled: bool
    """It begins with a label and a colon."""
    joint: int
    """The number of its first auxiliary verb among its tokens, -1 if it has none."""

    def touches(self, start: int, end: int) -> bool:
        """Whether an exact value is in a piece of it."""
        return any(value.start < end and start < value.end for value in self.exact)

    def beside(self, value: Value) -> tuple[str, str]:
        """The words right before and right after a value, "" if there is none."""
        before = [token.text for token in self.line if token.end <= value.start]
        behind = [token.text for token in self.line if token.start >= value.end]
        return stem(before[-1]) if before else "", stem(behind[0]) if behind else ""

    def lacks(self, names: frozenset[str]) -> bool:
        """Whether one of these names is nowhere in it."""
        text = self.sentence.text.casefold()
        return any(name not in text for name in names)

    def span(self, start: int, end: int) -> Span:
        """A piece of the sentence, by its place in the whole text."""
        return Span(
            self.sentence.start + start, self.sentence.start + end, self.sentence.text[start:end]
        )


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


_EXACT = frozenset(
    (
        "time", "weekday", "date", "money", "percent", "measure", "number", "version", "code",
        "email",
    )
)  # fmt: skip
"""Without paths and addresses: words with a slash between them are as often a list of two."""
_SCOPES = ("hedges", "conditions", "reports", "past", "future")
_LONGEST = 400
_TAG = re.compile(r"(?<!\S)#[^\s#]+")
_SPEAKER = re.compile(r"\A[^“”:]{1,80}: “|”(?=[\s#]*\Z)")
"""The frame of a quotation: the speaker is no part of what was said."""
_NAMED = re.compile(r"\b(?:[^\W\d_a-zß-öø-ÿ]\w*|\w*\d\w*|\w+(?:[-_]\w+)+)(?:[-_.]\w+)*")
_ORDINAL = re.compile(r"^(\d+)[a-z]+$")
_CODED = re.compile(r"[\d_-]|\w[A-Z]")
_QUESTION = re.compile("[?？]")


@lru_cache(maxsize=8192)
def readings(text: str) -> tuple[ComparedSentence, ...]:
    """The sentences of the first line, none if it is long: sentences of a long text depend on each
    other.
    """
    lead = lead_of(text)
    if len(lead) > _LONGEST:
        return ()
    # Blanks keep the places of the words valid for the whole line.
    frames = [match.span() for match in (*_SPEAKER.finditer(lead), *_TAG.finditer(lead))]
    return tuple(map(_reading, sentences(_blank(lead, frames))))


def label_words(text: str) -> int:
    """How many content words the label of a line has, 0 if it has no label."""
    lead = next((reading.sentence.text for reading in readings(text)), "")
    return len(content_words(label_of(lead)))


def is_statement(text: str) -> bool:
    """Whether a text has a verb that the languages list. An item in a list of words has none."""
    return any(reading.joint >= 0 for reading in readings(text))


def lead_of(text: str) -> str:
    return text.split("\n", 1)[0]


def form_of(sentence: Span, piece: Span) -> tuple[str, ...]:
    """The stems of a sentence without those of a piece of it."""
    start, end = piece.start - sentence.start, piece.end - sentence.start
    return tuple(
        stem(token.text) for token in tokens(sentence.text) if not start <= token.start < end
    )


def _reading(sentence: Span) -> ComparedSentence:
    text = sentence.text
    languages = lexicons_for(text)
    line = tokens(text)
    exact = tuple(
        _normal(value, languages) for value in values_and_codes(text) if value.kind in _EXACT
    )
    rest = _blank(text, [(value.start, value.end) for value in exact])
    words = content_words(rest)
    # A set has no order, so the first content word is looked for in the tokens.
    heads = (_head(rest, token) for token in tokens(rest))
    return ComparedSentence(
        sentence=sentence,
        exact=exact,
        words=words,
        first=next((word for word in heads if word in words), ""),
        denials=negations(text),
        scope=_scope(text, rest, languages),
        line=line,
        names=_named(text, exact),
        labelled=bool(label_of(text)),
        joint=_joint(line, languages),
    )


def _scope(text: str, rest: str, languages: Sequence[Lexicon]) -> frozenset[str]:
    """The words that limit a sentence, looked for outside its values; `?` if it is a question."""
    outside = tokens(rest)
    scope = {
        match.value
        for language in languages
        for name in _SCOPES
        for match in language.phrases(name).every(rest, outside)
    }
    if _QUESTION.search(text):
        scope.add("?")
    return frozenset(scope)


def _joint(line: Sequence[Token], languages: Sequence[Lexicon]) -> int:
    """The number of the first auxiliary verb, -1 if there is none."""
    auxiliaries = frozenset().union(*(language.words("auxiliaries") for language in languages))
    for number, token in enumerate(line):
        if token.folded in auxiliaries:
            return number
    return -1


def _named(text: str, exact: Sequence[Value]) -> frozenset[str]:
    """Names and identifiers: what has a capital within the sentence, or is written like code."""
    begins = len(text) - len(text.lstrip())
    return frozenset(
        match[0].casefold()
        for match in _NAMED.finditer(text)
        if not any(value.start <= match.start() < value.end for value in exact)
        and (match.start() > begins or _CODED.search(match[0]))
    )


def _normal(value: Value, languages: Sequence[Lexicon]) -> Value:
    """`Feb 11` and `11 February` are one day, in whatever year."""
    if value.kind != "date":
        return value
    months: dict[str, str] = {}
    for language in languages:
        for month, number in language.months.items():
            months[month] = f"{number:02}"
    words = [token.folded for token in tokens(value.text)]
    if months.keys().isdisjoint(words):
        return value
    parts = [_ORDINAL.sub(r"\1", months.get(word, word)) for word in words]
    return value._replace(key=" ".join(sorted(parts)))


def _head(text: str, token: Token) -> str:
    """A word as `content_words` has it: its stem, or two characters of a script without spaces."""
    return text[token.start : token.start + 2] if is_cjk(token.text) else stem(token.text)


def _blank(text: str, places: Sequence[tuple[int, int]]) -> str:
    """The same length, with blanks in these places."""
    for start, end in places:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
