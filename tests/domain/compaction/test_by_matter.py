"""A past day by matter and time: nothing that was said is lost, and no word of it is changed."""

import re
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.compaction.by_matter import known_names
from clawgit.domain.compaction.chronicle import Chapter, chapter
from clawgit.domain.compaction.compaction import Note, note_of
from clawgit.domain.markdown.scan import scan
from clawgit.domain.workspace.routing import subject_of_note
from tests.each import for_each


def _note() -> Note:
    found = note_of("memory/2026-03-04.md")
    assert found is not None
    return found


def _told(text: str, names: Mapping[str, str] | None = None) -> Chapter:
    return chapter(_note(), scan(text), marks=False, known=known_names(names or {}))


@for_each(
    "text, headline, body",
    [
        # One matter, at several places of the day.
        (
            "## Harbor\n\n- Berth 4 is free\n\n## Bakery\n\n- Oven is cold\n\n## Harbor\n\n- Ferry left\n",
            "3 entries: Harbor, Bakery.",
            "### Harbor\n\n- Berth 4 is free\n- Ferry left\n\n### Bakery\n\n- Oven is cold\n",
        ),
        # At several times: in the order of time.
        (
            "## 16:00 - Harbor\n\nFerry left.\n\n## 9:30 - Harbor\n\nBerth 4 is free.\n",
            "2 entries: Harbor.",
            "### Harbor\n\n#### 9:30\n\nBerth 4 is free.\n\n#### 16:00\n\nFerry left.\n",
        ),
        # Times of several zones do not compare: in the order of the note.
        (
            "## 16:00 UTC — Harbor\n\nFerry left.\n\n## 9:30 JST — Harbor\n\nBerth free.\n",
            "2 entries: Harbor.",
            "### Harbor\n\n#### 16:00 UTC\n\nFerry left.\n\n#### 9:30 JST\n\nBerth free.\n",
        ),
        # The same at several times: once, with all of them.
        (
            "## Checkpoint — 02:01\n\nAll is well.\n\n## Checkpoint — 03:01\n\nAll is well.\n",
            "",
            "### Checkpoint — 02:01, 03:01\n\nAll is well.\n",
        ),
        (
            "- 08:00 the gateway is fine\n- 08:30 the gateway is fine\n- lunch\n",
            "2 entries.",
            "- 08:00 the gateway is fine (also 08:30)\n- lunch\n",
        ),
        # Where prose stands among lines, a day whose headings are times stays in its order.
        (
            (
                "## 08:00\n\nUp early.\n\n## 09:00\n\n- Bo asked for 3 ropes.\n\n"
                "## 10:00\n\nBo changed his mind.\n\n- He wants 5 ropes.\n"
            ),
            "4 entries.",
            (
                "### 08:00\n\nUp early.\n\n### 09:00\n\n- Bo asked for 3 ropes.\n\n"
                "### 10:00\n\nBo changed his mind.\n\n- He wants 5 ropes.\n"
            ),
        ),
        (
            "## 17:00\n\nA walk.\n\nThen tea.\n\n## 16:00\n\n- Rope is wet\n- Tar is dry\n",
            "3 entries.",
            "### 16:00\n\n- Rope is wet\n- Tar is dry\n\n### 17:00\n\nA walk.\n\nThen tea.\n",
        ),
        # A time alone is no matter.
        (
            "## 11:00\n\n- The gutter leaks again\n\n## 10:00\n\n- Post came\n",
            "2 entries.",
            "- Post came (10:00)\n- The gutter leaks again (11:00)\n",
        ),
        # However short it is. What stands under another heading may speak of something else.
        (
            "## 11:00\n\n- Fog\n\n## 12:00 - Rope\n\n- Fog\n\n## 13:00\n\n- Fog\n",
            "2 entries: Rope, Other.",
            "### 12:00 - Rope\n\n- Fog\n\n### Other\n\n- Fog (11:00, 13:00)\n",
        ),
        ("- 08:00 fog\n- 08:00 fog\n", "", "- 08:00 fog\n"),
        # No heading: a tag, else Other.
        (
            "- Roof is slate #knowledge\n- We take oak #decision\n- humming\n",
            "3 entries: Knowledge, Decisions, Other.",
            (
                "### Knowledge\n\n- Roof is slate #knowledge\n\n### Decisions\n\n"
                "- We take oak #decision\n\n### Other\n\n- humming\n"
            ),
        ),
        # Prose before the first heading opens the day.
        (
            "Rain all day.\n\n## Harbor\n\n- Ferry left\n",
            "2 entries: Harbor.",
            "Rain all day.\n\n### Harbor\n\n- Ferry left\n",
        ),
        # A heading that says something stands without anything below it; a frame does not.
        (
            "## Notes\n\n## 14:00\n\n## Oak was delivered\n\n## Harbor\n\n- Ferry left\n- Fog\n",
            "2 entries: Oak was delivered, Harbor.",
            "### Oak was delivered\n\n### Harbor\n\n- Ferry left\n- Fog\n",
        ),
        # Without a time, a line may speak of what stands before it, and so does one in prose.
        (
            "## Tests\n\n- it has failed once more\n- retried\n- it has failed once more\n",
            "3 entries: Tests.",
            "### Tests\n\n- it has failed once more\n- retried\n- it has failed once more\n",
        ),
        (
            "## Tests\n\nOn host-1:\n\n- all four of them passed\n\nOn host-2:\n\n- all four of them passed\n",
            "4 entries: Tests.",
            (
                "### Tests\n\nOn host-1:\n\n- all four of them passed\n\nOn host-2:\n\n"
                "- all four of them passed\n"
            ),
        ),
        # So may a comment on a line of its own, which is no entry.
        (
            "## A\n\n- a\n\n<!-- of a, or of b -->\n\n## B\n\n- b\n\n## A\n\n- c\n",
            "3 entries: A, B, A.",
            "### A\n\n- a\n\n<!-- of a, or of b -->\n\n### B\n\n- b\n\n### A\n\n- c\n",
        ),
        # HTML may hold together what stands apart: the order stays.
        (
            "## A\n\n<details>\n\n- a\n\n## B\n\n- b\n\n</details>\n\n## A\n\n- c\n",
            "5 entries: A, B, A.",
            "### A\n\n<details>\n\n- a\n\n### B\n\n- b\n\n</details>\n\n### A\n\n- c\n",
        ),
    ],
)
def test_a_day_is_told_by_matter_and_time(text: str, headline: str, body: str) -> None:
    assert _told(text) == Chapter("2026-03-04", body, headline)


