"""CONFLICTS.md: what is written is read back; whatever else stands there stays."""

from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.rules.conflict_log import Conflict, ConflictSide, appended, conflicts, decided

A = ConflictSide(
    "The office is in Paris. #knowledge",
    "MEMORY.md",
    "m7k2q9",
    "explicit, chat:main/12",
    date(2026, 1, 3),
)
B = ConflictSide(
    "The office is in Berlin. #knowledge", "memory/2026-02-13.md", "h3fa2911", "by hand"
)
ONE = Conflict(
    "k3x9ab",
    datetime(2026, 2, 14, 7, tzinfo=UTC),
    A,
    B,
    "value (a against b); why",
    "flagged: the operator",
)
HEAD = "# CONFLICTS.md: where two memories disagree\n\nWords of the operator.\n"


def test_an_outcome_is_replaced_and_every_other_byte_stays() -> None:
    text = (
        appended(HEAD.replace("\n", "\r\n"), [ONE, ONE._replace(id="z2z2z2")])
        + "## Notes\r\n\r\n- Outcome: mine\r\n"
    )
    done = decided(text, {"z2z2z2": "A wins: decided"})
    assert [one.outcome for one in conflicts(done)] == ["flagged: the operator", "A wins: decided"]
    assert done.count("\r\n") == done.count("\n")
    assert done.endswith("- Outcome: mine\r\n")
    assert done.replace("A wins: decided", "flagged: the operator") == text


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp", "Zs"))))
def test_any_words_come_back(text: str) -> None:
    one = ONE._replace(a=A._replace(text=text))
    assert conflicts(appended(HEAD, [one]))[0].a.text == text
