"""A notebook kept short: what moves first, what stays, and that nothing is lost on the way."""

from collections import Counter
from functools import cache

from hypothesis import example, given, settings
from hypothesis import strategies as st

from clawgit.core.markdown.comment import split
from clawgit.core.markdown.entry import NOTEBOOK_CHARACTERS, entries, fits
from clawgit.core.markdown.scan import scan, takes_more
from clawgit.memory.rules.moving import Leaving, Moving
from clawgit.memory.rules.tidy import Tidied, tidy, topic_path
from tests.each import for_each


def tidied(text: str, topics: dict[str, str] | None = None) -> Tidied:
    return tidy(text, topics or {})


def fact(
    number: int,
    *,
    conf: str = "0.60",
    last: str = "2026-03-01",
    words: str = "",
    tag: str = "knowledge",
) -> str:
    facts = f"conf={conf} n=1 first={last} last={last} src=inferred"
    return f"- Fact {number}{words} #{tag} <!-- claw:abc{number:03} {facts} -->\n"


def section(title: str, count: int, first: int = 0, **facts: str) -> str:
    return (
        f"## {title}\n\n"
        + "".join(fact(number, **facts) for number in range(first, first + count))
        + "\n"
    )


def blocks(*texts: str) -> Counter[str]:
    found = (block for text in texts for block in scan(text.replace("\r\n", "\n")))
    return Counter(block.text.strip() for block in found if block.kind not in ("blank", "heading"))


PINNED = (
    "#### Rules #correction\n\n- Never send without asking.\n",
    (
        "- Paris is far. <!-- claw:abc222 n=1 status=disputed -->\n  - Marta: “No, it is near.” "
        "#correction\n"
    ),
    "- 📌 The spare key lies behind the blue pot.\n",
    "- **PINNED:** the spare key lies behind the blue pot.\n",
    "- 【置顶】钥匙在蓝色花盆后面。\n",
    "- This survives compaction: ask before a deploy.\n",
    "### ⚠️ CRITICAL\n\n- Ask first.\n- Then act.\n",
    "## 置顶\n\n- Ask first.\n\n### More of it\n\nSome prose.\n",
    "## Critical rules (do not move)\n\nSome prose.\n\n- Ask first.\n",
)


def test_what_is_pinned_set_right_or_disputed_stays() -> None:
    days = "".join(f"\n## Days {at}\n\n{pinned}" for at, pinned in enumerate(PINNED))
    for text in (
        f"# Memory\n{days}\n" + section("Billing", 230),
        f"# Memory\n\n{section('Billing', 230, conf='0.95', last='2026-09-18')}{days}",
    ):
        found = tidied(text)
        left = f"{found.text}\n".replace("\n\n\n", "\n\n")
        assert [pinned for pinned in PINNED if pinned not in left] == []
        assert fits(found.text)


def right(number: int, last: str) -> str:
    return f"- Fact {number} #correction <!-- claw:abc{number:03} c=1 last={last} -->\n"


def test_corrections_move_when_nothing_else_is_left_the_oldest_first() -> None:
    days = [f"2026-{1 + at % 8:02}-{1 + at % 28:02}" for at in range(230)]
    items = "".join(right(at, day) for at, day in enumerate(days))
    found = tidied(f"# Memory\n\n## Billing\n\n{items}{section('Garden', 5, 900)}")
    assert fits(found.text)
    names = [one.text for one in found.moved]
    oldest = sorted(range(230), key=lambda at: (days[at], at))[: len(names) - 5]
    corrections = [f"- Fact {at} #correction" for at in sorted(oldest)]
    assert names == [*corrections, *(f"- Fact {at} #knowledge" for at in range(900, 905))]
    assert right(oldest[0], days[oldest[0]]) in found.files["memory/billing.md"]


@for_each("topic, path", [("결정", "memory/결정.md"), ("2026-01-03", "memory/2026-01.md")])
def test_the_file_of_a_topic_is_never_that_of_a_day(topic: str, path: str) -> None:
    assert topic_path(topic) == path


FULL = "# Memory\n\n" + section("Billing", 190)


def roomy(before: str, after: str, topics: dict[str, str] | None = None) -> Tidied:
    return tidy(after, topics or {}, before)


