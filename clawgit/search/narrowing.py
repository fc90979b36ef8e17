"""What few searches need, loaded with the first that does: kinds of memory, past states, and the
rules that a question for permission is about.

A search is narrowed to the kind that is demanded, or that the question is after.
"""

import re
from collections.abc import Mapping

from clawgit.core.errors import UsageError
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.tag_table import TAGS, tags_in
from clawgit.core.tiers import layer_of
from clawgit.history.log import state
from clawgit.memory.rules.organizing import ARCHIVE, CLASS_ROWS, LESSONS, STRUCTURED, page_of
from clawgit.safety.own_rules import Rules
from clawgit.search.answer import Request
from clawgit.search.answering import Found, Memory, Test, answer
from clawgit.search.index.index import Index
from clawgit.search.index.live import of_commit
from clawgit.search.rules.hit_line import FRONT
from clawgit.search.rules.question import Asked
from clawgit.search.rules.standing import is_correction
from clawgit.search.session_search import search_sessions
from clawgit.talk.rules.pairs import statements
from clawgit.workspace.reach import reach_of
from clawgit.workspace.workspace import Workspace

__all__ = ["Rules", "narrowed", "past", "search_sessions", "statements"]

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


def past(workspace: Workspace, at: str, sources: frozenset[str]) -> tuple[Index, str]:
    """The index of a past state, and how this differs from the one that was asked for."""
    commit, note = state(workspace, at)
    return of_commit(workspace.cgit, commit, reach_of(workspace), sources), note


def narrowed(
    request: Request, asking: Asked, memory: Memory
) -> tuple[list[Found], Mapping[str, str] | None]:
    """What answers a question, narrowed to a category, or to a tag that notes give themselves;
    without either, to the kind that its words are after, and what of that was read into it. A kind
    that nobody demanded is given up if nothing likely is of it.
    """
    kind, demanded = asked_for(request.query), tag_named(request.category)
    intent = {"category": kind} if kind else {}
    if request.category and not demanded:
        raise UsageError(
            f"{request.category!r} is no tag.",
            hint="Name a class, a layer of memory, or a tag of a note.",
        )
    if demanded or kind:
        test = _of_notes(of_kind(demanded or kind), memory.lines)
        some = answer(asking, memory._replace(only=test))
        if demanded or any(one.fits >= memory.rules.min_score for one in some):
            return some, None if demanded else intent
    return answer(asking, memory), intent


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
