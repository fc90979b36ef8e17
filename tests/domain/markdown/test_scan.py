import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from clawgit.domain.markdown.scan import Block, scan
from tests.domain.markdown.by_markdown_it import blocks
from tests.domain.strategies import ANY_TEXT, markdown, nested_lists
from tests.each import for_each
from tests.long_form import LONG_FORM

OUTDENTED = re.compile(r"^(?: {4}| *\t)\s*[-+*>#_<`~=\d]", re.MULTILINE)
"""A sign four or more columns in. Where it neither belongs to the item above nor reaches its text,
CommonMark says that it is more of the paragraph (so do we), markdown-it that it is code."""


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


@given(st.one_of(NASTY, markdown()))
@example("1. a\n2. b\n\n   c\n- d\n***\n    code\n\ntext\n===\n")
@example("<b>\n- a\n\n<pre>\n\n- b\n</pre>\n- c")
@example("- a\n\n      code\n\n  > quote\n  lazy\nlazy\n2. b")
@example("[name]: /url\n2. b\n[name]: /url\n===")
@example("## Billing\n## Billing\n<div>\n- a\n")
@example("- a\n\n\n```\nopen\n\n\n")
@example("\ufeff# T\n- a\n")
@example("```\r\nopen\r\n\r")
@example("---\na: 1\n---\n\n\n# T\n")
@example("\r## no heading\n")
@example("text\n\n\r- no item\n")
@example("> \r</div>\nlazy\n")
def test_agrees_with_markdown_it(text: str) -> None:
    assume(not OUTDENTED.search(text))
    assert scan(text) == blocks(text)


@given(nested_lists())
def test_agrees_with_markdown_it_on_lists_of_any_depth(text: str) -> None:
    assert scan(text) == blocks(text)


@given(ANY_TEXT)
@example("a\r\n\r\n- b\rc\r\n\x0c\n\u2028- d")
@example("\t\r\t")
def test_every_line_is_in_one_block(text: str) -> None:
    blocks = scan(text)
    assert text == "".join(block.text for block in blocks)
    assert [block.line for block in blocks] == [
        1 + "".join(block.text for block in blocks[:n]).count("\n") for n in range(len(blocks))
    ]
    assert all(block.text.endswith("\n") for block in blocks[:-1])


@given(
    st.lists(
        st.sampled_from(["- a\n", "\n", "text\n", "## H\n", "```\n", "  - b\n"]), max_size=12
    ).map("".join)
)
def test_line_ends_make_no_difference(text: str) -> None:
    windows = [
        block._replace(text=block.text.replace("\r\n", "\n"))
        for block in scan(text.replace("\n", "\r\n"))
    ]
    assert [*scan(text)] == windows


def test_an_item_owns_what_is_nested_in_it() -> None:
    item = "- a\n  b\nlazy\n\n  - c\n    1. d\n\n  ```\n  - no item\n  ```\n"
    assert scan("# T\n\n" + item + "\n- e") == (
        Block("heading", 1, "# T\n", ("T",), 1),
        Block("blank", 2, "\n", ("T",)),
        Block("item", 3, item, ("T",)),
        Block("blank", 13, "\n", ("T",)),
        Block("item", 14, "- e", ("T",)),
    )


def test_headings_nest() -> None:
    text = "# A\n\n### B ##\n\nC\nd\n---\n\n- x\n\n# E\n"
    assert [(block.path, block.level) for block in scan(text) if block.kind == "heading"] == [
        (("A",), 1),
        (("A", "B"), 3),
        (("A", "C d"), 2),
        (("E",), 1),
    ]
    assert [block.path for block in scan(text) if block.kind == "item"] == [("A", "C d")]


@for_each(
    "text, kinds",
    [
        ("---\na: 1\n---\n# T\n", ["front", "heading"]),
        ("\ufeff---\r\n'a': 1\r\n...\r\n", ["front"]),
        ("---\n# note\na: 1\n---\n", ["front"]),
        ("---\n---\n", ["front"]),
        ("---\na: 1\n", ["rule", "para"]),
        ("---\n\n- a\n\n---\n", ["rule", "blank", "item", "blank", "rule"]),
        ("---\n- a: b\n---\n", ["rule", "item", "rule"]),
        ("\n---\na: 1\n---\n", ["blank", "rule", "heading"]),
    ],
)
def test_front_matter_is_told_from_a_rule(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in scan(text)] == kinds


def test_a_byte_order_mark_hides_nothing() -> None:
    assert [(block.kind, block.path) for block in scan("\ufeff# T\n- a\n")] == [
        ("heading", ("T",)),
        ("item", ("T",)),
    ]


@pytest.mark.parametrize("times", [5_000, pytest.param(40_000, marks=LONG_FORM)])
def test_no_text_is_too_long(times: int) -> None:
    for text in (
        "- A fact, told at length and with care. #knowledge <!-- claw:m7k2q9 n=1 -->\n"
        * (times // 8),
        "> " * 5 * times,
        "- " * 500 + "x\n" + "\n" * (times // 2) + " x\n" * (times // 2),
        "\t" * 5 * times,
        "<a " + "b " * 5 * times,
        "<a" + " b=c" * 2 * times,
        "`" * 5 * times + "\n" + "`" * 5 * times,
        "- " * 5 * times,
        "# " + " #" * 5 * times + " x",
        "```\n" * times,
        "---\n" + "# c\n" * times,
    ):
        assert len(text) == sum(len(block.text) for block in scan(text)), text[:20]


@given(NASTY)
def test_no_item_stands_in_a_table(text: str) -> None:
    """Tables are paragraphs to both readings; a reader that knows tables finds no item in one."""
    tokens = MarkdownIt("commonmark").enable("table").parse(re.sub("\r(?!\n)", " ", text))
    rows = [
        line
        for token in tokens
        if token.type == "table_open" and token.level == 0 and token.map
        for line in range(token.map[0] + 1, token.map[1] + 1)
    ]
    assert not {block.line for block in scan(text) if block.kind == "item"} & {*rows}


def test_where_they_differ_nothing_is_lost() -> None:
    text = "   - a\n    > b\n- c\n"
    assert [block.kind for block in scan(text)] == ["item", "item"]
    assert [block.kind for block in blocks(text)] == ["item", "code", "item"]
    assert "".join(block.text for block in blocks(text)) == text


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", []),
        ("\n\n", ["blank"]),
        ("<div>\n- a\n\n- b\n", ["html", "blank", "item"]),
        ("> - a\n- b\n", ["quote", "item"]),
        ("| a |\n| - |\n| b |\n", ["para"]),
        ("```\n- a\n\n", ["fence"]),
        ("a\n---\n", ["heading"]),
        ("    - a\n", ["code"]),
    ],
)
def test_a_bullet_is_no_item_inside_of_something_else(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in scan(text)] == kinds