def test_a_correction_gets_in_and_the_least_sure_and_longest_silent_makes_room() -> None:
    full = (
        "# Memory\n\n## Billing\n\n"
        + fact(0, conf="0.40", last="2026-08-01")
        + fact(1, conf="0.40")
    )
    full += "".join(fact(number, conf="0.90", last="2026-09-10") for number in range(2, 187))
    full += "x" * (NOTEBOOK_CHARACTERS - len(full) - 1) + "\n"
    right = "- Paris, not Rome. #knowledge #correction\n"
    found = roomy(full, full + right)
    assert right in found.text
    assert fits(found.text)
    assert [one.text for one in found.moved[:2]] == ["- Fact 0 #knowledge", "- Fact 1 #knowledge"]
    assert len(found.moved) < 12


@for_each(
    "html",
    [
        "<!-- openclaw:dreaming:start -->\n" + "<!-- one -->\n" * 220,
        "<details>\n" + "".join(fact(number) for number in range(210)) + "\n</details>\n",
        "<div>\n- Paris, not Rome. #correction\n" + "prose\n" * 220,
        "<div>\n- Paris. <!-- claw:abc222 status=disputed -->\n" + "prose\n" * 220,
    ],
)
def test_html_stays(html: str) -> None:
    text = f"# Memory\n\n## Billing\n\n{html}\n"
    assert tidied(text) == Tidied(text, {})


LINES = st.sampled_from([
    "## Billing\n", "### Runs\n", "## Knowledge\n", "# Second\n", "#\n", "Setext #\n===\n",
    "- Nordwind pays late.\n", "- kept #correction\n", "- PINNED: kept\n", "- one\n  - nested\n",
    "* star\n", "1. first\n", "prose\n", "\n", "\n", "```\ncode\n```\n", "> quote\n",
    "    indented\n", "<!-- note -->\n", "<div>\n", "***\n", "- a\u2028b\n",
    "- ends in spaces  \n", "- crlf\r\n", "```\nopen\n", "| a | b |\n|---|---|\n",
    "- Billing → memory/billing.md\n",
])  # fmt: skip
FILES = st.dictionaries(st.sampled_from(["memory/billing.md", "memory/runs.md",
    "memory/knowledge.md"]),
                        st.lists(LINES, max_size=5).map("".join), max_size=2)  # fmt: skip


@given(st.lists(LINES, max_size=25).map("".join), st.integers(0, 25), FILES)
@example(
    "## Billing\n- Nordwind pays late.\n<div>\n## Billing\n",
    0,
    {"memory/billing.md": "- Nordwind pays late.\n"},
)
def test_nothing_is_lost_and_nothing_changes_that_does_not_move(
    text: str, at: int, topics: dict[str, str]
) -> None:
    lines = text.splitlines(keepends=True)
    filler = f"- PINNED: {'x' * NOTEBOOK_CHARACTERS}\n"
    text = "# Memory\n\n" + "".join([*lines[:at], "\n", filler, "\n", *lines[at:]])
    found = tidied(text, topics)
    before, after = (
        blocks(text, *topics.values()),
        blocks(found.text, *{**topics, **found.files}.values()),
    )
    gone = before - after
    # A fact that a topic's file has already is not written into it twice.
    twice = {one for one in blocks(*topics.values()) if one in after}
    assert all("→ memory/" in one or one in twice for one in gone), gone
    assert all("→ memory/" in one for one in after - before), after - before
    titles = {block.path[-1].rstrip("# ") for block in scan(text) if block.level}
    told = " ".join("\n".join([found.text, *found.files.values()]).split())
    assert all(title in told for title in titles)
    assert tidied(found.text, {**topics, **found.files}).files == {} or not fits(found.text)


@settings(max_examples=5)
@given(st.lists(LINES, max_size=12).map("".join), st.integers(0, 190), FILES)
@example("<div>\n", 4, {})
@example("## Billing\n## Billing\n<div>\n", 5, {})
@example("## Billing\n## Billing\n<div>\n", 6, {"memory/billing.md": "<div>\n"})
def test_whoever_writes_leaves_it_within_its_limits_and_loses_nothing(
    new: str, at: int, topics: dict[str, str]
) -> None:
    lines = FULL.splitlines(keepends=True)
    after = "".join([*lines[:at], new, *lines[at:], "- kept #correction\n" * 8])
    found = roomy(FULL, after, topics)
    if not takes_more(after):
        assert found == Tidied(after, {})
        return
    old, now = (
        blocks(after, *topics.values()),
        blocks(found.text, *{**topics, **found.files}.values()),
    )
    # An entry that a topic file had already stands once now.
    assert all("→ memory/" in one or one in now for one in (old - now) + (now - old))
    pinned = all(
        "correction" in entry.tags for entry in entries(found.text)
    )  # HTML swallows the items that it opens over
    swallowed = "<div>" in after  # HTML stays
    assert (
        fits(found.text)
        or pinned
        or swallowed
        or any(takes_more(text) is False for text in topics.values())
    )
    assert roomy(found.text, found.text, {**topics, **found.files}) == Tidied(found.text, {})


