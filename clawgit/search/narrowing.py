"""What few searches need, loaded with the first that does: kinds of memory, past states, and the
rules that a question for permission is about.

A search is narrowed to the kind that is demanded, or that the question is after.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from clawgit.core.errors import UsageError
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.tag_table import TAGS, tags_in
from clawgit.core.tiers import layer_of
from clawgit.history.log import state
from clawgit.memory.rules.organizing import ARCHIVE, CLASS_ROWS, LESSONS, STRUCTURED, page_of
from clawgit.safety.own_rules import Rules
from clawgit.search.answering import Found, Test
from clawgit.search.index.index import Index
from clawgit.search.index.live import of_commit
from clawgit.search.rules.hit_line import FRONT
from clawgit.search.rules.standing import is_correction
from clawgit.search.session_search import search_sessions
from clawgit.talk.rules.pairs import statements
from clawgit.workspace.reach import reach_of
from clawgit.workspace.workspace import Workspace

__all__ = [
    "Rules", "narrowed", "past", "read_narrowing", "search_sessions", "statements",
]  # fmt: skip

_QUESTIONS = {
    "lessons": r"\b(?:lessons?|mistakes?|learn(?:ed|t)?|pitfalls?|went wrong)\b|教训|교훈",
    **{row.name: row.question for row in (*CLASS_ROWS, *TAGS) if row.question},
    "corrections": r"\b(?:corrections?|corrected|set right)\b|纠正",
}

_TESTS: Mapping[str, Test] = {
    "facts": lambda row: row.path.startswith((STRUCTURED, ARCHIVE)),
    "lessons": lambda row: row.path == LESSONS or row.headings[-1:] == ("Lessons",),
    "corrections": is_correction,
}


class Narrowing(NamedTuple):
    """The kind that a search is narrowed to, "" for none. What is `demanded` is never given up;
    what was derived from the question is given up if nothing likely is of the kind.
    """

    kind: str
    demanded: bool

    @property
    def intent(self) -> Mapping[str, str] | None:
        """What was read into the question."""
        if self.demanded:
            return None
        return {"category": self.kind} if self.kind else {}


def past(workspace: Workspace, at: str, sources: frozenset[str]) -> tuple[Index, str]:
    """The index of a past state, and how this differs from the one that was asked for."""
    commit, note = state(workspace, at)
    return of_commit(workspace.cgit, commit, reach_of(workspace), sources), note


def read_narrowing(query: str, category: str) -> Narrowing:
    """How a search is narrowed: to a category, or to a tag that notes give themselves; without
    either, by the words of the question.
    """
    if not category:
        return Narrowing(asked_for(query), demanded=False)
    if demanded := tag_named(category):
        return Narrowing(demanded, demanded=True)
    raise UsageError(
        f"{category!r} is no tag.", hint="Name a class, a layer of memory, or a tag of a note."
    )


def narrowed(
    found: Callable[[Test | None], list[Found]], narrowing: Narrowing, index: Index, least: float
) -> list[Found]:
    """What is of the kind. If nothing likely is, and nobody demanded it, all that is found."""
    if narrowing.kind:
        some = found(_of_notes(of_kind(narrowing.kind), index))
        if narrowing.demanded or any(one.fits >= least for one in some):
            return some
    return found(None)


def _of_notes(test: Test, index: Index) -> Test:
    """A test of lines that a note may pass for all of its own: front matter gives the tags of
    each.
    """

    def is_meant(row: Item) -> bool:
        if test(row):
            return True
        front = [first for first in index.rows([row.first]) if first.kind == FRONT]
        return any(test(row._replace(text=f"{row.text} {first.text}")) for first in front)

    return is_meant


def asked_for(question: str) -> str:
    """The category that a question names; "" if it names none."""
    named = (
        name for name, words in _QUESTIONS.items() if re.search(words, question, re.IGNORECASE)
    )
    return next(named, "")


def tag_named(name: str) -> str:
    """A tag as it is compared: without its `#`; front matter has `-` where a tag has blanks."""
    return "-".join(name.strip().lstrip("#").casefold().split())


def is_tagged(text: str, tag: str) -> bool:
    """Whether a text has a tag, given as `tag_named` does."""
    plain, written = text.casefold(), f"#{tag}"
    # A tag of front matter may begin with a digit or have signs, which other text does not show.
    return written in plain and (tag in tags_in(plain) or written in plain.split())


def of_kind(name: str) -> Test:
    """What is of the kind that a word means, in singular or plural: of that class, in that layer of
    memory, or tagged so.
    """
    tag = tag_named(name)
    forms = {tag, f"{tag}s", tag.removesuffix("s"), f"{tag.removesuffix('y')}ies"} - {""}
    pages = [*map(page_of, forms)]
    tests = [test for kind, test in _TESTS.items() if kind in forms]

    def is_meant(row: Item) -> bool:
        return (
            row.path in pages
            or layer_of(row.path) in forms
            or (row.meta is not None and row.meta.class_ in forms)
            or any(test(row) for test in tests)
            or any(is_tagged(row.text, form) for form in forms)
        )

    return is_meant
