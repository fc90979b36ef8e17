"""How alike texts are, and the law by which two of them may become one."""

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.facts.likeness import (
    Likeness,
    alike,
    fuller,
    likeness,
    may_merge,
    may_merge_if_near,
)
from tests.each import for_each
from tests.work import calls

MERGED = [
    ("Billing uses PostgreSQL", "We decided to use PostgreSQL for billing."),
    ("Billing uses PostgreSQL. #decision", "Billing is running on PostgreSQL"),
    ("On staging the api uses redis", "The api uses redis on staging."),
    ("Deploys happen on Fridays", "Deploys happen on Fridays, because the client is away"),
    ("Two replicas run in Frankfurt", "2 replicas running in Frankfurt"),
    ("The shop recieved its certificate", "The shop received its certificate"),
    ("Mira doesn't eat meat", "Mira does not eat meat."),
    ("Backups run nightly at the office.", "Backup runs nightly at the office."),
    ("Invoices are sent weekly", "An invoice is sent weekly"),
]
KEPT_APART = [
    ("Billing uses PostgreSQL", "Billing uses MySQL"),
    ("The backup runs at 3", "The backup runs at 4"),
    ("The backup runs on Monday", "The backup runs on Tuesday"),
    ("Deploys happen on Fridays", "Deploys never happen on Fridays"),
    ("Ana likes tea", "Ben likes tea"),
    ("Ana's manager is Ben", "Ben's manager is Ana"),
    ("The api calls the worker", "The worker calls the api"),
    ("backup before deploy", "deploy before backup"),
    ("the staging server uses redis", "the server uses redis"),
    ("Mira prefers tabs", "Mira prefers spaces"),
    ("Ask IT about the lease", "Ask about the lease"),
    ("Christian prefers tea", "Christiane prefers tea"),
    ("Rent is due. Jan pays.", "Rent is due. Jane pays."),
    ("- **Andrea**: signs on Friday", "- **Andreas**: signs on Friday"),
    ("Robert left the team", "Roberts left the team"),
    ("We met Simon at the fair", "We met Simone at the fair"),
    ("We meet on May 5", "We meet on June 5"),
    ("All tests run at night", "Some tests run at night"),
    ("The rent is $900", "The rent is €900"),
    ("账单使用 PostgreSQL", "账单不使用 PostgreSQL"),
    ("결제는 PostgreSQL을 쓴다", "결제는 MySQL을 쓴다"),
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
    assert [one.index for one in alike("PostgreSQL is used for billing", others, 0.6)] == [2, 1]


def test_a_slip_of_the_finger_is_alike_by_its_letters() -> None:
    assert (
        likeness("The warehouse inventory is in Rotterdam", "The warehose inventory is in Roterdam")
        >= 0.9
    )


def test_vectors_are_asked_once_for_all() -> None:
    near = Near()
    rows = Likeness(["abc", "xyz"]).all_alike(["cab", "zyx"], 0.9, near)
    assert ([[one.index for one in row] for row in rows], near.asked) == ([[0], [1]], 1)


def test_without_texts_no_vectors_are_asked_for() -> None:
    near = Near()
    assert (Likeness([]).all_alike(["a"], 0.5, near), near.asked) == ([()], 0)


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


def test_every_pair_of_the_tables_is_judged_alike_both_ways() -> None:
    texts = [text for pair in KEPT_APART[:8] for text in pair]
    assert all(likeness(one, other) == likeness(other, one) for one, other in product(texts, texts))


def test_four_times_the_texts_with_a_word_in_common_are_four_times_the_work() -> None:
    def work(count: int) -> int:
        letters = Random(count)  # no text is known from the other run
        words = ["".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=48)) for _ in range(count)]
        texts = [f"The report keeps {word[:24]} in the {word[24:]}" for word in words]

        def ask() -> None:
            known = Likeness()
            for text in texts:
                known.alike(text, 0.65)
                known.add(text)

        return calls(ask)

    assert work(400) < 5 * work(100)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We use PostgreSQL for billing.", "We use Postgres for billing."),
        ("The team runs Postgres 16 in production.", "The team runs PostgreSQL 16 in production."),
        ("Jobs wait in RabbitMQ.", "Jobs wait in Rabbit."),
        ("The page is built with Node.js.", "The page is built with NodeJS."),
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
        ("We use Graph for the API.", "We use GraphQL for the API."),
        ("Ask Gabriel for the keys.", "Ask Gabriela for the keys."),
        ("The team runs PostgreSQL 15.", "The team runs Postgres 16."),
        ("We use PostgreSQL for billing.", "We do not use Postgres for billing."),
        ("Ana prefers tea to coffee.", "Ana prefers coffee to tea."),
        ("Ana likes olives.", "Ana hates olives."),
        ("The landlord pays the water bill.", "The tenant pays the water bill."),
        ("The left pedal squeaks.", "The right pedal squeaks."),
        ("Meetings happen on Tuesday morning.", "Meetings happen on Tuesday evening."),
    ],
)
def test_near_texts_with_two_values_stay_two(first: str, second: str) -> None:
    """Each pair has a cosine of about .9 in the static model."""
    assert not may_merge_if_near(first, second)
    assert not may_merge_if_near(second, first)
