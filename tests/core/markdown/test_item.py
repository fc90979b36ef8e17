import re
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.core.markdown.item import Item, items
from clawgit.core.markdown.scan import lines_of, scan
from tests.each import for_each
from tests.long_form import LONG_FORM
from tests.strategies import ANY_TEXT, PROSE, markdown, nested_lists

MEMORY = "memory/2026-02-14.md"

PLAIN = st.lists(
    st.one_of(
        st.builds("- {}".format, PROSE),
        st.builds("  - {}".format, PROSE),
        st.builds("{}".format, PROSE),
        st.sampled_from([
            "", "## Head", "# Top", "> quoted", "- **Ana:** hi", "user: hello",
            "| a | b |\n|---|---|",
        ]),
    ),
    max_size=14,
).map("\n".join)  # fmt: skip
SOUP = st.one_of(PLAIN, markdown(), nested_lists(), ANY_TEXT)


def said(line: str) -> str:
    """The letters of a line: what is left of it without the marks of Markdown."""
    return "".join(re.findall(r"[^\W\d_]", line))


def told(text: str) -> list[tuple[int, int, str, str]]:
    return [(item.line, item.end_line, item.kind, item.text) for item in items(MEMORY, text)]


@given(SOUP.filter(lambda text: "<" not in text))
@example("- a\n    - b\n\n\ttab\n")
@example("text\n| a | b |\n|---|---|\n| c | d |\nuser: x")
@example("\ufeffa")
def test_every_line_that_says_something_is_in_one_item(text: str) -> None:
    """But for headings and headers of tables, which the first item below them opens, and for what
    stands behind the mark of a fence."""
    found = items(MEMORY, text)
    covered = Counter(line for item in found for line in range(item.line, item.end_line + 1))
    opened = {said(title) for item in found for title in item.opens}
    assert max(covered.values(), default=1) == 1
    for number, line in enumerate(lines_of(text), 1):
        assert (
            covered[number]
            or not said(line)
            or said(line) in opened
            or re.search(r"#|```|~~~", line)
            or is_title(text, number)
        )


def is_title(text: str, line: int) -> bool:
    """Of a heading that is underlined."""
    blocks = (block for block in scan(text.replace("  ", "")) if line >= block.line)
    return (
        any(block.level for block in blocks)
        or re.search(r"^[ >\-\d.)]*(=+|-+) *\r?$", text, re.MULTILINE) is not None
    )


TEXT = """\
---
name: x
---
# Title
## Notes <!-- c -->
- a fact #event <!-- claw:m7k2q9 conf=0.9 -->
- parent
  - child <!-- importance: 7 -->
    and more

    beside it

Said in two
lines.

user: hi
assistant: hello
there

| Name | Phone |
|------|-------|
| Ana  | 12    |

> quoted
> twice

```py
x = 1

y = 2
```
## Empty
### Bare
## Last
<!-- nobody
sees this -->
text
"""


def test_what_a_file_is_cut_into() -> None:
    assert told(TEXT) == [
        (2, 2, "front", "x"), (6, 6, "item", "a fact #event"), (7, 7, "item", "parent"),
        (8, 9, "item", "child\nand more"), (11, 11, "para", "beside it"),
        (13, 14, "para", "Said in two\nlines."), (16, 16, "turn", "user: hi"),
        (17, 18, "turn", "assistant: hello\nthere"), (22, 22, "table", "Ana | 12"),
        (24, 25, "quote", "quoted\ntwice"), (28, 30, "fence", "x = 1\n\ny = 2"),
        (33, 33, "heading", "Bare"), (37, 37, "para", "text"),
    ]  # fmt: skip


@for_each(
    "text, kinds",
    [
        ("**Ana:** hi\n**Bo**: hello", ["turn", "turn"]),
        ("**Note:** one thing\nand more", ["para"]),
        ("before\nuser: hi", ["para", "turn"]),
        ("a | b\n--|--\n1 | 2", ["table"]),
        ("| a |\n|---|\n| 1 |\n| |\n| 2 |", ["table", "table"]),
        ("    code", ["code"]),
        ("<div>\nshown\n</div>", ["html"]),
        ("- a\n\n  ```\n  x\n  ```", ["item", "fence"]),
        ("<!-- only -->", []),
    ],
)
def test_kinds(text: str, kinds: list[str]) -> None:
    assert [item.kind for item in items(MEMORY, text)] == kinds


@pytest.mark.parametrize("times", [2_000, pytest.param(20_000, marks=LONG_FORM)])
def test_no_text_is_too_long(times: int) -> None:
    for text in (
        "- A fact, told at length and with care. #knowledge <!-- claw:m7k2q9 n=1 -->\n"
        * (times // 6),
        "- " * 500 + "x\n" + " x\n" * (times // 2),
        "> " * 5 * times,
        "word " * 5 * times,
        "x" * 15 * times,
        "记" * 5 * times,
        "a. " * 5 * times,
        "<!--" * 2 * times,
        "| a " * 2 * times + "\n" + "|-" * 2 * times,
        "- a\n  " * times,
        "**a" * 2 * times,
        "\t" * 5 * times + "x",
        "<a " + "b " * 5 * times,
        "<a" + " b=c" * 2 * times,
        "`" * 5 * times + "\n" + "`" * 5 * times,
        "# " + " #" * 5 * times + " x",
        "```\n" * times,
        "---\n" + "# c\n" * times,
    ):
        assert all(isinstance(item, Item) for item in items(MEMORY, text)), text[:20]
