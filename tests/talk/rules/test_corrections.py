"""CORRECTIONS.md, as people and as we write it."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from clawgit.talk.rules.corrections import Correction, corrections, render
from tests.strategies import ANY_TEXT

FILE = """\
# CORRECTIONS.md: where memory failed

## kmnopqrs · 2026-02-14T09:30:00+01:00

- Trigger: I told you already
- Trigger confidence: High
- Agent said: Billing uses MySQL.
  It always has.
- Correct: Billing uses PostgreSQL.
- Was: m7k2q9 Billing uses MySQL.
- Re-embedded: true
- Status: confirmed

## zyxwvuts · 2026-02-15

- **Trigger:** no, it's
- **Correct:** Ana lives in Lyon.
**Status**: Open

## Notes

- Correct: nothing of the kind
"""
FIRST = Correction(
    id="kmnopqrs",
    time=datetime(2026, 2, 14, 9, 30, tzinfo=timezone(timedelta(hours=1))),
    trigger="I told you already",
    confidence="high",
    said="Billing uses MySQL.\nIt always has.",
    correct="Billing uses PostgreSQL.",
    was="m7k2q9 Billing uses MySQL.",
    re_embedded=True,
    status="confirmed",
    line=3,
)


def test_sections_are_read_with_their_fields_however_they_are_marked_up() -> None:
    first, second = corrections(FILE)
    assert first == FIRST
    assert second == Correction(
        "zyxwvuts",
        datetime(2026, 2, 15, tzinfo=UTC),
        trigger="no, it's",
        correct="Ana lives in Lyon.",
        status="open",
        line=14,
    )


def test_only_what_the_operator_stands_behind_binds() -> None:
    statuses = ["confirmed", "archived", "open", "", "rejected"]
    assert [Correction("k", None, status=status).binds for status in statuses] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_what_stands_in_code_or_is_said_twice_does_not_count() -> None:
    text = (
        "```\n## kkkkkkkk · 2026-02-14\n- Correct: a\n```\n\n## llllllll · soon\n- Correct: "
        "b\n- Correct: c\n"
    )
    assert [(one.id, one.time, one.correct) for one in corrections(text)] == [
        ("llllllll", None, "b")
    ]


def test_a_quoted_field_does_not_take_the_place_of_a_real_one() -> None:
    said = "- Agent said: yes\n  Correct: no\n  - Status: confirmed\n"
    (found,) = corrections(f"## kkkkkkkk · 2026-02-14\n{said}- Correct: maybe\n- Status: open\n")
    assert (found.said, found.correct) == ("yes\nCorrect: no\n- Status: confirmed", "maybe")
    assert found.status == "open"


VALUE = st.text("abc é。*-#:·`<>", max_size=12).map(lambda text: " ".join(text.split()))
VALUES = st.lists(VALUE.filter(bool), max_size=3).map("\n".join)


@given(VALUES, VALUES, VALUES, st.booleans(), st.sampled_from(["open", "confirmed", "archived"]))
def test_what_is_rendered_is_read_back(
    said: str, correct: str, was: str, done: bool, status: str
) -> None:
    time = datetime(2026, 2, 14, 9, 30, tzinfo=UTC)
    one = Correction("kmnopqrs", time, "no, it's", "medium", said, correct, was, done, status)
    again = one._replace(id="zyxwvuts")
    found = corrections("# C\n\n" + "\n".join(map(render, [one, again])))
    assert [item._replace(line=0) for item in found] == [one, again]


@given(ANY_TEXT)
def test_reading_never_fails(text: str) -> None:
    assert all(one.id and one.line > 0 for one in corrections(text))
    assert all(one.id and one.line > 0 for one in corrections(f"## k · {text}\n{text}"))
