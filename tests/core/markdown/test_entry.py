from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.core.markdown.comment import Meta, read_meta, split
from clawgit.core.markdown.entry import (
    append_entry,
    entries,
    holds_entries,
    problems,
    removed,
    render,
    replaced,
    with_meta,
    with_words,
)  # fmt: skip
from clawgit.core.markdown.scan import scan
from clawgit.core.markdown.tag_table import tags_in, untagged
from tests.each import for_each
from tests.strategies import ANY_TEXT, PROSE

FACTS = "conf=0.95 n=2 first=2026-02-14 last=2026-03-01 src=explicit ev=memory/2026-02-14.md#L9"
MEMORY = f"""\
# Memory

## Facts

- Billing uses PostgreSQL, not MySQL. #decision <!-- claw:m7k2q9 {FACTS} -->
- By hand.

## Notes

Prose.

* Ada's tea. #knowledge #correction <!-- importance: 7 --> <!-- trigger: tea, drink -->
  Before noon. <!-- claw:a2b3c4 note=x -->
  - nested #skill
"""

COMMENTED = st.builds(
    "- {}<!-- claw:{} {} -->{}".format, PROSE, st.sampled_from(["m7k2q9", "X", ""]), PROSE, PROSE
)
ITEMS = st.lists(st.one_of(COMMENTED, ANY_TEXT, st.just("## H")), max_size=5).map("\n".join)


def test_facts_are_set_in_their_place_and_unknown_ones_stay() -> None:
    meta = Meta("m7k2q9", ("zz=1", "n=1", "last=2026-03-01"))
    twice, corrected = meta.having("n", "2").having("conf", ".5"), meta.having("n", "")
    assert str(twice) == "<!-- claw:m7k2q9 c=.5 zz=1 n=2 last=2026-03-01 src=hand -->"
    corrected = corrected.having("status", "corrected")
    assert str(corrected) == "<!-- claw:m7k2q9 zz=1 last=2026-03-01 status=corrected -->"
    assert meta.having("by", "") == meta


@given(
    st.text(st.characters(exclude_categories=["Cs", "Zl", "Zp", "Zs", "Cc"]), min_size=1)
    | st.just("a --> b\n<%>")
)
def test_any_value_comes_back_from_the_comment(value: str) -> None:
    written = render("A fact.", Meta("m7k2q9").having("by", value).citing(value))
    meta = read_meta(split(written))
    assert meta
    assert (meta.by, meta.evidence) == (value, (value,))
    assert meta.id == "m7k2q9"


@given(ITEMS)
@example(MEMORY)
@example("- a <!-- claw:m7k2q9 -->\n  <!-- claw:k -->")
def test_entries_are_the_items_and_an_untouched_comment_stays_as_it_is(text: str) -> None:
    found = entries(text)
    items = [block.text for block in scan(text) if block.kind == "item"]
    assert [entry.raw for entry in found] == items
    lines = text.split("\n")
    for entry in found:
        assert "\n".join(lines[entry.line - 1 : entry.end_line]) == entry.raw.removesuffix("\n")
        assert "".join(split(entry.raw)) == entry.raw
        assert replaced(text, entry, entry.raw) == text


def test_setting_facts_leaves_all_else_as_it_is() -> None:
    billing, hand, tea = entries(MEMORY)
    assert billing.meta
    short = FACTS.replace("conf=0.95 n=2", "c=.95 n=3").replace(" src=explicit", "")
    assert with_meta(MEMORY, billing, billing.meta.having("n", "3")) == MEMORY.replace(FACTS, short)
    assert with_meta(MEMORY, billing, billing.meta) == MEMORY
    named = MEMORY.replace("By hand.", "By hand. <!-- claw:b2b2b2 -->")
    assert with_meta(MEMORY, hand, Meta("b2b2b2")) == named
    assert with_meta(MEMORY, tea, None) == MEMORY.replace(" <!-- claw:a2b3c4 note=x -->", "")


def test_windows_line_ends_stay() -> None:
    text = "- a\r\n- b\r\n  c\r\n"
    named = "- a\r\n- b\r\n  c <!-- claw:m7k2q9 -->\r\n"
    assert with_meta(text, entries(text)[1], Meta("m7k2q9")) == named
    assert append_entry(text, None, "- d") == text + "- d\r\n"
    assert append_entry(text, "New", "- d") == text + "\r\n## New\r\n\r\n- d\r\n"


