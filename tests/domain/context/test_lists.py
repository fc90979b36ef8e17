"""A list and the line that leads to it are shown together."""

from datetime import date

from clawgit.domain.context.passage import passages, whole_lists

_TEXT = (
    "# Plan\n\nActions:\n\n- paste a text\n- name a role\n- go on\n\nReason:\n\n## Later\n\n"
    "- sell it\n\nNo list follows.\n"
)
_READ = passages("plan.md", _TEXT, date(2026, 2, 14))


def test_an_item_brings_its_list_and_the_line_above() -> None:
    assert [passage.text for passage in _READ[:4]] == [
        "Actions:", "- paste a text", "- name a role", "- go on"
    ]  # fmt: skip
    assert whole_lists(_READ, [2]) == {0, 1, 2, 3}


def test_the_line_above_brings_its_list() -> None:
    assert whole_lists(_READ, [0]) == {0, 1, 2, 3}


def test_a_list_of_another_section_is_not_led_to() -> None:
    assert whole_lists(_READ, [4, 5, 6]) == {4}


def test_of_a_long_list_its_beginning_is_brought() -> None:
    long = "Actions:\n\n" + "".join(f"- step {at} {'on ' * 100}\n" for at in range(9))
    assert whole_lists(passages("plan.md", long, date(2026, 2, 14)), [0]) == {0, 1, 2, 3}
