"""Which kind of memory a question is after, and which items are of it."""

from typing import NamedTuple

import pytest

from clawgit.domain.markdown.comment import Meta
from clawgit.domain.search.kinds import CATEGORIES, asked_for, category_named, of_kind
from tests.each import for_each


class Row(NamedTuple):
    id: int = 0
    path: str = "memory/2026-03-01.md"
    text: str = "Ana likes tea"
    headings: tuple[str, ...] = ()
    source: str = "memory"
    key: str = ""
    meta: Meta | None = None
    led: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("question", "category"),
    [
        ("which lessons did we learn about docker", "lessons"),
        ("open tasks of Bob", "tasks"),
        ("What was decided about billing", "decision"),
        ("tea", ""),
    ],
)
def test_a_question_may_name_a_category(question: str, category: str) -> None:
    assert asked_for(question) == category


@for_each(
    "name, row",
    [
        ("tasks", Row(path="memory/structured/tasks.md")),
        ("tasks", Row(path="Archive/Facts/2026-March.md", meta=Meta("a", ("class=tasks",)))),
        ("lessons", Row(path="TOOLS.md", headings=("Tools", "Lessons"))),
        ("events", Row(text="We met #event")),
        ("entities", Row(path="memory/entities/ana.md")),
        ("corrections", Row(path="CORRECTIONS.md", source="corrections", text="Correct: tea")),
        ("garden", Row(text="We rent a shed. #Garden")),
    ],
)
def test_what_is_of_a_category(name: str, row: Row) -> None:
    test = of_kind(name)
    assert (test(row), test(Row())) == (True, False)


def test_a_category_is_known_in_one_or_many() -> None:
    assert [category_named(name) for name in ("Lesson", "entity", "#decision", "nope", "")] == [
        "lessons", "entities", "decision", "", "",
    ]  # fmt: skip
    assert all(category_named(name) == name for name in CATEGORIES)