def test_an_entry_without_a_heading_goes_under_a_name_that_has_a_page() -> None:
    names = {"Ana Ferreira": "Ana Ferreira", "Ana": "Ana Ferreira", "山田": "山田"}
    text = (
        "- Anatomy is hard\n- Ask Ana about oak #decision\n- 明日は山田さん\n- Saw Ana Ferreira\n"
    )
    assert _told(text, names).body == (
        "### Ana Ferreira\n\n- Ask Ana about oak #decision\n- Saw Ana Ferreira\n\n"
        "### 山田\n\n- 明日は山田さん\n\n### Other\n\n- Anatomy is hard\n"
    )


def test_a_heading_that_clawgit_made_of_its_entry_is_not_told_twice() -> None:
    said = "Watered the tomatoes behind the shed before breakfast."
    entry = f"- {said} #event <!-- claw:kxmqtp conf=0.95 n=1 -->"
    made = f"## 07:10 - {subject_of_note(said)}\n\n{entry}\n"
    other = "## Harbor\n\n- Ferry left\n"
    assert _told(f"{made}\n{other}").body == (
        f"### Events\n\n- {said} #event (07:10) <!-- claw:kxmqtp conf=0.95 n=1 -->\n\n"
        "### Harbor\n\n- Ferry left\n"
    )


def test_two_entries_with_comments_of_their_own_both_stay() -> None:
    first, second, marked = (
        f"- The ferry left at noon <!-- {comment} -->"
        for comment in ("claw:kxmq", "claw:kxmr", "importance: 7")
    )
    day = "\n".join(
        f"## {hour}:00\n\n{line}\n"
        for hour, line in enumerate(("- The ferry left at noon", first, second, marked, marked), 10)
    )
    words = "- The ferry left at noon"
    assert _told(day).body == (
        f"{words} (10:00, 11:00) <!-- claw:kxmq -->\n{words} (12:00) <!-- claw:kxmr -->\n"
        f"{words} (13:00, 14:00) <!-- importance: 7 -->\n"
    )


_LINES = (
    "## Harbor", "## 10:30 - Harbor", "## Harbor — 9:15", "### 11:00", "## Notes", "# 2026-03-04: fog",
    "- Ferry left at noon", "- 08:00 ferry left at noon", "- berth #decision", "Rain came.", "", "",
    "  - below", "1. first", "> quoted", "```", "| a | b |", "Over\n----", "<b>bold</b>", "<div>",
)  # fmt: skip
_SKELETON = re.compile(r"[a-z]+", re.IGNORECASE)


@given(st.lists(st.sampled_from(_LINES), max_size=14).map("\n".join))
def test_every_word_of_a_day_is_told_and_a_second_telling_adds_none(text: str) -> None:
    told = _told(text)
    words = {*_SKELETON.findall(f"{told.headline}\n{told.body}")}
    assert {*_SKELETON.findall(text)} - words <= {"Notes"}
    assert words <= {*_SKELETON.findall(text), "Other", "Decisions", "also", "entry", "entries"}
    for line in text.splitlines():
        if line.startswith(("- ", "Rain", "> ")):
            assert line in told.body or line[8:] in told.body
