"""How alike texts are, and the law by which two of them may become one."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.memory.rules.likeness import Overlaps, may_merge, overlap
from tests.each import for_each

MERGED = [
    ("Billing uses PostgreSQL", "We decided billing uses PostgreSQL."),
    ("Mira doesn't eat meat", "Mira does not eat meat."),
]
KEPT_APART = [
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
]


@for_each("one, other", MERGED)
def test_the_same_in_other_words_may_merge(one: str, other: str) -> None:
    assert may_merge(one, other)
    assert may_merge(other, one)


@for_each("one, other", KEPT_APART)
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
