"""What of two lines stands against each other, by structure; the judge comes after it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.claims.contradicting import (
    NAME,
    NEGATION,
    exchange,
)
from tests.each import for_each


@for_each(
    "a, b, kind, spans",
    [
        ("The standup is at 9:30.", "The standup is at 10:00.", "time", ("9:30", "10:00")),
        (
            "Hosting costs 40 EUR a month.",
            "Hosting costs 55 EUR a month now.",
            "money",
            ("40 EUR", "55 EUR"),
        ),
        ("家賃 43,000円", "家賃 46,000円（共益費込み）", "money", ("43,000円", "46,000円")),
        ("The office is in Paris.", "The office is in Berlin.", NAME, ("Paris", "Berlin")),
        (
            "The importer runs on castor-3.",
            "The importer runs on boreas-4.",
            "code",
            ("castor-3", "boreas-4"),
        ),
        ("Lena eats meat.", "Lena does not eat meat.", NEGATION, ("", "not")),
        (
            "Marta: “my standup is at 9:30” #event",
            "Marta: “my standup is at 10:00” #event",
            "time",
            ("9:30", "10:00"),
        ),
    ],
)
def test_the_one_value_that_differs_is_named_by_its_place(
    a: str, b: str, kind: str, spans: tuple[str, str]
) -> None:
    found = exchange(a, b)
    assert found is not None
    assert (found.kind, (found.a.text, found.b.text)) == (kind, spans)
    assert a[found.a.start : found.a.end] == found.a.text
    assert b[found.b.start : found.b.end] == found.b.text
    turned = exchange(b, a)
    assert turned is not None
    assert (turned.a.text, turned.b.text) == (spans[1], spans[0])


@pytest.mark.parametrize(
    ("a", "b"),
    [
        pytest.param("Branch: feature/a", "Branch: feature/b", id="labels of two records"),
        pytest.param(
            "The backup runs daily at 01:00.",
            "The backup runs on Sunday at 22:00.",
            id="another occasion",
        ),
        pytest.param("The standup was at 9:30.", "The standup is at 10:00.", id="a past state"),
        pytest.param("Maybe the standup is at 9:30.", "The standup is at 10:00.", id="a guess"),
        pytest.param("Is the standup at 9:30?", "Is the standup at 10:00?", id="questions"),
        pytest.param("db-fsn-1 runs Postgres 15.", "db-hel-1 runs Postgres 17.", id="two servers"),
        pytest.param(
            "The Harbor staging database listens on port 5433.",
            "The Harbor reporting database listens on port 6543.",
            id="two of one kind",
        ),
        pytest.param(
            "The server runs Postgres 17.", "The server runs Postgres 17.2.", id="only less exact"
        ),
        pytest.param("Renewal is on Feb 11.", "Renewal is on 11 February.", id="the same day"),
        pytest.param(
            "The route is 12 km long.", "The route takes 12 kg of rope.", id="other units"
        ),
        pytest.param(
            "Tea is at 9:30 and at 11:00.", "Tea is at 9:45 and at 11:15.", id="two values"
        ),
    ],
)
def test_what_can_both_be_true_is_none(a: str, b: str) -> None:
    assert exchange(a, b) is None


def test_lines_of_one_form_under_two_headings_are_records_of_two_things() -> None:
    a, b = "The loudness is at -14 dB.", "The loudness is at -19 dB."
    assert exchange(a, b, "Shows > A", "Shows > B") is None
    assert exchange(a, b, "Shows", "Shows > B") is not None
    assert exchange(a, b, "Shows > A", "Shows > A") is not None


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_can_be_compared(a: str, b: str) -> None:
    found = exchange(a, b)
    if found:
        assert a[found.a.start : found.a.end] == found.a.text
        assert b[found.b.start : found.b.end] == found.b.text
