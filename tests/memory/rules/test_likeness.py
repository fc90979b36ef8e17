"""How alike texts are, and the law by which two of them may become one."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.rules.likeness import may_hold, refuted, same_fact
from clawgit.memory.rules.overlaps import Overlaps, may_merge, overlap
from clawgit.talk.rules.corrections import CONFIRMED, OPEN, Correction
from tests.each import for_each

SAME = [
    ("Billing uses PostgreSQL.", "billing uses postgresql"),
    ("Billing uses PostgreSQL, not MySQL. #decision", "Billing uses PostgreSQL not MySQL"),
    ("Ana doesn't eat meat", "Ana does not eat meat"),
    ("The backup runs at 03:00", "the  backup\nruns at 03:00"),
    ("Deploys need 5GB of disk", "Deploys need 5 GB of disk"),
    ("Billing now uses PostgreSQL", "Billing uses PostgreSQL"),
    ("账单使用PostgreSQL", "账单使用 PostgreSQL。"),
    ("**Deploy** with `make ship`", "Deploy with make ship"),
]
"""The same fact in another dress; most of them a likeness of letters gets wrong."""
WORDED_OTHERWISE = ("Billing uses PostgreSQL", "We decided billing uses PostgreSQL.")
OTHER_FORMS = ("Ana works at Acme", "Ana worked at Acme")
APART = [
    ("8:00 feeding Milo, 19:00 feeding Luna", "feeding Milo 19:00, feeding Luna 8:00"),
    ("Mondays gym, Tuesdays swim", "gym Tuesdays, swim Mondays"),
    ("The IT budget is 5k", "The budget is 5k"),
    ("Ask Will about the invoice", "Ask about the invoice"),
    ("Billing uses PostgreSQL", "We decided to use PostgreSQL for billing."),
    ("Deploys happen on Fridays", "Deploys happen on Fridays, because the client is away"),
    ("Backups run nightly at the office.", "Backup runs nightly at the office."),
    ("Billing uses PostgreSQL", "Billing uses MySQL"),
    ("The backup runs at 3", "The backup runs at 4"),
    ("Deploys happen on Fridays", "Deploys never happen on Fridays"),
    ("Ana likes tea", "Ben likes tea"),
    ("Ana's manager is Ben", "Ben's manager is Ana"),
    ("The api calls the worker", "The worker calls the api"),
    ("backup before deploy", "deploy before backup"),
    ("the staging server uses redis", "the server uses redis"),
    ("Christian prefers tea", "Christiane prefers tea"),
    ("Rent is due. Jan pays.", "Rent is due. Jane pays."),
    ("We meet on May 5", "We meet on June 5"),
    ("The rent is $900", "The rent is €900"),
    ("账单使用 PostgreSQL", "账单不使用 PostgreSQL"),
    ("Marta likes tea", "Marts likes tea"),
    ("The standup is at 9:30", "The standup is at 10:30"),
    ("Ana is allergic to shellfish since 2019", "Ana is allergic to shellfish since 2018"),
    ("The price is 1,5", "The price is 15"),
    ("The margin is 5%", "The margin is 5"),
    ("We deploy on Fridays", "We do not deploy on Fridays"),
    ("Backups are encrypted", "Backups are unencrypted"),
    ("Ana only drinks tea", "Ana drinks tea"),
    ("Does billing use MySQL?", "Does billing use MySQL"),
    ("~~Billing uses MySQL~~", "Billing uses MySQL"),
    ("[ ] Buy milk", "[x] Buy milk"),
    ("Uses PostgreSQL #billing", "Uses PostgreSQL #shop"),
    ("", ""),
]


@for_each("one, other", [WORDED_OTHERWISE, *SAME])
def test_the_same_in_other_words_may_merge(one: str, other: str) -> None:
    assert may_merge(one, other)
    assert may_merge(other, one)


@for_each("one, other", APART)
def test_what_differs_in_a_word_that_counts_stays_two(one: str, other: str) -> None:
    assert not may_merge(one, other)
    assert not may_merge(other, one)


@given(st.text(max_size=60), st.text(max_size=60))
def test_overlap_and_the_law_hold_for_any_texts_both_ways(one: str, other: str) -> None:
    assert 0 <= overlap(one, other) <= 1
    assert may_merge(one, other) == may_merge(other, one)


def test_a_word_that_very_many_have_finds_nothing_by_itself() -> None:
    texts = [f"harbor crate number{at}" for at in range(250)]
    index = Overlaps(texts)
    assert index.over("harbor crate", 0.6) == []
    assert index.over("harbor crate number7", 0.6)[0] == 7
    assert Overlaps(texts[:9]).over("harbor crate", 0.6) == [*range(9)]


@for_each("one, other", SAME)
def test_the_same_fact_in_another_dress(one: str, other: str) -> None:
    assert same_fact(one, other)
    assert may_hold(f"# Notes\n\n- Something.\n- {one}\n", other)


@for_each("one, other", [OTHER_FORMS, *APART])
def test_another_fact_that_looks_alike(one: str, other: str) -> None:
    assert not same_fact(one, other)
    assert not same_fact(other, one)


def correction(said: str, correct: str, was: str = "", status: str = CONFIRMED) -> Correction:
    time = datetime(2026, 2, 14, tzinfo=UTC)
    return Correction("kq7m2x", time, said=said, correct=correct, was=was, status=status)


@for_each(
    "said, was",
    [
        ("The office is in Paris.", ""),
        ("", "m7k2q9 The office is in Paris."),
        ("no idea", "The office is in Paris."),
    ],
)
def test_what_the_operator_put_right_is_known_again(said: str, was: str) -> None:
    found = correction(said, "The office is in Lyon.", was)
    assert refuted("Office is in Paris", [found]) == found
    assert refuted("Office is in Lyon", [found]) is None
    assert refuted("Ben's office is in Paris", [found]) is None


def test_the_last_word_on_it_counts_and_an_open_one_says_nothing() -> None:
    first = correction("Office is in Paris", "Office is in Lyon")
    last = correction("Office is in Paris", "It is in Rome")
    assert refuted("Office is in Paris", [first, last]) == last
    again = correction("It is in Lyon", "It is in Oslo", was="k1 Office is in Lyon")
    assert refuted("Office is in Paris", [first, again]) == again
    assert refuted("Office is in Paris", [first._replace(status=OPEN)]) is None
    same = correction("Office is in Paris", "office is in Paris")
    assert refuted("Office is in Paris", [same]) is None
