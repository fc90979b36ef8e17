"""What markdown-it reads, and that the line scanner reads the same."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from clawgit.core.markdown.scan import Block, scan
from tests.core.markdown.by_markdown_it import blocks
from tests.core.markdown.test_scan import OUTDENTED
from tests.long_form import LONG_FORM
from tests.strategies import ANY_TEXT, markdown, nested_lists

PIECES = st.sampled_from([
    "<div>\n", "</div>\n", "<details>\n<summary>More</summary>\n\n- inside\n\n</details>\n",
    "<!--\n", "-->\n", "<!-- note -->\n", "<pre>\n\n- kept\n\n</pre>\n", "<b>\n",
    "> quote\n> > - deeper\nlazy\n", "> ```\n> - code\n", "> ## Title\n", ">\n",
    "- item\n\n  ```\n  - code\n  ```\n\n  more\n", "- ```\n  open\n", "1. one\n   - two\n\n     three\n",
    "Title\n===\n", "Title\n---\n", "two\nlines\n---\n", "- item\n===\n",
    "| a | b |\n| --- | --- |\n| - c | d |\n- item\n", "a | b\n--- | ---\n1 | 2\n",
    "    - code\n", "text\n    lazy\n", "- item\n\n      code\n", "\t- tab\n",
    "## Billing\n", "# C#\n", "#hash\n", "- plain\n", "* star\n", "+ plus\n", "7) seven\n", "-\n",
    "prose\n", "***\n", "- - -\n", "~~~ yaml\na: 1\n~~~\n", "```\nopen\n", "\n", "\n", "\n\n",
    "[name]: /url\n", "&nbsp;\n", "\\- no item\n", "\u2028\n", "- a\rb\n",
])  # fmt: skip
NASTY = st.builds(
    lambda pieces, newline, end: "".join(pieces).replace("\n", newline).removesuffix(end),
    st.lists(PIECES, max_size=14),
    st.sampled_from(["\n", "\n", "\r\n"]),
    st.sampled_from(["", "\n"]),
)


@pytest.mark.parametrize("size", [100_000, pytest.param(2_000_000, marks=LONG_FORM)])
def test_a_long_text_is_read_whole(size: int) -> None:
    part = "## Billing\n\n- a fact\n  - more of it\n\nprose\nof two lines\n\n```\ncode\n```\n\n"
    text = part * (size // len(part) + 1)

    read = blocks(text)

    assert len(read) % text.count("## ") == 0
    assert "".join(block.text for block in read) == text


@given(st.one_of(NASTY, markdown(), nested_lists()))
@example("## Billing\n## Billing\n<div>\n- a\n")
@example("- a\n\n\n```\nopen\n\n\n")
@example("\ufeff# T\n- a\n")
@example("```\r\nopen\r\n\r")
@example("---\na: 1\n---\n\n\n# T\n")
@example("\r## no heading\n")
@example("text\n\n\r- no item\n")
@example("> \r</div>\nlazy\n")
def test_the_scanner_reads_the_same(text: str) -> None:
    assume(not OUTDENTED.search(text))
    assert blocks(text) == scan(text)


@given(ANY_TEXT)
@example("a\r\n\r\n- b\rc\r\n\x0c\n\u2028- d")
@example("\t\r\t")
def test_every_line_is_in_one_block(text: str) -> None:
    found = blocks(text)
    assert text == "".join(block.text for block in found)
    assert [block.line for block in found] == [
        1 + "".join(block.text for block in found[:n]).count("\n") for n in range(len(found))
    ]
    assert all(block.text.endswith("\n") for block in found[:-1])


def test_blocks_know_their_headings() -> None:
    assert blocks("---\na: 1\n---\n\n# T\n\n## U\n- x\n\n") == (
        Block("front", 1, "---\na: 1\n---\n"),
        Block("blank", 4, "\n"),
        Block("heading", 5, "# T\n", ("T",), 1),
        Block("blank", 6, "\n", ("T",)),
        Block("heading", 7, "## U\n", ("T", "U"), 2),
        Block("item", 8, "- x\n", ("T", "U")),
        Block("blank", 9, "\n", ("T", "U")),
    )


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("<div>\n- a\n\n- b\n", ["html", "blank", "item"]),
        ("> - a\n- b\n", ["quote", "item"]),
        ("```\n- a\n\n", ["fence"]),
        ("    - a\n", ["code"]),
    ],
)
def test_a_bullet_is_no_item_inside_of_something_else(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in blocks(text)] == kinds
