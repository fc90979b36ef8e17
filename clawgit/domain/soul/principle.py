"""What a principle is about, and whether another line says the same or takes it back."""

from functools import lru_cache

from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.extraction.quoting import read
from clawgit.domain.markdown.tags import visible
from clawgit.language.clauses import negations
from clawgit.language.lazily import lazily
from clawgit.language.stems import content_words

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


@lru_cache(maxsize=1 << 12)
def matter(line: str) -> frozenset[str]:
    """The words that say what a line is about."""
    words = read(line).words
    for denial in reversed(negations(words)):
        words = f"{words[: denial.start]} {words[denial.end :]}"
    return content_words(words, *_MATTERLESS)


def negates(line: str) -> bool:
    """Whether a line, or a heading, says what not to do; “never … without asking” affirms."""
    return len(negations(read(line).words)) % 2 == 1
