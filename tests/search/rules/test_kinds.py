"""Which kind of memory a question is after, and which items are of it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import content_key
from clawgit.core.markdown.item import Item
from clawgit.search.narrowing import asked_for, of_kind
from clawgit.search.rules.fold import keepers
from tests.each import for_each
from tests.search.rules.rows import BARE


def row_of(**known: Any) -> Item:
    return BARE._replace(**{"path": "memory/2026-03-01.md", "text": "Ana likes tea", **known})


def test_a_question_may_name_a_category() -> None:
    assert asked_for("which lessons did we learn about docker") == "lessons"
    assert asked_for("open tasks of Bob") == "tasks"


@for_each(
    "name, row",
    [
        ("tasks", row_of(path="memory/structured/tasks.md")),
        ("tasks", row_of(path="Archive/Facts/2026-March.md", meta=Meta("a", ("class=tasks",)))),
        ("lessons", row_of(path="TOOLS.md", headings=("Tools", "Lessons"))),
        ("events", row_of(text="We met #event")),
        ("entities", row_of(path="memory/entities/ana.md")),
        ("corrections", row_of(path="CORRECTIONS.md", source="corrections", text="tea")),
        ("garden", row_of(text="We rent a shed. #Garden")),
    ],
)
def test_what_is_of_a_category(name: str, row: Item) -> None:
    test = of_kind(name)
    assert (test(row), test(row_of())) == (True, False)


# What is said twice is one hit, and what was kept comes before what was only written down.


DAY, NOTEBOOK = "memory/2026-02-14.md", "MEMORY.md"
SAME, KEPT = ((DAY, DAY), (NOTEBOOK, NOTEBOOK)), ((DAY, NOTEBOOK),)


def line_of(path: str, text: str) -> Item:
    return BARE._replace(path=path, text=text)


@for_each(
    "one, other, places",
    [
        ("Ana: “The barn is nicer than the mill.”", "Bo: “The barn is nicer than the mill.”", SAME),
        (
            "The backup of hermes runs nightly (at 2)",
            "The backup of hermes runs nightly (at 4)",
            SAME,
        ),
        (
            "Invoices go out on the 1st of May #north",
            "Invoices go out on the 1st of May #south",
            SAME,
        ),
        ("user: We did not decide to ship on 3 March.", "We decided to ship on 3 March.", KEPT),
        ("user: We decided to ship on 4 March.", "We decided to ship on 3 March.", KEPT),
    ],
)
def test_two_lines_that_differ_in_who_what_or_when_are_two(
    one: str, other: str, places: tuple[tuple[str, str], ...]
) -> None:
    for first, second in places:
        assert keepers([line_of(first, one), line_of(second, other)]) == [0, 1]


def test_what_the_operator_says_of_an_entry_is_not_what_the_note_says_that_it_was_made_of() -> None:
    said = "The pepper training review is on"
    note = line_of(DAY, f"Note to self: {said} Wednesdays.")
    facts = ("status=disputed", "class=general", f"of={content_key(note.text)}")
    made_of = Meta("spe7mx", facts)
    entry = line_of(NOTEBOOK, note.text)._replace(meta=made_of)
    quote = line_of(NOTEBOOK, f"Operator: “No, {said} Tuesdays.” #correction")
    kept = keepers([note, entry, quote._replace(meta=made_of)])
    assert kept[0] == kept[1] != kept[2]


@given(
    st.lists(
        st.builds(
            BARE._replace,
            path=st.sampled_from([DAY, NOTEBOOK, "Archive/2026/a.md"]),
            text=st.sampled_from(["user: a b c d e f", "a b c d e f", "a b c d e", "MOQ: 3", ""]),
            headings=st.sampled_from([(), ("One",), ("Two",)]),
            source=st.sampled_from(["memory", "archive"]),
        ),
        max_size=12,
    )
)
def test_whatever_stands_for_others_stands_for_itself(rows: list[Item]) -> None:
    keeper = keepers(rows)
    assert len(keeper) == len(rows)
    assert all(keeper[kept] == kept for kept in keeper)
