"""Finds words that deny: `not`, `nie`, `不`."""

import re

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.spans import Span, span
from clawgit.language.tokens import tokens


def is_negated(text: str) -> bool:
    return bool(negations(text))


def negations(text: str) -> tuple[Span, ...]:
    """Every word that denies, once each, from left to right."""
    likeliest, *_ = languages = lexicons_for(text)
    places = {at for language in languages for at in _in(text, language, likeliest)}
    return tuple(span(text, *at) for at in sorted(places))


def _in(text: str, language: Lexicon, likeliest: Lexicon) -> set[tuple[int, int]]:
    """What only looks like a negation in the likeliest language is none in another: `no` is “in
    the” in Portuguese.
    """
    among = tokens(text)
    spared = {
        index
        for spares in {language, likeliest}
        for match in spares.phrases("not_negations").every(text, among)
        for index in range(match.first, match.after)
    }
    places = {
        (match.start, match.end)
        for match in language.exact("negations").every(text, among)
        if match.first not in spared and not _is_label(text, match.start, match.end)
    }
    endings = language.rows("negation_endings")
    places |= {
        (token.start, token.end) for token in among if endings and token.folded.endswith(endings)
    }
    for part in language.rows("negation_parts"):
        places |= {at.span() for at in re.finditer(re.escape(part), text)}
    return places


def _is_label(text: str, start: int, end: int) -> bool:
    """Whether `No` is short for a number: `No. 5`."""
    rest = text[end : end + 3]
    return (
        text[start:end].casefold() == "no" and rest[:1] == "." and rest[1:].strip()[:1].isdecimal()
    )