@for_each(
    "text, heading, wanted",
    [
        ("", None, "- x\n"),
        ("", "H", "## H\n\n- x\n"),
        ("# T\n\n- a", None, "# T\n\n- a\n- x\n"),
        ("# T\n## H\n## I\n", "H", "# T\n## H\n\n- x\n\n## I\n"),
        ("## H\n\n- a\n  - b\n\n### S\n\n- c\n", "H", "## H\n\n- a\n  - b\n- x\n\n### S\n\n- c\n"),
        ("# T\n\n- a\n", "H", "# T\n\n- a\n\n## H\n\n- x\n"),
    ],
)
def test_an_entry_is_added_under_its_heading(text: str, heading: str | None, wanted: str) -> None:
    assert append_entry(text, heading, render("x")) == wanted


def test_removing_an_entry_leaves_one_run_of_blank_lines() -> None:
    billing, hand, tea = entries(MEMORY)
    assert removed(MEMORY, hand) == MEMORY.replace("- By hand.\n", "")
    assert removed(MEMORY, tea) == MEMORY[: MEMORY.index("* Ada")]
    alone = removed(MEMORY, hand)
    assert removed(alone, entries(alone)[0]) == MEMORY.replace(billing.raw + hand.raw + "\n", "")


@for_each(
    "text, tags",
    [
        ("#event first, #skill.", ("event", "skill")),
        ("(#event) and *#decision*", ("event", "decision")),
        ("a `#event` and ``a ` #skill``", ()),
        ("page#event, page.md#knowledge, https://x.org/#skill ?a=#event", ()),
        ("C#event &#event; #1 # event \\#event", ()),
        ("#event-driven #events #event/sub", ("event-driven", "events", "event/sub")),
        ("hidden <!-- #event --> #skill", ("skill",)),
        ("记忆 #知识 #event。", ("知识", "event")),
    ],
)
def test_tags(text: str, tags: tuple[str, ...]) -> None:
    assert tags_in(text) == tags


@for_each(
    "text, without",
    [
        ("#decision We use tea. #correction", "We use tea."),
        ("We use tea. #decision.", "We use tea."),
        ("We use tea #decision, since #event #skill", "We use tea, since"),
        ("C#event #knowledge-base #decisions #tea", "C#event #knowledge-base #decisions #tea"),
    ],
)
def test_a_text_without_its_categories_keeps_all_else(text: str, without: str) -> None:
    assert untagged(text) == without


NOT_OWN = "has a claw comment that is not its own"


@for_each(
    "item, message",
    [
        ("- x #event #skill", "“x #event #skill” has more than one primary tag: #event, #skill"),
        ("- x <!-- claw:M7 -->", "“x”: the id 'M7' is not valid"),
        ("- x <!-- claw:m7k2q9 status=gone -->", "“x”: status=gone cannot be read"),
        ("- x <!-- claw:m7k2q9 n=1", f"“x <!-- claw:m7k2q9 n=1” {NOT_OWN}"),
        ("- x <!-- claw:m7k2q9 -->\n  <!-- claw:m7k2q8 -->", f"“x” {NOT_OWN}"),
    ],
)
def test_problems(item: str, message: str) -> None:
    [problem] = problems("memory/2026-02-14.md", f"# Day\n\n{item}\n")
    assert (problem.line, problem.why) == (3, message)
    assert problem.remedy.endswith(".")


def test_only_memory_holds_entries() -> None:
    held = ["MEMORY.md", "memory.md", "memory/2026-02-14.md", "memory/people/ada.MD"]
    others = ["SOUL.md", "notes/MEMORY.md", "memory/a.txt"]
    assert [path for path in (*held, *others) if holds_entries(path)] == held
    assert problems("SOUL.md", "- x #event #skill\n") == ()


@for_each(
    "item, after",
    [
        ("- Tea. <!-- claw:abcdef -->\n", "- Milk. <!-- claw:abcdef -->\n"),
        ("- Tea.\n", "- Milk. <!-- claw:abcdef -->\n"),
        ("3. Tea.\r\n", "3. Milk. <!-- claw:abcdef -->\r\n"),
        ("* Tea, and\n  more.\n  - Nested.\n",
         "* Milk. <!-- claw:abcdef -->\n  - Nested.\n"),
        ("- Tea. <!-- was: Coffee. --> <!-- claw:abcdef -->\n\n  More.\n",
         "- Milk. <!-- was: Coffee. --> <!-- claw:abcdef -->\n\n  More.\n"),
    ],
)  # fmt: skip
def test_other_words_leave_all_else_as_it_is(item: str, after: str) -> None:
    text = f"# Memory\n\n- Before.\n{item}\n# Behind\n"
    entry = next(one for one in entries(text) if "Tea" in one.text)
    changed = with_words(text, entry, "Milk.", Meta("abcdef", ("n=1",)))
    assert changed == f"# Memory\n\n- Before.\n{after}\n# Behind\n"
