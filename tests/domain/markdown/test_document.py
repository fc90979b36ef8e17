import pytest
from hypothesis import example, given

from clawgit.domain.markdown.document import Document, Fence, metadata, parse
from clawgit.domain.markdown.scan import lines_of, scan
from tests.domain.strategies import ANY_TEXT, markdown

SOUL = """\
---
name: Ada
---

# Soul

Who I am.

## Core Truths

- Be honest.

### Limits

Ask first.

## Vibe

Calm.
"""


def changed(document: Document, old: str, new: str) -> str:
    assert document.text.count(old) == 1
    return document.text.replace(old, new)


@given(ANY_TEXT)
@example("a\r\n\tb\r\n\r\n- 記憶 🦞\n  1. x\n\n```\nopen")
def test_any_text_is_read_and_kept(text: str) -> None:
    document = parse(text)
    lines = lines_of(text)
    assert text == document.text == "".join(lines)
    for section in document.sections:
        changed = document.with_body(section, "new words").text
        assert changed.startswith("".join(lines[: section.body - 1]))
        assert changed.endswith("".join(lines[section.end - 1 :]))
        assert "new words" in changed


@given(markdown())
def test_a_body_put_back_changes_nothing(text: str) -> None:
    document = parse(text)
    for section in document.sections:
        if document.body(section).strip():
            assert document.with_body(section, document.body(section)) == document


@given(markdown())
def test_sections_are_the_scanner_s_headings(text: str) -> None:
    headings = [
        (block.line, block.level, block.path) for block in scan(text) if block.kind == "heading"
    ]
    assert headings == [
        (section.line, section.level, section.path) for section in parse(text).sections
    ]


def test_sections_know_their_lines() -> None:
    found = [(s.path, s.line, s.body, s.own_end, s.end) for s in parse(SOUL).sections]
    assert found == [
        (("Soul",), 5, 6, 9, 20),
        (("Soul", "Core Truths"), 9, 10, 13, 17),
        (("Soul", "Core Truths", "Limits"), 13, 14, 17, 17),
        (("Soul", "Vibe"), 17, 18, 20, 20),
    ]


def test_a_section_is_found_by_the_end_of_its_path() -> None:
    document = parse(SOUL)
    limits = document.section("Core Truths", "Limits")
    assert limits
    assert limits == document.section("Limits")
    assert document.body(limits) == "\nAsk first.\n\n"
    assert document.section("Soul", "Limits") is None


def test_a_body_changes_and_nothing_else() -> None:
    document = parse(SOUL)
    vibe, limits = document.section("Vibe"), document.section("Limits")
    assert vibe
    assert limits
    assert document.with_body(vibe, "Loud.").text == changed(document, "Calm.", "Loud.")
    assert document.with_body(limits, "\nNever.\nEver.\n\n").text == changed(
        document, "Ask first.", "Never.\nEver."
    )
    assert document.with_body(limits, "").text == changed(document, "Ask first.\n\n", "")
    assert document.with_body(limits, document.body(limits)) == document


def test_a_block_is_appended_before_the_subsections() -> None:
    document = parse(SOUL)
    core, soul = document.section("Core Truths"), document.section("Soul")
    assert core
    assert soul
    assert document.with_appended(core, "Be kind.").text == changed(
        document, "honest.\n", "honest.\n\nBe kind.\n"
    )
    assert document.with_appended(soul, "Ada.").text == changed(
        document, "I am.\n", "I am.\n\nAda.\n"
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("# A", "# A\n\nx\n"),
        ("# A\n# B\n", "# A\n\nx\n\n# B\n"),
        ("# A\r\n\r\n# B\r\n", "# A\r\n\r\nx\r\n\r\n# B\r\n"),
    ],
)
def test_an_empty_section_takes_a_block(text: str, wanted: str) -> None:
    document = parse(text)
    assert document.with_appended(document.sections[0], "x").text == wanted
    assert document.with_body(document.sections[0], "x").text == wanted


def test_fences_name_the_first_line_of_their_content() -> None:
    text = "# T\n\n```yaml title\na: 1\n```\n\n- x\n  ~~~\n  b\n  ~~~\n\n```\nopen"
    assert parse(text).fences == (
        Fence("yaml title", 4, "a: 1\n"),
        Fence("", 9, "b\n"),
        Fence("", 13, "open"),
    )


def test_front_matter_is_read_when_asked() -> None:
    document = parse(SOUL)
    assert document.front == Fence("yaml", 2, "name: Ada\n")
    assert metadata(document) == {"name": "Ada"}


@pytest.mark.parametrize(
    "text",
    ["", "# T\n", "---\nfront: [\n---\n", "---\na: 2026-99-99\n---\n", "---\n'a': x: y\n---\n"],
)
def test_front_matter_that_cannot_be_read_is_empty(text: str) -> None:
    assert metadata(parse(text)) == {}


def test_a_rule_on_the_first_line_opens_no_front_matter() -> None:
    document = parse("---\n# Title\n- Note: keep\n---\n")
    assert document.front is None
    assert [section.title for section in document.sections] == ["Title"]


@pytest.mark.slow
def test_two_megabytes_are_read_to_their_end() -> None:
    text = (
        "# T\n\n"
        + "- A fact that was told at length and with care. #knowledge\r\n\tmore\n" * 32_000
    )
    assert len(text) > 2_000_000
    assert parse(text).text == text
