"""The kinds of memory that a search can be narrowed to, and which of them a question is after."""

import re
from collections.abc import Callable, Mapping

from clawgit.domain.markdown.tag_table import PRIMARY, TAGS
from clawgit.domain.markdown.tags import tags_in
from clawgit.domain.search.row import ItemRow
from clawgit.domain.search.standing import is_correction
from clawgit.domain.upkeep.organizing import (
    ARCHIVE,
    CLASS_ROWS,
    CLASSES,
    LESSONS,
    STRUCTURED,
    page_of,
)
from clawgit.domain.workspace.tiers import INDEXED, layer_of

CATEGORIES = (
    *CLASSES,
    "facts",
    "lessons",
    *INDEXED,
    "corrections",
    *(tag.name for tag in TAGS if tag.is_category and tag.is_searchable),
)
"""The values of `--tag` besides a note's own tags: classes of facts, layers of memory,
corrections, and the tags of entries.
"""

Test = Callable[[ItemRow], bool]

_QUESTIONS = {
    "lessons": r"\b(?:lessons?|mistakes?|learn(?:ed|t)?|pitfalls?|went wrong)\b|教训|교훈",
    **{row.name: row.question for row in (*CLASS_ROWS, *TAGS) if row.question},
    "corrections": r"\b(?:corrections?|corrected|set right)\b|纠正",
}


def asked_for(question: str) -> str:
    """The category that a question names; "" if it names none."""
    for name, words in _QUESTIONS.items():
        if re.search(words, question, re.IGNORECASE):
            return name
    return ""


def category_named(name: str) -> str:
    """The category that a word means, in singular or plural; "" if there is none."""
    plain = tag_named(name)
    if plain in CATEGORIES:
        return plain
    forms = {f"{plain}s", plain.removesuffix("s"), f"{plain.removesuffix('y')}ies"}
    return next((category for category in CATEGORIES if category in forms), "")


def tag_named(name: str) -> str:
    """A tag as it is compared: without its `#`; front matter has `-` where a tag has blanks."""
    return "-".join(name.strip().lstrip("#").casefold().split())


def is_tagged(text: str, tag: str) -> bool:
    """Whether a text has a tag, given as `tag_named` does."""
    plain, written = text.casefold(), f"#{tag}"
    # A tag of front matter may begin with a digit or have signs, which other text does not show.
    return written in plain and (tag in tags_in(plain) or written in plain.split())


def of_kind(name: str) -> Test:
    """What is of the category that a name means, or has the name itself as a tag."""
    tag, test = tag_named(name), _of_category(category_named(name))
    return lambda row: test(row) or is_tagged(row.text, tag)


def _of_category(name: str) -> Test:
    tag = name.removesuffix("s")
    if name in CLASSES:
        return lambda row: row.path == page_of(name) or bool(row.meta and row.meta.class_ == name)
    if tag in PRIMARY:
        return lambda row: layer_of(row.path) == name or is_tagged(row.text, tag)
    return _TESTS.get(name, lambda row: bool(name) and layer_of(row.path) == name)


_TESTS: Mapping[str, Test] = {
    "facts": lambda row: row.path.startswith((STRUCTURED, ARCHIVE)),
    "lessons": lambda row: row.path == LESSONS or row.headings[-1:] == ("Lessons",),
    "corrections": is_correction,
}
