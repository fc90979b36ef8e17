"""Where a line of a note goes: moved, mentioned or left, with every other byte where it was."""

from collections.abc import Mapping
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.entry import NOTEBOOK_CHARACTERS, entries
from clawgit.core.markdown.scan import scan
from clawgit.memory.rules.marks import context
from clawgit.memory.rules.moving import cut_out
from clawgit.memory.rules.plan import LEFT, MOVED, PromotionPlan, Terms, plan
from clawgit.memory.rules.promotion import units, weigh
from clawgit.talk.rules.corrections import CONFIRMED, Correction
from clawgit.talk.rules.quoting import bears, read
from tests.each import for_each

NOTE = "memory/2026-02-13.md"
NOTEBOOK = (
    "# Memory\n\n## Decisions\n\n- Tea for Ana. #decision\n\n## Knowledge\n\n- Paris is far.\n"
)
DECIDED = "We decided to print the catalogue in Graz."
DAY = f"# 2026-02-13\n\n## 10:30 - print\n\n- {DECIDED}\n\n## 11:00 - rest\n\n- Rain, mostly.\n"


def planned(files: Mapping[str, str], **terms: object) -> PromotionPlan:
    candidates = [
        one
        for path in files
        if "2026" in path
        for unit in units(path, files[path])
        if (one := weigh(unit))
    ]
    chosen = [one for one in candidates if not one.against and one.confidence >= 0.4]
    lasting = [path for path in files if "2026" not in path]
    return plan(
        files,
        lasting,
        chosen,
        Terms(datetime(2026, 2, 20, 9, tzinfo=UTC), **terms),  # type: ignore[arg-type]
    )


def test_an_entry_keeps_its_id_its_facts_and_what_is_nested_in_it() -> None:
    facts = "<!-- claw:abc234 c=.8 n=3 src=inferred -->"
    item = (
        f"- IMPORTANT: the contract with Nordwind runs until May. #knowledge {facts}\n  - "
        "signed by Ana\n"
    )
    found = planned({"MEMORY.md": NOTEBOOK, NOTE: f"# 2026-02-13\n\n{item}"})
    [one] = found.decided
    assert one.entryId == "abc234"
    kept = item.replace("src=inferred", "src=inferred ev=memory/2026-02-13.md#L3")
    assert found.files["MEMORY.md"] == NOTEBOOK + kept
    assert found.files[NOTE] == "# 2026-02-13\n"


def test_a_paragraph_becomes_one_entry_and_says_what_its_heading_said() -> None:
    note = "# 2026-02-13\n\n## 11:00 - Catalogue\n\nWe agreed on new prices,\n19 and 49 a month.\n"
    found = planned({"MEMORY.md": NOTEBOOK, NOTE: note})
    assert (
        "- Catalogue: We agreed on new prices, 19 and 49 a month. #decision <!--"
        in found.files["MEMORY.md"]
    )


@for_each(
    "heading, before",
    [("10:30 - Graz", "Graz: "), ("Decisions", ""), ("10:30 PM - Graz\n\n### Decisions", "Graz: ")],
)
def test_a_heading_goes_along_where_it_says_more_than_the_line(heading: str, before: str) -> None:
    [unit] = units(NOTE, f"# 2026-02-13\n\n## {heading}\n\n- Ana has tea at ten.\n")
    assert context(unit) == before


def test_what_is_disputed_gains_no_mention_and_is_not_added_anew() -> None:
    meta = "<!-- claw:abc222 n=1 status=disputed -->"
    notebook = f"# Memory\n\n- {DECIDED} #decision {meta}\n  - Marta: “No, in Linz.” #correction\n"
    found = planned({"MEMORY.md": notebook, NOTE: DAY})
    assert [one.action for one in found.decided] == [LEFT]
    assert found.files == {}


SAID = (
    DECIDED, "IMPORTANT: I never eat nuts.", "★ On Sunday the keys go to Ana.", "Decision: we sail",
    "决定：我们下周一搬到新办公室，不再续租", "Rain.",
)  # fmt: skip


@given(
    st.lists(st.sampled_from(SAID), min_size=1, max_size=5, unique=True),
    st.sampled_from(["Graz", "Key decisions", "10:30 - print", "Anna › Bob"]),
)
def test_no_word_moves_that_neither_the_note_nor_a_frame_has(
    lines: list[str], heading: str
) -> None:
    note = f"# 2026-02-13\n\n## {heading}\n\n" + "".join(f"- {line}\n" for line in lines)
    found = planned({"MEMORY.md": "# Memory\n", NOTE: note})
    for entry in entries(found.files.get("MEMORY.md", "")):
        words = read(entry.text).words
        parts = [words, *(part for part in words.split(": ", 1))]
        assert any(bears(note, part) for part in parts[:1]) or all(
            bears(note, part) for part in parts[1:]
        ), words


