"""A line of memory as it is compared with another: its sentences, and what each of them holds."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.negation import negations
from clawgit.language.sentences import sentences
from clawgit.language.spans import Span
from clawgit.language.stems import content_words, stem
from clawgit.language.tokens import Token, is_cjk, tokens
from clawgit.language.values import Value, values


class Reading(NamedTuple):
    """A sentence as it is compared. `exact` are its values, `words` its other content words,
    `first` the first of these, `scope` the words that limit it: conditions, hedges, other tenses,
    `names` those that are written like names, or with a digit; `labelled` that it begins with a
    label and a colon; `joint` is where its first auxiliary stands among its tokens, -1 where it has
    none.
    """

    sentence: Span
    exact: tuple[Value, ...]
    words: frozenset[str]
    first: str
    denials: tuple[Span, ...]
    scope: frozenset[str]
    line: tuple[Token, ...]
    names: frozenset[str]
    labelled: bool
    joint: int

    def touches(self, start: int, end: int) -> bool:
        """Whether an exact value is in a piece of it."""
        return any(value.start < end and start < value.end for value in self.exact)

    def beside(self, value: Value) -> tuple[str, str]:
        """The words right before and right behind a value, "" where there is none."""
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


@lru_cache(maxsize=8192)
def readings(text: str) -> tuple[Reading, ...]:
    """The sentences of the first paragraph. What stands in a long one hangs together; it is not
    compared.
    """
    lead = lead_of(text)
    frames = [match.span() for match in (*_SPEAKER.finditer(lead), *_TAG.finditer(lead))]
    return tuple(map(_reading, sentences(_blank(lead, frames)))) if len(lead) <= _LONGEST else ()


def label_words(text: str) -> int:
    """How many content words stand before the colon of a line that begins with a label; 0 where
    there is none.
    """
    lead = next((reading.sentence.text for reading in readings(text)), "")
    found = _LABELLED.match(lead)
    return len(content_words(found[0])) if found else 0


def is_statement(text: str) -> bool:
    """Whether it has a verb that the languages list: no item of a list of words."""
    return any(reading.joint >= 0 for reading in readings(text))


def lead_of(text: str) -> str:
    return text.split("\n", 1)[0]


def form_of(sentence: Span, piece: Span) -> tuple[str, ...]:
    """The words of a sentence but for those of a piece, however they are inflected."""
    start, end = piece.start - sentence.start, piece.end - sentence.start
    return tuple(
        stem(token.text) for token in tokens(sentence.text) if not start <= token.start < end
    )


def _reading(sentence: Span) -> Reading:
    text = sentence.text
    line, languages = tokens(text), lexicons_for(text)
    exact = tuple(_normal(value, languages) for value in values(text) if value.kind in _EXACT)
    rest = _blank(text, [(value.start, value.end) for value in exact])
    words = content_words(rest)
    outside = tokens(rest)
    heads = (_head(rest, token) for token in outside)
    scope = {
        match.value
        for each in languages
        for name in _SCOPES
        for match in each.phrases(name).every(rest, outside)
    }
    auxiliaries = {word for each in languages for word in each.words("auxiliaries")}
    return Reading(
        sentence, exact, words, next((word for word in heads if word in words), ""),
            negations(text),
        frozenset(scope | ({"?"} if _QUESTION.search(text) else set())), line, _named(text, exact),
        _LABELLED.match(text) is not None,
        next((number for number, token in enumerate(line) if token.folded in auxiliaries), -1),
    )  # fmt: skip


def _named(text: str, exact: Sequence[Value]) -> frozenset[str]:
    """Names and identifiers: what begins with a capital letter within the sentence, or is written
    like code.
    """
    chunks = [
        at
        for at in _NAMED.finditer(text)
        if not any(one.start <= at.start() < one.end for one in exact)
    ]
    begins = len(text) - len(text.lstrip())
    return frozenset(
        at[0].casefold() for at in chunks if at.start() > begins or _CODED.search(at[0])
    )


def _normal(value: Value, languages: Sequence[Lexicon]) -> Value:
    """`Feb 11` and `11 February` are one day, the year unsaid."""
    months = {month: f"{number:02}" for each in languages for month, number in each.months.items()}
    parts = [months.get(token.folded, token.folded) for token in tokens(value.text)]
    if value.kind != "date" or not any(token.folded in months for token in tokens(value.text)):
        return value
    return value._replace(
        key=" ".join(sorted(re.sub(r"^(\d+)[a-z]+$", r"\1", part) for part in parts))
    )


def _head(text: str, token: Token) -> str:
    """A word as `content_words` has it: its stem, or two characters of a script without spaces."""
    return text[token.start : token.start + 2] if is_cjk(token.text) else stem(token.text)


def _blank(text: str, places: Sequence[tuple[int, int]]) -> str:
    """The same length, with blanks in these places."""
    for start, end in places:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


_EXACT = frozenset(
    ("time", "weekday", "date", "money", "percent", "measure", "number", "version", "email")
)
"""Paths and addresses of pages are none: what is written with a stroke is as often a list of two
words."""
_SCOPES = ("hedges", "conditions", "reports", "past", "future")
_LONGEST = 400
_TAG = re.compile(r"(?<!\S)#[^\s#]+")
_SPEAKER = re.compile(r"\A[^“”:]{1,80}: “|”(?=[\s#]*\Z)")
"""The frame of a quotation: who said it is no part of what was said."""
_NAMED = re.compile(r"\b(?:[^\W\d_a-zß-öø-ÿ]\w*|\w*\d\w*|\w+(?:[-_]\w+)+)(?:[-_.]\w+)*")
_CODED = re.compile(r"[\d_-]|\w[A-Z]")
_LABELLED = re.compile(r"\W*(?:[^\s:：]+[ \t]+){0,3}[^\s:：]+[*_` ]*[:：](?!//)")
_QUESTION = re.compile("[?？]")
