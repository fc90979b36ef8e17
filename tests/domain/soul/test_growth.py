"""How two orders, and two complaints, stand to each other; and the frame for what came again, there
and back."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.soul.growth import (
    FAILED,
    PRAISED,
    Growth,
    Sign,
    alike,
    often,
    opposes,
    read_often,
    same,
)
from tests.domain.strategies import ANY_TEXT

THEN = datetime(2026, 2, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never use emojis.", "don't use emojis!"),
        ("Answer in German.", "please always answer in German"),
        ("Marta: “show me the diff first”", "Show the diff first."),
        ("immer auf Deutsch antworten", "bitte auf Deutsch antworten"),
        ("用中文回答", "用中文回答。"),
    ],
)
def test_the_same_order_in_other_small_words(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)
    assert not opposes(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use emojis in mails.", "Never use emojis in mails."),
        ("Book flights before 9:00.", "Book flights before 11:00."),
        ("answer in at most three sentences", "answer in at most five sentences"),
        ("benutze Emojis in Mails", "benutze nie Emojis in Mails"),
    ],
)
def test_orders_that_exclude_each_other(one: str, other: str) -> None:
    assert opposes(one, other)
    assert opposes(other, one)
    assert not same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always check the invoices twice.", "always check the backups twice"),
        ("Do not use emojis in mails.", "Use emojis."),
        ("Never push without asking.", "Ask before you delete files."),
        ("Prüfe immer die Rechnungen", "Prüfe immer die Backups"),
        ("写邮件不要用表情符号", "写报告不要用表格"),
    ],
)
def test_orders_of_another_matter_are_neither(one: str, other: str) -> None:
    assert not same(one, other)
    assert not opposes(one, other)


def test_complaints_of_one_matter_share_its_words() -> None:
    assert alike(
        "you forgot to run the tests before the push", "again no tests run. push without tests!"
    )
    assert not alike("you forgot to run the tests", "you forgot to book the flight to Oslo")
    assert not alike("again??", "again??")


@given(
    ANY_TEXT,
    st.lists(st.integers(0, 400), min_size=1, max_size=9, unique=True),
    st.sampled_from((FAILED, PRAISED)),
)
def test_the_frame_of_what_came_again_is_read_as_it_was_written(
    words: str, days: list[int], kind: str
) -> None:
    quote = f"Marta: “{' '.join(words.split())}”"
    signs = [
        Sign(kind, quote, THEN + timedelta(days=day), f"chat:{day}", words, words)
        for day in sorted(days)
    ]
    known = read_often(often(Growth(kind, tuple(signs))))
    assert known is not None
    assert (known.kind, known.times, known.quote) == (kind, len(days), quote)
    assert known.days == tuple(sign.day.isoformat() for sign in signs[-3:])
