"""The numbers of a sentence, each in the unit of its kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.quantity import differ, tokens


def amounts(text: str) -> list[tuple[str, tuple[float, ...], str]]:
    return [(one.amount.kind, one.amount.value, one.amount.bound) for one in tokens(text) if one.amount]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 hour", ("duration", (3600.0,), "")),
        ("60 min", ("duration", (3600.0,), "")),
        ("30s", ("duration", (30.0,), "")),
        ("about 2 GB", ("size", (2e9,), "~")),
        ("at least 16 GB", ("size", (16e9,), ">")),
        ("no more than three weeks", ("duration", (1814400.0,), "<")),
        ("$1.5k", ("money usd", (1500.0,), "")),
        ("2 million euros", ("money eur", (2e6,), "")),
        ("3,800", ("number", (3800.0,), "")),
        ("12.5%", ("percent", (12.5,), "")),
        ("v3.11.4", ("version", (3.0, 11.0, 4.0), "")),
        ("2026-03-05", ("day", (2026.0, 3.0, 5.0), "")),
        ("March 5, 2026", ("day", (2026.0, 3.0, 5.0), "")),
        ("5 March", ("day", (0.0, 3.0, 5.0), "")),
        ("3月5日", ("day", (0.0, 3.0, 5.0), "")),
        ("Thursdays", ("weekday", (3.0,), "")),
        ("星期四", ("weekday", (3.0,), "")),
        ("목요일", ("weekday", (3.0,), "")),
        ("9:30 pm", ("clock", (1290.0,), "")),
        ("noon", ("clock", (720.0,), "")),
        ("12 am", ("clock", (0.0,), "")),
        ("from 9 to 17", ("span", (9.0, 17.0), "")),
        ("7am-7pm", ("hours", (420.0, 1140.0), "")),
        ("every two weeks", ("every", (1209600.0,), "")),
        ("weekly", ("every", (604800.0,), "")),
        ("in 1998", ("year", (1998.0,), "")),
    ],
)
def test_an_amount_is_read_with_its_kind(text: str, expected: tuple[str, tuple[float, ...], str]) -> None:
    assert amounts(text) == [expected]


@pytest.mark.parametrize("text", ["May I come?", "node.js", "/etc/app2/x", "a1b2", "ana@example.org", "16x25x4"])
def test_what_only_looks_like_a_number_is_a_word(text: str) -> None:
    assert amounts(text) == []


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("1 h", "60 minutes", False), ("1 TB", "1000 GB", False), ("about 10 minutes", "11 minutes", False),
        ("3.11", "3.11.4", False), ("5 March", "2026-03-05", False), ("Monday and Friday", "Friday", False),
        ("at least 5 users", "7 users", False), ("5 €", "$5", False), ("3.11", "3.12", True), ("9am", "9pm", True),
        ("5 March 2025", "5 March 2026", True), ("5432", "5433", True),
    ],
)  # fmt: skip
def test_two_amounts_differ_where_they_cannot_both_be_meant(one: str, other: str, apart: bool) -> None:
    mine, theirs = (tuple(token.amount for token in tokens(text) if token.amount) for text in (one, other))
    assert (differ(mine, theirs) is not None) == apart


@given(st.text(alphabet="0123456789.,:-/$%x vkm@ 月日년 日ab\n", max_size=300))
def test_any_text_has_its_tokens(text: str) -> None:
    assert all(token.word or token.amount for token in tokens(text))
