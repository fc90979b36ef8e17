"""A line of memory, prepared for comparison: its sentences, and what each of them holds."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from clawgit.domain.markdown.label import label_of
from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.negation import negations
from clawgit.language.sentences import sentences
from clawgit.language.spans import Span
from clawgit.language.stems import content_words, stem
from clawgit.language.tokens import Token, is_cjk, tokens
from clawgit.language.values import Value, values_and_codes

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
