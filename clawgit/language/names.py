"""Proper names, by their shape and their place in the sentence; there is no list of names."""

import re
from collections.abc import Iterator, Sequence

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.spans import Span, span
from clawgit.language.tokens import CJK, Token, tokens

_INNER_CAPITAL = re.compile(r"[^\W\d_][^\WA-Z_]*[A-Z]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{3,}")
_LONGEST_RUN = 4


def names(text: str) -> tuple[Span, ...]:
    languages = lexicons_for(text)
    found = {(one.start, one.end) for one in _by_capital(text, tokens(text), languages)}
    found |= {at.span() for at in _KATAKANA.finditer(text)}
    for language in languages:
        for suffix in language.rows("name_suffixes"):
            found |= set(_before(text, suffix))
    return tuple(span(text, *at) for at in _apart(sorted(found)))


def _by_capital(
    text: str, among: Sequence[Token], languages: tuple[Lexicon, ...]
) -> Iterator[Span]:
    index = 0
    while index < len(among):
        after = _run(text, among, index, languages)
        words = among[index:after]
        if len(words) > 1 and any(
            words[0].folded in language.words("name_titles") for language in languages
        ):
            words = words[1:]
        if words and _is_name(text, words, languages):
            yield span(
                text, words[0].start, words[-1].end - (2 if words[-1].folded.endswith("'s") else 0)
            )
        index = max(after, index + 1)


def _run(text: str, among: Sequence[Token], index: int, languages: tuple[Lexicon, ...]) -> int:
    """Where a row of words that are written like names ends; a link may stand inside: `Bank of
    England`.
    """
    after = index
    while (
        after < len(among)
        and _has_shape(among[after], languages)
        and (after == index or _beside(text, among, after))
    ):
        after += 1
        if languages[0].data.get("nouns_capital"):
            continue
        link = after < len(among) and any(
            among[after].folded in language.words("name_links") for language in languages
        )
        if (
            link
            and after + 1 < len(among)
            and _has_shape(among[after + 1], languages)
            and _beside(text, among, after)
        ):
            after += 1 if _beside(text, among, after + 1) else 0
    return after


def _has_shape(token: Token, languages: tuple[Lexicon, ...]) -> bool:
    word = token.text
    if not (word[0].isupper() or _INNER_CAPITAL.match(word)) or len(word) == 1:
        return False
    return not any(_is_listed(token.folded.removesuffix("'s"), language) for language in languages)


def _is_listed(word: str, language: Lexicon) -> bool:
    return (
        word in language.known
        or word in language.words("lead_ins")
        or word in language.words("greetings")
    )


def _is_name(text: str, words: Sequence[Token], languages: tuple[Lexicon, ...]) -> bool:
    first = words[0]
    if (
        len(words) > 1
        or any(_INNER_CAPITAL.match(word.text) for word in words)
        or first.folded.endswith("'s")
    ):
        return True
    if languages[0].data.get("nouns_capital"):
        before = tokens(text[max(0, first.start - 12) : first.start])
        return bool(before) and before[-1].folded in languages[0].words("name_titles")
    return not _opens(text, first.start)


def _opens(text: str, start: int) -> bool:
    before = text[max(0, start - 40) : start].rstrip(" \t*_`\"'“”„(>")
    return not before or before[-1] in ".!?:\n-•|。！？"


def _beside(text: str, among: Sequence[Token], index: int) -> bool:
    return text[among[index - 1].end : among[index].start] in (" ", "-", "&", " & ", "")


def _before(text: str, suffix: str) -> Iterator[tuple[int, int]]:
    """The characters that stand before a title such as さん."""
    at = text.find(suffix)
    while at >= 0:
        begin = at
        while begin > 0 and at - begin < _LONGEST_RUN and _HAN.match(text[begin - 1]):
            begin -= 1
        if begin < at:
            yield begin, at
        at = text.find(suffix, at + len(suffix))


def _apart(found: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    end = 0
    for start, stop in found:
        if start >= end:
            yield start, stop
            end = stop


_HAN = re.compile(f"[{CJK}\uac00-\ud7af]")
