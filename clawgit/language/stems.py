"""The stem of a word, by the endings of the languages. It need not be a word itself."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import zip_longest
from typing import NamedTuple

from clawgit.language.files import codes
from clawgit.language.lexicon import lexicon, lexicons_for
from clawgit.language.tokens import Token, fold, is_cjk, is_hangul, tokens

_ROUNDS = 3
_SHORT = 3


class _Ending(NamedTuple):
    """An ending, what takes its place, and how many letters a word has before it at least."""

    ending: str
    instead: str
    least: int

    def is_of(self, word: str) -> bool:
        return word.endswith(self.ending) and len(word) - len(self.ending) >= self.least


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without its endings, so that `builds` and `building` have one form."""
    folded = _whole(fold(word))
    if not folded.replace("'", "").isalpha() or is_cjk(folded):
        return folded
    endings, kept = _endings("hangul" if is_hangul(folded) else "latin")
    # `buildings` loses `s` first, and then `ing`.
    for _ in range(_ROUNDS):
        shorter = _shorter(folded, endings, kept)
        if shorter == folded:
            break
        folded = shorter
    return folded


def _whole(word: str) -> str:
    """A word without what is written onto it: `équipe` of “l'équipe”."""
    head, mark, rest = word.partition("'")
    return rest if rest and head + mark in _elided() else word


def content_words(text: str) -> frozenset[str]:
    """The stems of the telling words. Where nothing parts words, pairs of characters."""
    classes = ("function_words", "persons", "pronouns", "auxiliaries")
    empty = frozenset().union(
        *(language.words(name) for language in lexicons_for(text) for name in classes)
    )
    among = tokens(text)
    words = {
        stem(token.text) for token in among if token.folded not in empty and not is_cjk(token.text)
    }
    return frozenset(words | {pair for pair in _pairs(among) if not set(pair) & empty})


def _pairs(among: tuple[Token, ...]) -> Iterator[str]:
    """Two characters side by side where nothing parts words, or one that stands alone."""
    was_joined = False
    for token, after in zip_longest(among, among[1:]):
        if not is_cjk(token.text):
            was_joined = False
            continue
        is_joined = after is not None and after.start == token.end and is_cjk(after.text)
        if is_joined:
            yield token.folded + after.folded
        elif not was_joined:
            yield token.folded
        was_joined = is_joined


def _shorter(word: str, endings: tuple[_Ending, ...], kept: tuple[str, ...]) -> str:
    """A word without its longest listed ending."""
    if len(word) <= _SHORT and not is_hangul(word):
        return word
    is_kept = bool(kept) and word.endswith(kept)
    for row in endings:
        if is_kept and len(row.ending) == 1:
            continue
        if row.is_of(word):
            return _single(word[: -len(row.ending)], bool(row.instead)) + row.instead
    return word


def _single(word: str, is_replaced: bool) -> str:
    """`stopp` becomes `stop`. A word that ends in `ll`, `ss` or `zz` stays."""
    if is_replaced or len(word) <= _SHORT or not word.isascii():
        return word
    is_doubled = word[-1] == word[-2] and word[-1] not in "lsz"
    return word[:-1] if is_doubled else word


@cache
def _elided() -> frozenset[str]:
    return frozenset(word for code in codes() for word in lexicon(code).known if word.endswith("'"))


@cache
def _endings(script: str) -> tuple[tuple[_Ending, ...], tuple[str, ...]]:
    listed: dict[str, _Ending] = {}
    kept: list[str] = []
    for code in codes():
        language = lexicon(code)
        if language.script == script:
            kept += language.rows("kept_endings")
            for row in language.rows("endings"):
                ending, _, instead = row.partition("=")
                listed.setdefault(
                    ending, _Ending(ending, instead, int(language.data.get("stem_min", _SHORT)))
                )
    return tuple(sorted(listed.values(), key=lambda row: -len(row.ending))), tuple(kept)
