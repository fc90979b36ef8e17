"""How two orders, and two complaints, stand to each other; and the frame for what came again."""

from datetime import UTC, datetime, timedelta

from clawgit.soul.rules.growth import FAILED, PRAISED, Growth, Sign, alike, opposes, same
from tests.each import for_each

THEN = datetime(2026, 2, 13, tzinfo=UTC)


@for_each(
    "one, other",
    [
        ("Never use emojis.", "don't use emojis!"),
        ("Answer in German.", "please always answer in German"),
    ],
)
def test_the_same_order_in_other_small_words(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)
    assert not opposes(one, other)


@for_each(
    "one, other",
    [
        ("Use emojis in mails.", "Never use emojis in mails."),
        ("Book flights before 9:00.", "Book flights before 11:00."),
    ],
)
def test_orders_that_exclude_each_other(one: str, other: str) -> None:
    assert opposes(one, other)
    assert opposes(other, one)
    assert not same(one, other)


@for_each(
    "one, other",
    [
        ("Always check the invoices twice.", "always check the backups twice"),
        ("Do not use emojis in mails.", "Use emojis."),
        ("Never push without asking.", "Ask before you delete files."),
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


@for_each("kind, did", [(FAILED, "Corrected"), (PRAISED, "Praised")])
def test_what_came_again_is_counted_by_its_days_with_its_newest_words(kind: str, did: str) -> None:
    signs = [
        Sign(kind, f"Marta: “{day}”", THEN + timedelta(days=day), f"chat:{day}", "")
        for day in range(3)
    ]
    assert Growth(kind, tuple(signs)).rule == (
        f"{did} 3 times (2026-02-13, 2026-02-14, 2026-02-15): Marta: “2”"
    )
    twice = Growth(kind, (signs[0], signs[1], signs[1]))
    assert twice.rule == f"{did} 2 times (2026-02-13, 2026-02-14): Marta: “1”"
