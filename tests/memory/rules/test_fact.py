"""A fact put into the words of an entry, and the place where it belongs."""

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from clawgit.core.errors import UsageError
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import Entry, append_entry, entries, render
from clawgit.core.markdown.tag_table import PRIMARY
from clawgit.memory.rules.confidence import EXPLICIT, INFERRED
from clawgit.memory.rules.fact import LONGEST, Claim, judged, worded
from clawgit.talk.rules.corrections import CONFIRMED, Correction
from clawgit.workspace.rules.routing import subject
from tests.each import for_each

NOW = datetime(2026, 2, 14, 9, 5, tzinfo=UTC)
ONE = "This is not a single list item: a fact"
OURS = "This contains a `claw:` comment, which only clawgit may write."


@for_each(
    "text, tag, expected",
    [
        ("Billing uses PostgreSQL.", "", ("Billing uses PostgreSQL. #knowledge", "knowledge")),
        ("Billing uses PostgreSQL.", "decision",
            ("Billing uses PostgreSQL. #decision", "decision")),
        ("Uses PostgreSQL #billing", "skill", ("Uses PostgreSQL #billing #skill", "skill")),
        ("bell\x07 and \x1b[31mred", "event", ("bell and [31mred #event", "event")),
    ],
)  # fmt: skip
def test_one_line_and_one_category(text: str, tag: str, expected: tuple[str, str]) -> None:
    assert worded(text, tag) == expected


@for_each(
    "text, tag, message",
    [
        ("", "", "There is nothing to remember."),
        ("x" * (LONGEST + 1), "", "An entry is one fact; this has 4,001 characters."),
        ("a fact", "correction", "#correction is not a category."),
        ("a #skill", "event", "An entry has one category, not #skill, #event."),
        ("a fact <!-- claw:m7k2q9 conf=1.00 -->", "", OURS),
        ("a fact <!-- hidden", "", f"{ONE} <!-- hidden #knowledge"),
        ("a fact <!-- ask Bo --> here", "", f"{ONE} <!-- ask Bo --> here #knowledge"),
        ("not \udcff UTF-8", "", "The text is not UTF-8."),
    ],
)
def test_what_is_no_fact_is_refused(text: str, tag: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        worded(text, tag)
    assert caught.value.message == message
    assert caught.value.hint


@given(st.text(max_size=60), st.sampled_from(["", *PRIMARY]))
def test_what_is_accepted_can_be_read_back_as_the_one_entry(text: str, tag: str) -> None:
    try:
        line, kind = worded(text, tag)
    except UsageError:
        assume(False)
    meta = Meta("m7k2q9", ("conf=.95", "n=2"))
    for before in ("", "# Memory\n\n- Something else.\n", "A paragraph\n"):
        found = [one for one in entries(append_entry(before, None, render(line, meta))) if one.meta]
        assert [(one.text, one.meta, one.primary) for one in found] == [(line, meta, kind)]


@for_each(
    "text, expected",
    [
        ("Met Ana about the roll-out of billing in Lyon", "Met Ana about the roll-out of…"),
        ("今天见了安娜。晚上吃饭", "今天见了安娜…"),
    ],
)
def test_a_few_words_for_a_heading(text: str, expected: str) -> None:
    assert subject(text) == expected


@given(st.text(max_size=80))
def test_a_heading_is_found_again_so_that_a_second_note_joins_it(text: str) -> None:
    heading = f"{NOW:%H:%M} - {subject(text)}"
    note = append_entry(append_entry("# 2026-02-14\n", heading, "- one"), heading, "- two")
    found = [(one.text, one.under[-1]) for one in entries(note)]
    assert found == [("one", heading), ("two", heading)]


# What becomes of a fact, whatever memory holds about it.


FACT = "Office is in Paris. #knowledge"
GUESS = Claim(FACT, INFERRED, "MEMORY.md")
STATED = Claim(FACT, EXPLICIT, "MEMORY.md")
OPERATOR = STATED._replace(binding=True)


def places(*items: str) -> list[Entry]:
    return [
        entry._replace(path="MEMORY.md")
        for entry in entries("".join(f"- {item}\n" for item in items))
    ]


def item(status: str = "", text: str = FACT) -> str:
    return f"{text} <!-- claw:m7k2q9 conf=0.95{f' status={status}' if status else ''} -->"


def outcome(verdict: tuple[str, str, Entry | None]) -> tuple[str, int | None]:
    action, _, entry = verdict
    return action, entry.line if entry else None


@for_each(
    "status, claim, expected",
    [
        ("archived", GUESS, ("merged", 2)),
        ("corrected", GUESS, ("ignored", 2)),
        ("corrected", OPERATOR, ("added", None)),
        ("superseded", GUESS, ("ignored", 2)),
        ("superseded", STATED, ("added", None)),
    ],
)
def test_by_the_state_of_the_entry_that_says_the_same(
    status: str, claim: Claim, expected: tuple[str, int]
) -> None:
    assert outcome(judged(claim, places("Something else.", item(status)))) == expected


def test_a_living_entry_goes_before_one_of_the_past_and_the_first_before_the_second() -> None:
    among = places(item("superseded"), item("archived"), item(), item())
    assert outcome(judged(GUESS, among)) == ("merged", 3)


@for_each(
    "text, source, action",
    [
        ("The thistle service listens on port 4100.", INFERRED, "ignored"),
        ("The thistle service listens on port 4100.", EXPLICIT, "added"),
        ("The basalt service listens on port 4100.", INFERRED, "added"),
        ("The thistle service listens on port 4200.", INFERRED, "added"),
        ("Invoices of thistle go to Kira.", INFERRED, "ignored"),
        ("Invoices of thistle go to Kira.", EXPLICIT, "added"),
        ("Invoices of basalt go to Kira.", INFERRED, "added"),
    ],
)
def test_what_is_inferred_against_a_correction_is_ignored_though_nothing_tells_what_was_wrong(
    text: str, source: str, action: str
) -> None:
    typed = [
        Correction("kq7m2x", None, correct=right, status=CONFIRMED)
        for right in ("The thistle service listens on port 4200.", "Invoices of thistle go to Bo.")
    ]
    assert judged(Claim(text, source, "MEMORY.md"), (), typed)[0] == action
    waits = [each._replace(status="open") for each in typed]
    assert judged(Claim(text, source, "MEMORY.md"), (), waits)[0] == "added"
