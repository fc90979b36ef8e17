"""How alike texts are, and the law by which two of them may become one."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.facts.likeness import (
    Likeness,
    fuller,
    likeness,
    may_merge,
    may_merge_if_near,
)
from tests.each import for_each

MERGED = [
    ("Billing uses PostgreSQL", "We decided to use PostgreSQL for billing."),
    ("On staging the api uses redis", "The api uses redis on staging."),
    ("Deploys happen on Fridays", "Deploys happen on Fridays, because the client is away"),
    ("The shop recieved its certificate", "The shop received its certificate"),
    ("Mira doesn't eat meat", "Mira does not eat meat."),
    ("Backups run nightly at the office.", "Backup runs nightly at the office."),
]
KEPT_APART = [
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


class Near:
    """Vectors of a kind: two texts are as near as the share of letters that they have in common."""

    def __init__(self) -> None:
        self.asked = 0

    def cosines(self, ones: Sequence[str], others: Sequence[str]) -> Sequence[Sequence[float]]:
        self.asked += 1
        return [
            [len(set(one) & set(other)) / len(set(one) | set(other)) for other in others]
            for one in ones
        ]


@for_each("one, other", MERGED)
def test_the_same_in_other_words_may_merge(one: str, other: str) -> None:
    assert may_merge(one, other)
    assert may_merge(other, one)


@for_each("one, other", KEPT_APART)
def test_what_differs_in_a_word_that_counts_stays_two(one: str, other: str) -> None:
    assert not may_merge(one, other)
    assert not may_merge(other, one)


def test_the_fuller_of_two_says_more() -> None:
    one, other = (
        "Deploys happen on Fridays",
        "Deploys happen on Fridays, because the client is away",
    )
    assert (fuller(one, other), fuller(other, one), fuller(one, one.upper())) == (other, other, one)


def test_the_most_alike_comes_first_and_what_is_under_the_threshold_not_at_all() -> None:
    others = ["Lunch is at noon", "Billing uses PostgreSQL and redis", "Billing uses PostgreSQL"]
    assert [one.index for one in Likeness(others).alike("PostgreSQL is used for billing", 0.6)] == [
        2,
        1,
    ]


WORDS = st.lists(
    st.sampled_from(
        ["billing", "postgres", "redis", "worker", "monday", "frankfurt", "seven", "alpha"]
    ),
    max_size=6,
)


@given(
    st.lists(WORDS.map(" ".join), max_size=8), WORDS.map(" ".join), st.sampled_from([0.6, 0.8, 0.9])
)
def test_the_index_finds_what_sharing_words_makes_alike(
    others: list[str], text: str, threshold: float
) -> None:
    """As a comparison with each of them does, but for texts that are near by their letters
    alone."""
    found = {one.index for one in Likeness(others).alike(text, threshold)}
    every = {at for at, other in enumerate(others) if likeness(text, other) >= threshold}
    equal = {
        at
        for at, other in enumerate(others)
        if sorted(other.split()) == sorted(text.split()) and other
    }
    assert found <= every
    assert equal <= found


@given(st.text(max_size=60), st.text(max_size=60))
def test_likeness_and_the_law_hold_for_any_texts_both_ways(one: str, other: str) -> None:
    assert 0 <= likeness(one, other) <= 1
    assert may_merge(one, other) == may_merge(other, one)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We use PostgreSQL for billing.", "We use Postgres for billing."),
        ("Jobs wait in RabbitMQ.", "Jobs wait in Rabbit."),
        ("Replies go out by e-mail.", "Replies go out by email."),
    ],
)
def test_near_texts_may_spell_a_name_in_two_ways(first: str, second: str) -> None:
    assert may_merge_if_near(first, second)
    assert may_merge_if_near(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We use PostgreSQL for billing.", "We use MySQL for billing."),
        ("The website is written in Java.", "The website is written in JavaScript."),
        ("Ask Gabriel for the keys.", "Ask Gabriela for the keys."),
        ("The team runs PostgreSQL 15.", "The team runs Postgres 16."),
        ("We use PostgreSQL for billing.", "We do not use Postgres for billing."),
        ("Ana likes olives.", "Ana hates olives."),
    ],
)
def test_near_texts_with_two_values_stay_two(first: str, second: str) -> None:
    """Each pair has a cosine of about .9 in the static model."""
    assert not may_merge_if_near(first, second)
    assert not may_merge_if_near(second, first)
