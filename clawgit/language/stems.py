"""The telling words of a text, as Snowball stems them."""

from functools import cache, lru_cache
from typing import Any

from clawgit.doors import Stemmer
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import lexicons_for
from clawgit.language.tokens import CJK, HANGUL, has_signs, is_hangul, tokens

_RUN = lazily(rf"[{CJK}]+|[{HANGUL}]+")
_EMPTY = ("function_words", "persons", "pronouns", "auxiliaries")


def content_words(text: str, *besides: str) -> frozenset[str]:
    """The stems of the telling words; of Chinese, Japanese and Korean each two characters that
    stand together. `besides` are more classes of words that do not count.
    """
    languages = lexicons_for(text)
    classes = (*_EMPTY, *besides)
    empty = frozenset().union(*(each.words(name) for each in languages for name in classes))
    told = {token.folded for token in tokens(text)} - empty
    spaced = {word for word in told if not has_signs(word, CJK + HANGUL)}
    name = str(languages[0].data.get("name", "")).lower()
    pairs = _pairs(text, empty) if spaced != told else ()
    return frozenset((*(_stem(word, name) for word in spaced), *pairs))


def _pairs(text: str, empty: frozenset[str]) -> set[str]:
    runs = _RUN.findall(text)
    pairs = {run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))}
    return {pair for pair in pairs if is_hangul(pair) or not empty.intersection(pair)} - empty


@lru_cache(maxsize=1 << 14)
def _stem(word: str, language: str) -> str:
    """`équipe` of “l'équipe”, and `ana` of “Ana's”."""
    head, _, rest = word.partition("'")
    whole = rest if len(rest) > len(head) else head
    stemmer = _stemmer(language)
    return str(stemmer.stemWord(whole)) if stemmer else whole


@cache
def _stemmer(language: str) -> Any:
    return Stemmer.Stemmer(language) if language in Stemmer.algorithms() else None
