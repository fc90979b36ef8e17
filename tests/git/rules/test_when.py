"""Times as people write them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from clawgit.git.rules.when import parse_end, parse_when
from tests.each import for_each

VIENNA = ZoneInfo("Europe/Vienna")
NOW = datetime(2026, 7, 15, 9, 30, tzinfo=VIENNA)  # a Wednesday, in summer time


@for_each(
    "text, expected",
    [
        ("2026-02-01", "2026-02-01T00:00:00+01:00"),
        ("2026-07-01", "2026-07-01T00:00:00+02:00"),
        ("2026-02-01T10:00Z", "2026-02-01T10:00:00+00:00"),
        ("2026-02-01 10:00 +0200", "2026-02-01T10:00:00+02:00"),
        ("yesterday 14:05", "2026-07-14T14:05:00+02:00"),
        ("last Wednesday", "2026-07-08T00:00:00+02:00"),
        ("3 days ago", "2026-07-12T09:30:00+02:00"),
        ("5 months ago", "2026-02-15T09:30:00+01:00"),
        ("a year ago", "2025-07-15T09:30:00+02:00"),
    ],
)
def test_reads(text: str, expected: str) -> None:
    found = parse_when(text, NOW, VIENNA)
    assert found is not None
    assert found.isoformat() == expected


@for_each(
    "text",
    ["", "main", "HEAD~3", "2026", "2026-02-30", "2026-2-1", "20260201", "someday", "3 days", "ago",
        "999999 years ago",
     "2026-02-01T25:00", "last today week", "yesterday 99:99", "klmnopqr"],
)  # fmt: skip
def test_what_names_no_time_is_left_to_others(text: str) -> None:
    assert parse_when(text, NOW, VIENNA) is None


def test_days_keep_the_time_of_day_across_a_clock_change_and_hours_do_not() -> None:
    after = datetime(2026, 3, 29, 12, 0, tzinfo=VIENNA)
    assert parse_when("1 day ago", after, VIENNA) == datetime(2026, 3, 28, 12, 0, tzinfo=VIENNA)
    assert parse_when("24 hours ago", after, VIENNA) == datetime(2026, 3, 28, 11, 0, tzinfo=VIENNA)


def test_the_day_is_the_operators_not_the_clocks() -> None:
    late = datetime(2026, 7, 14, 23, 30, tzinfo=UTC)
    assert parse_when("today", late, VIENNA) == datetime(2026, 7, 15, tzinfo=VIENNA)


@for_each(
    "text, expected",
    [
        ("2026-02-01", "2026-02-02T00:00:00+01:00"),
        ("2026-03-29", "2026-03-30T00:00:00+02:00"),
        ("last monday", "2026-07-14T00:00:00+02:00"),
        ("2026-02-01 10:00", "2026-02-01T10:00:00+01:00"),
        ("9999-12-31", "9999-12-31T00:00:00+01:00"),
    ],
)
def test_up_to_a_day_is_up_to_its_end(text: str, expected: str) -> None:
    end = parse_end(text, NOW, VIENNA)
    assert end is not None
    assert end.isoformat() == expected
