"""What a question means to find, by rules, and which items are of it."""

from datetime import UTC, date, datetime
from typing import NamedTuple

import pytest

from clawgit.domain.markdown.comment import Meta
from clawgit.domain.search.query_intent import (
    CATEGORIES,
    QueryIntent,
    category_named,
    read_intent,
    wanted,
)
from clawgit.domain.search.question import Days
from tests.each import for_each

NOW = datetime(2026, 3, 20, 9, tzinfo=UTC)


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
    ("question", "told"),
    [
        ("what did Ana tell in March 2026", {"person": "Ana", "time": "2026-03-01 to 2026-03-31"}),
        ("which lessons did we learn about docker", {"category": "lessons"}),
        ("open tasks of Bob", {"category": "tasks", "person": "Bob"}),
        ("What was decided about billing", {"category": "decision"}),
        ("tea", {}),
    ],
)
def test_a_question_is_read(question: str, told: dict[str, str]) -> None:
    assert read_intent(question, NOW).told == told


def test_the_strictest_comes_first_and_a_demand_stays() -> None:
    march = Days(date(2026, 3, 1), date(2026, 3, 31))
    tests = wanted(QueryIntent("lessons", "Ana", march))
    lesson = Row(path="memory/lessons.md", text="Ana says no", meta=Meta("a", ("last=2026-03-02",)))
    assert [test(lesson) for test in tests] == [True, True, True]
    assert [test(lesson._replace(text="Bob")) for test in tests] == [False, True, True]
    assert [test(lesson._replace(text="Bob", meta=None)) for test in tests] == [False, False, True]
    assert [test(Row()) for test in wanted(QueryIntent(person="Ana"), "lessons")] == [False, False]
    assert wanted(QueryIntent()) == ()


@for_each(
    "name, row",
    [
        ("tasks", Row(path="memory/structured/tasks.md")),
        ("tasks", Row(path="Archive/Facts/2026-March.md", meta=Meta("a", ("class=tasks",)))),
        ("lessons", Row(path="TOOLS.md", headings=("Tools", "Lessons"))),
        ("events", Row(text="We met #event")),
        ("corrections", Row(path="CORRECTIONS.md", source="corrections", text="Correct: tea")),
    ],
)
def test_what_is_of_a_category(name: str, row: Row) -> None:
    [test] = wanted(QueryIntent(), name)
    assert (test(row), test(Row())) == (True, False)


def test_a_category_is_known_in_one_or_many() -> None:
    assert [category_named(name) for name in ("Lesson", "entity", "#decision", "nope", "")] == [
        "lessons", "entities", "decision", "", "",
    ]  # fmt: skip
    assert all(category_named(name) == name for name in CATEGORIES)
