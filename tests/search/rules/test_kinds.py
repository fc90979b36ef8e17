"""Which kind of memory a question is after, and which items are of it."""

from typing import Any

import pytest

from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.item import Item
from clawgit.search.seldom import asked_for, of_kind
from tests.each import for_each
from tests.search.rules.rows import BARE


def row_of(**known: Any) -> Item:
    return BARE._replace(**{"path": "memory/2026-03-01.md", "text": "Ana likes tea", **known})


@pytest.mark.parametrize(
    ("question", "category"),
    [("which lessons did we learn about docker", "lessons"), ("open tasks of Bob", "tasks")],
)
def test_a_question_may_name_a_category(question: str, category: str) -> None:
    assert asked_for(question) == category


@for_each(
    "name, row",
    [
        ("tasks", row_of(path="memory/structured/tasks.md")),
        ("tasks", row_of(path="Archive/Facts/2026-March.md", meta=Meta("a", ("class=tasks",)))),
        ("lessons", row_of(path="TOOLS.md", headings=("Tools", "Lessons"))),
        ("events", row_of(text="We met #event")),
        ("entities", row_of(path="memory/entities/ana.md")),
        ("corrections", row_of(path="CORRECTIONS.md", source="corrections", text="Correct: tea")),
        ("garden", row_of(text="We rent a shed. #Garden")),
    ],
)
def test_what_is_of_a_category(name: str, row: Item) -> None:
    test = of_kind(name)
    assert (test(row), test(row_of())) == (True, False)
