"""Files as passages: what is shown of them, below which headings, and what no longer holds."""

from datetime import date

from hypothesis import given

from clawgit.talk.rules.passage import ContextPassage, passages
from tests.each import for_each
from tests.strategies import ANY_TEXT

TODAY = date(2026, 2, 14)


def read(text: str, path: str = "MEMORY.md") -> tuple[ContextPassage, ...]:
    return passages(path, text, TODAY)


def test_comments_are_not_shown_but_in_code_they_are() -> None:
    text = (
        "- Ana. <!-- claw:m2ab34 conf=0.9 -->\n\n<!-- importance: 7 -->\n\n```md\n<!-- shown "
        "-->\n```\n"
    )
    shown = [one.text for one in read(text, "MEMORY.md")]
    assert shown == ["- Ana.", "```md\n<!-- shown -->\n```"]


@for_each(
    "facts, stale",
    [
        ("status=superseded by=m9xy88", "superseded by m9xy88"),
        ("expires=2026-02-13", "expired 2026-02-13"),
        ("expires=2026-02-14", ""),
    ],
)
def test_what_was_replaced_or_has_expired_is_stale(facts: str, stale: str) -> None:
    assert [one.stale for one in read(f"- Old. <!-- claw:m2ab34 {facts} -->\n")] == [stale]


def test_a_directive_that_openclaw_marked_superseded_is_stale_and_the_next_is_not() -> None:
    text = (
        "<!-- observed: 2026-01-01 | status: superseded -->\n- Prefer tea.\n"
        "<!-- observed: 2026-02-01 | status: active -->\n- Prefer coffee.\n- Be brief.\n"
    )
    assert [(one.text, one.stale) for one in read(text, "USER.md")] == [
        ("- Prefer tea.", "superseded"), ("- Prefer coffee.", ""), ("- Be brief.", "")
    ]  # fmt: skip


@given(ANY_TEXT)
def test_any_text_can_be_read_and_each_passage_is_in_it(text: str) -> None:
    lines = text.count("\n") + 1
    for one in read(text):
        assert 1 <= one.line <= one.end_line <= lines
        assert one.text.strip()
