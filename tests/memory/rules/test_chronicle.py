"""Books of past days: each note a chapter, in its place by date, and nothing in it made up."""

import re

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.scan import scan
from clawgit.core.markdown.tag_table import visible
from clawgit.core.tiers import Note, note_of
from clawgit.memory.rules.compaction import chapter, extended, holds_correction, parted
from tests.each import for_each

DAY = """# 2026-01-03

## 10:30 - staging

We moved staging to the new host. <!-- observed: 2026-01-03 | status: active -->

- The certificate runs out in March. #knowledge <!-- importance: 7 --> <!-- claw:m7k2q9 conf=0.95 n=1 -->

---

## Promoted From Short-Term Memory (2026-01-03)

<!-- openclaw-memory-promotion:abc -->
- Ana likes tea.
"""
SESSION = """# Session: 2026-01-03 14:30:00 UTC

- **Session Key**: agent:main:main
- **Session ID**: 7f
- **Source**: telegram

## Conversation Summary

user: hi there

assistant: hello
"""


def _note(path: str) -> Note:
    found = note_of(path)
    assert found is not None
    return found


def _chapter(path: str, text: str) -> str:
    return chapter(_note(path), scan(text))


_PIECES = (
    "---\nmood: good\ntags: [sea]\n---\n", "- fog <!-- ask Bo -->\n", "<!-- for Bo: the rope -->\n",
    "- 08:00 fog <!-- a -->\n", "- 09:00 fog <!-- b -->\n", "## Work <!-- c -->\n", "Prose. <!-- d -->\n",
    "- fog <!-- importance: 7 --> <!-- claw:abc234 c=.9 -->\n", "- tea\n  <!-- e -->\n", "\n", "<b>x</b>\n",
    "<!-- openclaw:dreaming:light:start -->\n", "## 10:00\n", "> said <!-- f -->\n",
)  # fmt: skip
_THEIRS = re.compile(r"<!-- (?!openclaw|claw).*?-->|^(?:mood|tags): .*", re.MULTILINE)


@given(st.lists(st.sampled_from(_PIECES), max_size=9).map("".join))
def test_front_matter_and_comments_of_others_are_never_lost(text: str) -> None:
    """A comment stays on the line that it stood on."""
    told = _chapter("memory/2026-01-03.md", text)
    body = "\n".join(told.splitlines())
    for theirs in _THEIRS.findall(text):
        assert theirs in body
    book = extended("", "B", [("x", told)]) if told else ""
    assert not told or extended(book, "B", [("x", told)]) == book


_LINES = [*DAY.splitlines(), *SESSION.splitlines(), "We won't\nsign.", "", "  - 决定用红茶。"]


@given(st.lists(st.sampled_from(_LINES), max_size=20))
def test_each_line_of_a_chapter_stands_in_its_note(lines: list[str]) -> None:
    """A heading that was underlined over two lines stands in one."""
    text = "\n".join(lines)
    said = " ".join(visible(text).split())
    for line in visible(_chapter("memory/2026-01-03.md", text)).splitlines():
        assert " ".join(line.lstrip("# ").split()) in said


def test_what_a_chapter_lacks_follows_at_the_end_under_its_headings() -> None:
    day = "### One\n\n- a\n\n### Two\n\n- b\n"
    book = extended("", "B", [("2026-01-03", day), ("2026-01-04", "x\n")])
    more = extended(book, "B", [("2026-01-03", "### One\n\n- a\n- c\n")])
    assert more == f"{book}\n## 2026-01-03\n\n### One\n\n- c\n"


def test_what_stands_in_a_book_stays_byte_for_byte() -> None:
    book = "# Mine \n\nby hand\n## 2026-01-02\nno blank line\n## 2026-01-05\nlast"
    grown = extended(book, "B", [("2026-01-03", "- new\n")])
    assert grown == book + "\n\n## 2026-01-03\n\n- new\n"


_CHAPTERS = st.tuples(
    st.integers(1, 28), st.sampled_from(["- a\n", "- b\n", "### H\n\n- c\n", "t\n"])
)


@given(st.lists(_CHAPTERS, max_size=8))
def test_a_book_holds_each_note_once(told: list[tuple[int, str]]) -> None:
    book = ""
    for day, body in told:
        book = extended(book, "B", [(f"2026-01-{day:02}", body)])
    for day, body in told:
        assert extended(book, "B", [(f"2026-01-{day:02}", body)]) == book


# Which notes are due, and that no correction is ever among what they tell.


@for_each(
    "text, expected",
    [
        ("- No. #correction\n", True),
        ("- Parent\n  - No. #correction\n", True),
        ("## #correction of today\n", True),
        ("- Only in code: `#correction`\n", False),
        ("```\n#correction\n```\n", False),
        ("- It is Berlin <!-- claw:abc234 src=correction -->\n", True),
    ],
)
def test_a_correction_is_known_wherever_it_stands(text: str, expected: bool) -> None:
    assert holds_correction(scan(text)[0]) is expected


_MIXED = ("# A", "## B", "- x", "- y #correction", "text", "", "  - z #correction", "```", "> q")


@given(st.lists(st.sampled_from(_MIXED)))
def test_no_correction_is_told_and_none_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    found = parted(text)
    assert not any(holds_correction(block) for block in found.told)
    corrections = [block.text for block in scan(text) if holds_correction(block)]
    # None: the note cannot be cut, and stays as it is.
    left = text if found.left is None else found.left
    assert [one for one in corrections if one not in left] == []
