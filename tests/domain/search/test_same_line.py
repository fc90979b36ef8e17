"""A line stands for another only if nothing of that is lost."""

from typing import NamedTuple

from clawgit.domain.markdown.comment import Meta
from clawgit.domain.search.same_line import is_about, says_all, stands_alone
from tests.each import for_each

FIELD = "MOQ: 30,000 gummies"
DAY = "memory/2026-02-04.md"


class Row(NamedTuple):
    headings: tuple[str, ...]
    path: str = "reports/final.md"
    text: str = FIELD
    source: str = "memory"
    id: int = 0
    key: str = ""
    meta: Meta | None = None
    led: tuple[str, ...] = ()


@for_each(
    "hidden, shown",
    [
        (Row(("Suppliers", "United Labs")), Row(("Suppliers", "United Labs"), "notes.md")),
        (Row(("Daily Notes - February 4, 2026", "2. United Labs"), DAY), Row(("United Labs ✅",))),
        (Row(("2026-02-04",), DAY), Row(("Suppliers", "United Labs"))),
        (Row(("United Labs",)), Row((), text="MOQ at United Labs: 30,000 gummies")),
    ],
)
def test_a_field_stands_for_one_that_no_further_heading_names(hidden: Row, shown: Row) -> None:
    assert is_about(hidden, shown)


@for_each(
    "hidden, shown",
    [
        (Row(("Suppliers", "United Labs")), Row(("Suppliers", "IAM Healthcare"))),
        (Row(("Suppliers", "United Labs")), Row(("Suppliers",))),
        (Row(("Suppliers",), led=("United Labs",)), Row(("Suppliers",), led=("IAM Healthcare",))),
        (Row(("United Labs",), DAY), Row(("IAM Healthcare",), DAY)),
    ],
)
def test_a_field_stands_for_none_of_another_thing(hidden: Row, shown: Row) -> None:
    assert not is_about(hidden, shown)


@for_each(
    "text",
    [
        "We ship the Harbor dashboard on 3 March.",
        "user: We ship the Harbor dashboard on 3 March.",
        "Olga: “We ship the Harbor dashboard on 3 March.” #decision",
    ],
)
def test_a_whole_sentence_says_by_itself_what_it_is_about(text: str) -> None:
    assert stands_alone(text)
    assert is_about(Row(("Harbor",), text=text), Row(("Talk",), text=text))


@for_each(
    "text",
    [
        FIELD,
        "Legitimacy verification in progress",
        "Price for a single gummy in rupees | 5.55 | 6.10",
        "user: Yes.",
    ],
)
def test_a_field_a_row_or_a_fragment_does_not(text: str) -> None:
    assert not stands_alone(text)


@for_each(
    "shown, hidden",
    [
        ("Backups run every night at two.", "backups run every night"),
        ("Backups run every night at two.", "user: Backups run every night at two. Right?"),
        ("Olga: “Backups run every night.” #fact", "Backups run every night. #knowledge"),
    ],
)
def test_a_part_of_a_text_is_said_by_it(shown: str, hidden: str) -> None:
    assert says_all(shown, hidden)


@for_each(
    "shown, hidden",
    [
        ("**Model:** glm-4.7:cloud (for research)", "Model switched to `glm-4.7:cloud` at 4:03 PM"),
        ("Backups run every night at two.", "Backups run every night at two. They take an hour."),
        ("Backups run every night.", "Backups run every night. At 4711?"),
        ("Backups run every night.", "Backups run."),
    ],
)
def test_what_says_more_is_not_said_by_it(shown: str, hidden: str) -> None:
    assert not says_all(shown, hidden)
