"""Proper names, by their shape and their place in the sentence. There is no list of names."""

import re
from collections.abc import Iterator, Sequence

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.spans import Span, span
from clawgit.language.tokens import CJK, Token, tokens

_INNER_CAPITAL = re.compile(r"[^\W\d_][^\WA-Z_]*[A-Z]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{3,}")
_LONGEST_RUN = 4
_HAN = re.compile(f"[{CJK}\uac00-\ud7af]")


def names(text: str) -> tuple[Span, ...]:
    languages = lexicons_for(text)
    places = {(name.start, name.end) for name in _by_capital(text, tokens(text), languages)}
    places |= {match.span() for match in _KATAKANA.finditer(text)}
    for language in languages:
        for suffix in language.rows("name_suffixes"):
            places.update(_before(text, suffix))
    return tuple(span(text, *place) for place in _apart(sorted(places)))


def _by_capital(
    text: str, among: Sequence[Token], languages: tuple[Lexicon, ...]
) -> Iterator[Span]:
    index = 0
    while index < len(among):
        after = _run(text, among, index, languages)
        words = among[index:after]
        # “Dr. Smith” and “Smith” are one name.
        if len(words) > 1 and _is_title(words[0], languages):
            words = words[1:]
        if words and _is_name(text, words, languages):
            last = words[-1]
            end = last.end - len("'s") if last.folded.endswith("'s") else last.end
            yield span(text, words[0].start, end)
        index = max(after, index + 1)


def _is_title(token: Token, languages: tuple[Lexicon, ...]) -> bool:
    return any(token.folded in language.words("name_titles") for language in languages)


def _run(text: str, among: Sequence[Token], index: int, languages: tuple[Lexicon, ...]) -> int:
    """Where a row of words that are written like names ends.

    A link may stand inside: `Bank of England`.
    """
    after = index
    while after < len(among) and _has_shape(among[after], languages):
        if after > index and not _beside(text, among, after):
            break
        after += 1
        # In German, each noun has a capital: a link would join any two of them.
        if not languages[0].data.get("nouns_capital") and _is_link(text, among, after, languages):
            after += 1
    return after


def _is_link(text: str, among: Sequence[Token], index: int, languages: tuple[Lexicon, ...]) -> bool:
    """Whether a word such as `of` stands between two words of a name."""
    if index + 1 >= len(among):
        return False
    word = among[index].folded
    if not any(word in language.words("name_links") for language in languages):
        return False
    if not _has_shape(among[index + 1], languages):
        return False
    return _beside(text, among, index) and _beside(text, among, index + 1)


def _has_shape(token: Token, languages: tuple[Lexicon, ...]) -> bool:
    word = token.text
    if len(word) == 1 or not (word[0].isupper() or _INNER_CAPITAL.match(word)):
        return False
    plain = token.folded.removesuffix("'s")
    return not any(_is_listed(plain, language) for language in languages)


def _is_listed(word: str, language: Lexicon) -> bool:
    return (
        word in language.known
        or word in language.words("lead_ins")
        or word in language.words("greetings")
    )


def _is_name(text: str, words: Sequence[Token], languages: tuple[Lexicon, ...]) -> bool:
    if len(words) > 1:
        return True
    first = words[0]
    if _INNER_CAPITAL.match(first.text) or first.folded.endswith("'s"):
        return True
    if languages[0].data.get("nouns_capital"):
        before = tokens(text[max(0, first.start - 12) : first.start])
        return bool(before) and before[-1].folded in languages[0].words("name_titles")
    return not _opens(text, first.start)


def _opens(text: str, start: int) -> bool:
    """Whether a place begins a sentence, where every word has a capital."""
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


def _apart(places: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    end = 0
    for start, stop in places:
        if start >= end:
            yield start, stop
            end = stop
