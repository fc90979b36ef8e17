"""Whether one line says all that another does, so that nothing is lost where only one is shown."""

from functools import lru_cache

from clawgit.domain.facts.likeness import says_enough
from clawgit.domain.markdown.label import label_of
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.search.question_words import STOP
from clawgit.domain.search.ranking_marks import ROLES, speaker
from clawgit.domain.search.ranking_standing import Placed
from clawgit.domain.search.terms import in_order, words
from clawgit.domain.workspace.tiers import NOTEBOOKS, dated
from clawgit.language.lazily import lazily
from clawgit.language.sentences import sentences

LONGEST = 2_000
"""At most this many characters of a text are compared."""

LEAST_WORDS = 4
"""Shorter texts are parts of too many others."""

_LEAST_ALONE = 6
"""Texts with fewer words speak of what stands above them: “Legitimacy verification in progress”."""

SAID = lazily(r"\A[^\n“”]{0,60}: “([^“”]+)”")
_CELLS = " | "
_ENDS = "?？ "
SESSIONS = "sessions"
"""The source of turns that were never in a file: what is above them is a session and a time."""


def is_about(hidden: Placed, shown: Placed) -> bool:
    """Whether a line may stand for another one with its words: it is about the same.

    “MOQ: 30,000” under one supplier is not that under another. A whole sentence says the same
    wherever it stands.
    """
    if hidden.source == SESSIONS or stands_alone(hidden.text):
        return True
    missing = matter(hidden) - matter(shown)
    return not missing or missing.issubset(words(shown.text))


def matter(row: Placed) -> frozenset[str]:
    """The telling words of what stands above a line, without figures. The title of a notebook, or
    of a note of a day, names that file and nothing else.
    """
    is_diary = dated(row.path) is not None or row.path.rpartition("/")[2] in NOTEBOOKS
    headings = _untitled(row.headings) if is_diary else row.headings
    return _telling((*headings, *row.led))


def _untitled(headings: tuple[str, ...]) -> tuple[str, ...]:
    # A note without a title begins with the heading of a matter.
    is_title = len(headings) > 1 or any(any(map(str.isdigit, title)) for title in headings)
    return headings[1:] if is_title else headings


@lru_cache(maxsize=4096)
def _telling(headings: tuple[str, ...]) -> frozenset[str]:
    every = (word for title in headings for word in words(title))
    return frozenset(word for word in every if word not in STOP and not word.isdigit())


def stands_alone(text: str) -> bool:
    """Whether a text says by itself what it is about: it is no field of something, no row of a
    table, and no mere fragment.
    """
    said = _without_speaker(text[:LONGEST])
    if _CELLS in said or label_of(said):
        return False
    return len(in_order(said)) >= _LEAST_ALONE


def says_all(shown: str, hidden: str) -> bool:
    """Whether a text has all words of another one in their order: nothing is lost without that."""
    stated = _stated(hidden)
    return stated.count(" ") > LEAST_WORDS and any(stated in said for said in _sayings(shown))


@lru_cache(maxsize=256)
def _sayings(text: str) -> tuple[str, ...]:
    """The words of a text with and without who is quoted in it."""
    text = text[:LONGEST]
    quoted = SAID.match(text)
    return (_spaced(text), _spaced(quoted[1])) if quoted else (_spaced(text),)


@lru_cache(maxsize=256)
def _stated(text: str) -> str:
    """The words of what a text states, without its speaker's role and a question like “Right?”."""
    said = plain(_without_speaker(text[:LONGEST]))
    if "?" not in said and "？" not in said:
        return _spaced(said)
    stating = (one.text for one in sentences(said) if not _merely_asks(one.text))
    return _spaced(" ".join(stating))


def _merely_asks(sentence: str) -> bool:
    if not sentence.rstrip().endswith(("?", "？")):
        return False
    asked = sentence.rstrip(_ENDS)
    return not (says_enough(asked) or any(map(str.isdigit, asked)))


def _without_speaker(text: str) -> str:
    """A text without the role of who says it, or without the name of who is quoted."""
    if quoted := SAID.match(text):
        return quoted[1]
    name = speaker(text)
    if name.casefold() not in ROLES:
        return text
    return text[text.index(name) + len(name) :].lstrip("*: \t")


def _spaced(text: str) -> str:
    return f" {' '.join(in_order(plain(text)))} "


def plain(text: str) -> str:
    """A text without its categories, with single blanks. A colour or a number behind a `#` stays:
    it may be all that a line says.
    """
    return untagged(text) if "#" in text else " ".join(text.split())
