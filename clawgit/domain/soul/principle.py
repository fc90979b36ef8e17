"""How two principles stand to each other: do they say the same, or the opposite?"""

from collections.abc import Sequence
from functools import cache, lru_cache

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.extraction.quoting import read
from clawgit.domain.markdown.tags import visible
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.negation import negations
from clawgit.language.stems import content_words, stem
from clawgit.language.tokens import tokens
from clawgit.language.values import kind_of

_MATTERLESS = (
    "recurring",
    "henceforth",
    "first_person",
    "second_person",
    "auxiliaries",
    "lead_ins",
    "lead_outs",
)
"""Closed classes that do not say what an order is about."""

_SHARED = 2
"""Two complaints must share this many words to be about the same thing."""

_STRUCK = "~~"
"""Markdown for text that is struck out."""

_MARKER = lazily(r"^[\s>]*(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})[ \t]+")

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"

_WORD = lazily(
    rf"[{_CJK}]|(?:[^\W_{_CJK}]|[^\w\s\x00-\x2f:-@\[-`{{-~\u2000-\u206f\u3000-\u303f\uff00-\uff0f])+"
)


def says_the_same(old: str, new: str) -> bool:
    """Whether two lines differ in nothing but markers, emphasis, punctuation, case and comments."""
    return _STRUCK not in new and _words(old) == _words(new)


def _words(line: str) -> list[str]:
    found: list[str] = _WORD.findall(_MARKER.sub("", visible(line)).casefold())
    return found


def contradicts(correction: Correction, line: str) -> bool:
    """Whether a correction takes back what a line says. If in doubt, it does not.

    It does if its `Was` quotes the line. It also does if its `Correct` shares at least half of what
    the line is about (two words or more, unless there is only one) and negates what the line
    affirms, or the other way round. A new value (“answer in French”) contradicts only with a `Was`.
    """
    words = " ".join(_words(line))
    if words and f" {words} " in f" {' '.join(_words(correction.was))} ":
        return True
    about = matter(line)
    shared = len(about & matter(correction.correct))
    if not shared or shared < min(2, len(about)) or 2 * shared < len(about):
        return False
    return negates(correction.correct) != negates(line)


def same(first: str, second: str) -> bool:
    """Whether two orders ask for the same. In doubt they do not: better twice than lost."""
    mine, theirs = matter(first), matter(second)
    # Lines of small words alone are the same only word by word.
    if not mine or not theirs:
        return read(first).words.casefold() == read(second).words.casefold()
    is_as_strict = negates(first) == negates(second)
    return mine == theirs and is_as_strict and not _has_other_value(first, second)


def opposes(newer: str, older: str) -> bool:
    """Whether an order takes back another: one of them is negated, or one value is different.

    Two orders with different names may both hold.
    """
    mine, theirs = matter(newer), matter(older)
    if not mine or not theirs:
        return False
    if negates(newer) != negates(older):
        return mine == theirs
    return _has_other_value(newer, older)


def alike(first: str, second: str) -> bool:
    """Whether two complaints, or two pieces of praise, are about the same thing."""
    mine, theirs = matter(first), matter(second)
    shared = len(mine & theirs)
    return shared >= _SHARED and 2 * shared >= min(len(mine), len(theirs))


@lru_cache(maxsize=1 << 12)
def matter(line: str) -> frozenset[str]:
    """The words that say what a line is about."""
    words = read(line).words
    denials = {stem(span.text) for span in negations(words)}
    return content_words(words) - denials.union(*map(_matterless, lexicons_for(words)))


@cache
def _matterless(language: Lexicon) -> frozenset[str]:
    rows = [row.removesuffix(" …") for name in _MATTERLESS for row in language.rows(name)]
    return frozenset(stem(row) for row in rows if " " not in row)


def negates(line: str) -> bool:
    """Whether a line, or a heading, says what not to do; “never … without asking” affirms."""
    return len(negations(read(line).words)) % 2 == 1


def _has_other_value(first: str, second: str) -> bool:
    """Whether two lines differ in one value and in nothing else."""
    mine, theirs = _valued(first), _valued(second)
    if len(mine) != len(theirs):
        return False
    differing = [pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]]
    return [mine[0] == theirs[0] != "" for mine, theirs in differing] == [True]


def _valued(line: str) -> Sequence[tuple[str, str]]:
    """The words of a line in their order, each value with its kind."""
    words, about = read(line).words, matter(line)
    languages = lexicons_for(words)
    every = [(kind_of(token, languages), stem(token.text)) for token in tokens(words)]
    return [(kind, word) for kind, word in every if kind or word in about]
