"""The exact values in a text: times, days, amounts, names, addresses. Equal keys mean the same."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Literal, NamedTuple

from clawgit.language.days import whens
from clawgit.language.lexicon import lexicons_for
from clawgit.language.names import names
from clawgit.language.quantities import Quantity, quantities
from clawgit.language.reading import When
from clawgit.language.spans import apart
from clawgit.language.stems import content_words, stem
from clawgit.language.tokens import Token, is_cjk, tokens

Kind = Literal[
    "time",
    "weekday",
    "date",
    "money",
    "percent",
    "measure",
    "number",
    "version",
    "name",
    "email",
    "url",
    "path",
    "word",
]
_ANY_DAY = datetime(2000, 1, 3, tzinfo=UTC)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_URL = re.compile(r"\b(?:https?|ssh|ftp|file)://[^\s<>\"“”)）】]+|\bwww\.[^\s<>\"“”)）】]+")
_PATH = re.compile(
    r"(?<![\w/.~-])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]*)*|(?<![\w/.~:@+-])[\w.@+-]++(?:/[\w.@+-]+)+"
)


class Value(NamedTuple):
    start: int
    end: int
    text: str
    kind: Kind
    key: str


def values(text: str) -> tuple[Value, ...]:
    """The longest first where two begin alike; none overlaps another."""
    strong = [*_addresses(text), *_days(text), *_amounts(text), *_names(text)]
    kept = apart(sorted(strong, key=attrgetter("kind")))
    return tuple(sorted((*kept, *_words(text, kept))))


def _addresses(text: str) -> Iterator[Value]:
    for at in _EMAIL.finditer(text):
        yield Value(at.start(), at.end(), at[0], "email", at[0].lower())
    for at in _URL.finditer(text):
        # A stop after an address ends the sentence.
        url = at[0].rstrip(".,;:!?'")
        yield Value(at.start(), at.start() + len(url), url, "url", url.rstrip("/"))
    for at in _PATH.finditer(text):
        path = at[0].rstrip(".")
        if any(sign.isalpha() for sign in path):
            yield Value(at.start(), at.start() + len(path), path, "path", path.rstrip("/"))


def _days(text: str) -> Iterator[Value]:
    for when in whens(text, _ANY_DAY):
        yield Value(when.start, when.end, when.text, *_day_key(when))


def _day_key(when: When) -> tuple[Kind, str]:
    if when.clock:
        return "time", f"{when.clock[0]:02}:{when.clock[1]:02}"
    if when.kind in ("weekday", "recurring"):
        return "weekday", _weekday_key(when.text)
    if when.kind == "relative":
        if when.day is None:
            return "date", when.text.casefold()
        return "date", f"{(when.day - _ANY_DAY.date()).days:+}"
    year, month, day = when.parts
    parts = (
        f"{year:04}" if year else "-",
        f"{month:02}" if month else "-",
        f"{day:02}" if day else "-",
    )
    return "date", "-".join(parts)


def _weekday_key(text: str) -> str:
    """`W1` is Monday."""
    for language in lexicons_for(text):
        for match in language.weekday_phrases.every(text, tokens(text)):
            return f"W{match.value + 1}"
    return text.casefold()


def _amounts(text: str) -> Iterator[Value]:
    for amount in quantities(text):
        yield Value(amount.start, amount.end, amount.text, *_amount_key(amount))


def _amount_key(amount: Quantity) -> tuple[Kind, str]:
    if amount.kind == "version":
        return "version", amount.text.lower().removeprefix("v")
    number = f"{amount.value.normalize():f}"
    if amount.kind == "number" or amount.kind == "ordinal":  # noqa: PLR1714 - the type checker reads it so
        return "number", number
    kind: Kind = amount.kind
    return kind, f"{number} {amount.unit}"


def _names(text: str) -> Iterator[Value]:
    for name in names(text):
        yield Value(name.start, name.end, name.text, "name", name.text.casefold())


def _words(text: str, taken: Sequence[Value]) -> Iterator[Value]:
    """The content words outside the other values."""
    content = content_words(text)
    for token in _free(tokens(text), taken):
        if is_cjk(token.text):
            continue
        key = stem(token.text)
        if key in content:
            yield Value(token.start, token.end, token.text, "word", key)


def _free(among: Iterable[Token], taken: Sequence[Value]) -> Iterator[Token]:
    """The tokens that overlap none of these values, which are in order."""
    place = 0
    for token in among:
        while place < len(taken) and taken[place].end <= token.start:
            place += 1
        if place == len(taken) or taken[place].start >= token.end:
            yield token
