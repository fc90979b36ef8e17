"""Which changes take back what the operator put right."""

from clawgit.talk.rules.corrections import ARCHIVE, CORRECTIONS, Correction, render
from clawgit.talk.rules.lost import lost_corrections, taken_back
from tests.each import for_each

RIGHT = Correction("c1", None, correct="The office is in Berlin.", status="confirmed", words="No.")
LOG = render(RIGHT)


@for_each(
    "after",
    [
        {CORRECTIONS: ""},
        {CORRECTIONS: render(RIGHT._replace(correct="The office is in Rome."))},
        {CORRECTIONS: render(RIGHT._replace(status="open"))},
        {CORRECTIONS: render(RIGHT._replace(words="Rome, I said."))},
        {CORRECTIONS: "", "notes.md": LOG},
    ],
)
def test_a_correction_that_is_gone_or_says_something_else_is_lost(after: dict[str, str]) -> None:
    assert [loss.name for loss in lost_corrections({CORRECTIONS: LOG}, after)] == ["c1"]


@for_each(
    "after",
    [
        {CORRECTIONS: "", f"{ARCHIVE}2026-February.md": LOG},
        {CORRECTIONS: render(RIGHT._replace(re_embedded=True))},
    ],
)
def test_one_that_moved_is_still_there(after: dict[str, str]) -> None:
    assert [*lost_corrections({CORRECTIONS: LOG}, after)] == []


def test_what_nobody_confirmed_and_nobody_said_may_go() -> None:
    asked = render(RIGHT._replace(status="open", words=""))
    assert [*lost_corrections({CORRECTIONS: asked}, {})] == []


def test_what_the_operator_said_stays_until_he_has_settled_it() -> None:
    quoted = render(RIGHT._replace(status="quoted"))
    assert [loss.name for loss in lost_corrections({CORRECTIONS: quoted}, {})] == ["c1"]


ENTRY = "- The office is in Berlin. <!-- claw:kmnpqr src=correction -->\n"


@for_each(
    "after, is_lost",
    [
        ({"MEMORY.md": "- The office is in Paris. <!-- claw:kmnpqr src=inferred -->\n"}, True),
        ({"MEMORY.md": "- The office is in Berlin. <!-- claw:kmnpqr src=inferred -->\n"}, True),
        ({"MEMORY.md": ENTRY.replace("src=", "status=superseded src=")}, True),
        ({"MEMORY.md": ""}, True),
        ({"MEMORY.md": f"# Memory\n\n{ENTRY}"}, False),
        ({"MEMORY.md": "", "memory/2026-02-13.md": ENTRY}, False),
    ],
)
def test_an_entry_that_the_operator_put_right_stays_somewhere(
    after: dict[str, str], is_lost: bool
) -> None:
    assert bool([*taken_back({"MEMORY.md": ENTRY}, after)]) == is_lost
