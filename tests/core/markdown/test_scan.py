import re

from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from clawgit.core.markdown.scan import scan
from tests.each import for_each
from tests.strategies import ANY_TEXT, markdown, nested_lists

KINDS = {
    "heading_open": "heading", "list_item_open": "item", "paragraph_open": "para", "fence": "fence",
    "code_block": "code", "html_block": "html", "blockquote_open": "quote", "hr": "rule",
}  # fmt: skip

MARKDOWN_IT = MarkdownIt("commonmark").disable("reference")
MARKDOWN_IT.core.ruler.enableOnly(["normalize", "block"])

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
    "[name]: /url\n", "&nbsp;\n", "\\- no item\n",
])  # fmt: skip
NASTY = st.lists(PIECES, max_size=14).map("".join)


def by_markdown_it(text: str, shift: int) -> list[tuple[str, int, int, str]]:
    """Kind, line, heading level and title of what stands at the top level."""
    found = []
    tokens = MARKDOWN_IT.parse(text)
    for at, token in enumerate(tokens):
        depth = 1 if token.type == "list_item_open" else 0
        if token.level == depth and token.map and token.type in KINDS:
            level, title = 0, ""
            if token.type == "heading_open":
                level, title = int(token.tag[1]), " ".join(tokens[at + 1].content.split())
            found.append((KINDS[token.type], token.map[0] + 1 + shift, level, title))
    return found


def assert_agrees(text: str) -> None:
    blocks = scan(text)
    front = "".join(block.text for block in blocks if block.kind == "front")
    ours = [
        (block.kind, block.line, block.level, block.path[-1] if block.level else "")
        for block in blocks
        if block.kind not in ("blank", "front")
    ]
    assert by_markdown_it(text[len(front) :], front.count("\n")) == ours


@given(st.one_of(NASTY, markdown(), nested_lists()))
@example("1. a\n2. b\n\n   c\n- d\n***\n    code\n\ntext\n===\n")
@example("<b>\n- a\n\n<pre>\n\n- b\n</pre>\n- c")
@example("- a\n\n      code\n\n  > quote\n  lazy\nlazy\n2. b")
@example("[name]: /url\n2. b\n[name]: /url\n===")
@example("## Billing\n## Billing\n<div>\n- a\n")
@example("- a\n\n\n```\nopen\n\n\n")
@example("## H\r\n\r\nTitle\r\n---\r\n- a\r\n\r\n```\r\n  - b\r\n```\r\ntext\r\n")
def test_agrees_with_markdown_it(text: str) -> None:
    assume(not OUTDENTED.search(text))
    assert_agrees(text)


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


def test_headings_nest() -> None:
    text = "# A\n\n### B ##\n\nC\nd\n---\n\n- x\n\n# E\n"
    assert [(block.path, block.level) for block in scan(text) if block.kind == "heading"] == [
        (("A",), 1), (("A", "B"), 3), (("A", "C d"), 2), (("E",), 1),
    ]  # fmt: skip
    assert [block.path for block in scan(text) if block.kind == "item"] == [("A", "C d")]


@for_each(
    "text, kinds",
    [
        ("---\na: 1\n---\n# T\n", ["front", "heading"]),
        ("\ufeff---\r\n'a': 1\r\n...\r\n", ["front"]),
        ("---\na: 1\n", ["rule", "para"]),
        ("---\n\n- a\n\n---\n", ["rule", "blank", "item", "blank", "rule"]),
        ("\n---\na: 1\n---\n", ["blank", "rule", "heading"]),
    ],
)
def test_front_matter_is_told_from_a_rule(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in scan(text)] == kinds
