"""The stem of a word, by the endings that the languages list. It need not be a word; it only has to
meet its like.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from clawgit.language.files import codes
from clawgit.language.lexicon import lexicon, lexicons_for
from clawgit.language.tokens import Token, fold, is_cjk, is_hangul, tokens

_ROUNDS = 3
_SHORT = 3


class _Ending(NamedTuple):
    ending: str
    instead: str
    least: int


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without its endings, so that `builds`, `building` and `built-in` forms of the same
    kind meet.
    """
    folded = fold(word)
    if not folded.replace("'", "").isalpha() or is_cjk(folded):
        return folded
    endings, kept = _endings("hangul" if is_hangul(folded) else "latin")
    for _ in range(_ROUNDS):
        shorter = _shorter(folded, endings, kept)
        if shorter == folded:
            break
        folded = shorter
    return folded


def content_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning; pairs of characters where nothing parts words."""
    classes = ("function_words", "pronouns", "auxiliaries")
    empty = frozenset().union(
        *(language.words(name) for language in lexicons_for(text) for name in classes)
    )
    among = tokens(text)
    words = {
        stem(token.text) for token in among if token.folded not in empty and not is_cjk(token.text)
    }
    return frozenset(words | {pair for pair in _pairs(among) if not set(pair) & empty})


def _pairs(among: tuple[Token, ...]) -> Iterator[str]:
    for index, token in enumerate(among):
        if not is_cjk(token.text):
            continue
        after = among[index + 1] if index + 1 < len(among) else None
        before = among[index - 1] if index else None
        if after and after.start == token.end and is_cjk(after.text):
            yield token.folded + after.folded
        elif not (before and before.end == token.start and is_cjk(before.text)):
            yield token.folded


def _shorter(word: str, endings: tuple[_Ending, ...], kept: tuple[str, ...]) -> str:
    if len(word) <= _SHORT and not is_hangul(word):
        return word
    for ending, instead, least in endings:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            if kept and len(ending) == 1 and word.endswith(kept):
                continue
            return _single(word[: -len(ending)], bool(instead)) + instead
    return word


def _single(word: str, is_replaced: bool) -> str:
    """`stopp` is `stop`; a word that ends in `ll`, `ss` or `zz` by itself stays."""
    doubled = (
        len(word) > _SHORT and word[-1] == word[-2] and word[-1] not in "lsz" and word.isascii()
    )
    return word[:-1] if doubled and not is_replaced else word


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
    return tuple(sorted(listed.values(), key=lambda one: -len(one.ending))), tuple(kept)