def test_the_same_in_two_notes_is_one_entry() -> None:
    found = planned(
        {"MEMORY.md": NOTEBOOK, NOTE: DAY, "memory/2026-02-14.md": DAY.replace("13", "14")}
    )
    assert [one.action for one in found.decided] == [MOVED, LEFT]
    assert found.files["MEMORY.md"].count(DECIDED) == 1


@for_each(
    "said, why",
    [
        (
            DECIDED,
            (
                "the operator corrected this (CORRECTIONS.md#m7k2q9): We decided to print the "
                "catalogue in Linz."
            ),
        ),
        ("We will print in Graz.", "the operator put this right (CORRECTIONS.md#m7k2q9)"),
    ],
)
def test_what_the_operator_corrected_is_not_promoted(said: str, why: str) -> None:
    wrong = Correction(
        "m7k2q9", None, said=said, correct=said.replace("Graz", "Linz"), status=CONFIRMED
    )
    found = planned({"MEMORY.md": NOTEBOOK, NOTE: DAY}, corrections=(wrong,))
    assert [(one.action, one.why[0]) for one in found.decided] == [(LEFT, why)]
    assert found.files == {}


def test_what_was_ticked_off_stays_in_its_note() -> None:
    found = planned({"MEMORY.md": NOTEBOOK, NOTE: f"# 2026-02-13\n\n- [x] {DECIDED}\n"})
    assert (found.decided, found.files) == ((), {})


@for_each("end", ["\n```\nopen fence\n", "\n<!-- open comment\n"])
def test_a_file_that_would_swallow_the_entry_gets_none(end: str) -> None:
    found = planned({"MEMORY.md": f"# Memory\n{end}", NOTE: DAY})
    assert [one.why[0] for one in found.decided] == [
        "MEMORY.md cannot hold it as an entry at its end"
    ]
    assert found.files == {}


PIECES = st.sampled_from([
    "# T\n", "## H\n", "### deep\n", "- item\n", "- item two\n", "  - nested\n", "prose\n", "\n",
    "\n", "\n\n",
    "```\ncode\n```\n", "> quote\n", "1. first\n", "    code\n", "***\n", "| a |\n", "<!-- c -->\n",
    "last",
])  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join), st.sets(st.integers(1, 20), max_size=4))
def test_what_is_cut_out_takes_nothing_else_with_it(text: str, lines: set[int]) -> None:
    left = cut_out(text, lines)
    if left is None:
        return
    kept = [
        block.text.rstrip("\n")
        for block in scan(text)
        if block.line not in lines and block.kind != "blank"
    ]
    there = [block.text.rstrip("\n") for block in scan(left) if block.kind != "blank"]
    lost = [one for one in kept if one not in there]
    assert all(one.startswith("#") for one in lost)
    assert [one for one in there if not one.startswith("#")] == [
        one for one in kept if not one.startswith("#")
    ]


def test_of_many_lines_those_that_have_room_leave_their_note_and_no_other() -> None:
    full = NOTEBOOK + "- x" + "y" * (NOTEBOOK_CHARACTERS - len(NOTEBOOK) - 900) + "\n"
    lines = [f"- We decided to use part {number} for the press." for number in range(60)]
    found = planned({"MEMORY.md": full, NOTE: "\n".join(["# 2026-02-13", "", *lines, ""])})
    moved = {one.startLine for one in found.decided if one.action == MOVED}
    assert 4 < len(moved) < 12
    assert len(found.files["MEMORY.md"]) <= NOTEBOOK_CHARACTERS
    stays = [line for number, line in enumerate(lines, 3) if number not in moved]
    assert found.files[NOTE] == "\n".join(["# 2026-02-13", "", *stays, ""])


def test_what_the_notebook_says_otherwise_is_left() -> None:
    decided = "We decided to print {} pages in Graz."
    day = DAY.replace(DECIDED, decided.format(40))
    said = NOTEBOOK.replace("Tea for Ana.", decided.format(48))
    found = planned({"MEMORY.md": said, NOTE: day})
    assert [(one.action, one.why[0]) for one in found.decided] == [
        (LEFT, "MEMORY.md:5 says otherwise")
    ]
    assert found.files == {}