# What an editor's stale save brings back into a notebook is what stands in the topic files.


CRATES = "# Memory\n\n## Knowledge\n\n" + "".join(
    f"- Harbor ships crate {number} on day {number % 28 + 1}. "
    f"<!-- claw:aa{number:04} c=.6 last=2026-01-01 src=inferred -->\n"
    for number in range(260)
)


@cache
def shortened() -> Tidied:
    return tidied(CRATES, {})


def without_ids(text: str) -> str:
    return "".join(split(line).visible for line in text.splitlines(keepends=True))


@for_each("as_saved", [str, without_ids, lambda text: text.replace("\n", "\r\n")])
def test_the_entries_that_come_back_are_in_no_file_twice(as_saved: object) -> None:
    assert callable(as_saved)
    first = shortened()
    moved = [*first.files.values()]
    assert len(first.moved) > 5
    again = tidied(as_saved(CRATES), dict(first.files))
    texts = "\n".join([again.text, *(dict(first.files) | dict(again.files)).values()])
    kept = [split(entry.raw).visible.strip() for entry in entries(texts)]
    crates = [line for line in kept if "crate" in line]
    assert len(crates) == len(set(crates)) == 260
    assert {link for link in first.text.splitlines() if "→" in link} <= set(again.text.splitlines())
    assert moved == [again.files.get(path, text) for path, text in first.files.items()]


def test_an_entry_that_was_changed_in_the_editor_stays_and_is_not_doubled() -> None:
    first = shortened()
    gone = first.moved[0].text
    changed = gone.replace("ships", "loses")
    again = tidied(CRATES.replace(gone, changed), dict(first.files))
    assert changed in again.text
    assert all(changed not in text for text in again.files.values())


# A line leaves its file for another: both files change, or neither.


NOTE = "# Day\n\n- one\n- two\n\nTwo lines\nof prose.\n"


def leaving(line: int, item: str, to: str = "MEMORY.md") -> Leaving:
    return Leaving(line, to, "Memory", "Knowledge", item)


def test_two_quotes_do_not_become_one_and_an_emptied_heading_goes() -> None:
    moving = Moving({"day.md": "# T\n\n> a\n- one\n> b\n"})
    assert not moving.move("day.md", [leaving(4, "- one")])
    moving = Moving({"day.md": "# T\n\n## Decisions\n\n- one\n"})
    assert moving.move("day.md", [leaving(5, "- one")])
    assert moving.texts["day.md"] == "# T\n"


def test_a_file_that_has_taken_lines_gives_none() -> None:
    """They would be lost: what it gives is cut out of the file as it was."""
    moving = Moving({"day.md": NOTE, "MEMORY.md": "# Memory\n\n- old\n"})
    assert moving.move("day.md", [leaving(3, "- one")])
    assert not moving.move("MEMORY.md", [leaving(3, "- old", to="memory/other.md")])
    assert "- one" in moving.texts["MEMORY.md"]


def test_a_line_that_must_stay_keeps_no_other() -> None:
    """Each of the two in the middle could leave alone; both would make one quote of two."""
    moving = Moving({"day.md": "# T\n\n- one\n\n> a\n- two\n- three\n> b\n\n- four\n"})
    lines = [leaving(at, f"- {said}") for at, said in ((3, "1"), (6, "2"), (7, "3"), (10, "4"))]
    assert moving.move_most("day.md", lines) == [lines[0], lines[1], lines[3]]
    assert moving.texts == {
        "day.md": "# T\n\n> a\n- three\n> b\n",
        "MEMORY.md": "# Memory\n\n## Knowledge\n\n- 1\n- 2\n- 4\n",
    }


@for_each(
    "line, there",
    [(7, "# Memory\n"), (3, "# Memory\n\n```\nopen\n"), (3, "# Memory\n\n<!-- open\n")],
)
def test_what_cannot_leave_or_cannot_come_changes_neither_file(line: int, there: str) -> None:
    moving = Moving({"day.md": NOTE, "MEMORY.md": there})
    assert not moving.move("day.md", [leaving(line, "- one")])
    assert moving.texts == {}
    assert moving.move("day.md", [leaving(4, "- two", to="memory/other.md")])
    assert moving.texts["day.md"] == NOTE.replace("- two\n", "")
