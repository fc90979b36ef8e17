"""What becomes of a fact, whatever memory holds about it."""

from clawgit.core.markdown.entry import Entry, entries
from clawgit.memory.rules.confidence import EXPLICIT, INFERRED
from clawgit.memory.rules.fact import Claim, Verdict, judged
from clawgit.talk.rules.corrections import CONFIRMED, Correction
from tests.each import for_each

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


def outcome(verdict: Verdict) -> tuple[str, int | None]:
    return verdict.action, verdict.entry.line if verdict.entry else None


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
    assert outcome(judged(GUESS, places(item("superseded"), item("archived"), item(), item()))) == (
        "merged",
        3,
    )


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
    assert judged(Claim(text, source, "MEMORY.md"), (), typed).action == action
    waits = [each._replace(status="open") for each in typed]
    assert judged(Claim(text, source, "MEMORY.md"), (), waits).action == "added"
