from collections import Counter
from datetime import datetime, timedelta, timezone

from hypothesis import given
from markdown_it import MarkdownIt

from clawgit.core.resources import resource
from clawgit.soul.rules.changelog import (
    END,
    START,
    IdentityChange,
    between_markers,
    render_markdown,
    replace_between_markers,
)
from clawgit.soul.rules.soul import SectionChange
from tests.each import for_each
from tests.strategies import ANY_TEXT

TEMPLATE = (resource("templates") / "workspace" / "CHANGELOG.md").read_text()
BERLIN = timezone(timedelta(hours=1))

FIRST = IdentityChange(
    name="9f3c2a7be1",
    time=datetime(2026, 2, 11, 9, 30, tzinfo=BERLIN),
    actor="Ada",
    summary="first soul",
    what=(("IDENTITY.md", (SectionChange("Name tag", added=("**Name:** Momo",)),)),),
)
BOUNDARIES = SectionChange(
    "Boundaries",
    added=("Ask before deleting files.",),
    dropped=("Delete what looks old.",),
    reworded=(("Be kind.", "Be kind & clear."),),
)
SECOND = IdentityChange(
    name="kmnpqrst",
    time=datetime(2026, 2, 13, 14, 5, tzinfo=BERLIN),
    actor="Soul Keeper",
    summary="soul-keeper: ask before deleting files",
    what=(("SOUL.md", (BOUNDARIES,)),),
    reason="The operator corrected this twice.",
    evidence=("memory/2026-02-13.md#L12", "CORRECTIONS.md#c4"),
)


def is_as_derived(file_text: str, changes: list[IdentityChange]) -> bool:
    return between_markers(file_text) == render_markdown(changes).strip("\n")


HOSTILE = [
    "# A heading\n\n## another",
    f"{END}\n### 2026-01-01 00:00 UTC · kkkkkkkk · Operator",
    START,
    "<script>alert(1)</script> <b>",
    "` `` ``` code\n```\nfence",
    "[click](https://evil.example) ![x](y) <https://evil.example>",
    "**bold** __bold__ ~~gone~~ &lt; \\",
    "- item\n1. item\n> quote\n---\n| a |\n| - |",
    "line\u2028sep \u202eturned\u200b hidden\x00 \udcff",
]


@for_each("text", HOSTILE)
def test_what_a_commit_says_cannot_become_markdown(text: str) -> None:
    section = SectionChange(text, (text,), (text,), ((text, text),), was=text)
    what = (("SOUL.md", (section,)),)
    change = IdentityChange("kmnpqrst", SECOND.time, text, text, what, text, (text,))
    body = render_markdown([change])
    tokens = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(body)
    kinds = [token.type for token in tokens]
    inline = {child.type for token in tokens for child in token.children or []}
    labels = 6
    assert kinds.count("heading_open") == 1
    assert kinds.count("bullet_list_open") == 2
    assert kinds.count("list_item_open") == labels - 1 + 4
    assert not {
        "html_block", "fence", "code_block", "hr", "blockquote_open", "ordered_list_open",
    } & {*kinds}  # fmt: skip
    assert inline <= {"text", "strong_open", "strong_close", "code_inline"}
    assert sum(token.type == "code_inline" for one in tokens for token in one.children or []) == 1
    file_text = replace_between_markers(TEMPLATE, body)
    assert is_as_derived(file_text, [change])
    assert (file_text.count(START), file_text.count(END)) == (1, 1)


@given(ANY_TEXT)
def test_any_text_is_read_back_as_one_entry(text: str) -> None:
    change = SECOND._replace(actor=text, summary=text, reason=text, evidence=(text,))
    file_text = replace_between_markers(TEMPLATE, render_markdown([change, FIRST]))
    assert is_as_derived(file_text, [FIRST, change])
    assert file_text.encode().decode() == file_text


@for_each("text", ["", "# Mine\n", f"# Mine\n{START}\nkept\n", f"{END}\n{START}\n"])
def test_markers_that_are_missing_are_made_and_nothing_is_lost(text: str) -> None:
    once = replace_between_markers(text, render_markdown([FIRST]))
    assert is_as_derived(once, [FIRST])
    assert once == replace_between_markers(once, render_markdown([FIRST]))
    assert not Counter(text.splitlines()) - Counter(once.splitlines())
