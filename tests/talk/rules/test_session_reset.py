"""When a session is due for a fresh start: on the operator's clock, over changes to and from summer
time."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from clawgit.talk.rules.session import DueReset, due

MADRID, YORK = ZoneInfo("Europe/Madrid"), ZoneInfo("America/New_York")


def reset(last: datetime, rule: str = "daily", zone: tzinfo = MADRID) -> DueReset:
    return due(last, rule, zone)


def at(text: str, zone: tzinfo = MADRID) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def test_a_day_is_the_operators_not_that_of_utc() -> None:
    last = datetime(2026, 2, 14, 2, 30, tzinfo=UTC)
    assert reset(last).at == datetime(2026, 2, 14, 3, 0, tzinfo=UTC)
    assert reset(last, zone=YORK).at == datetime(2026, 2, 14, 9, 0, tzinfo=UTC)


def test_the_hour_is_that_of_the_clock_on_the_wall_all_year() -> None:
    """Madrid puts its clocks on by an hour on 29 March 2026, and back on 25 October."""
    assert reset(at("2026-03-28T12:00")).at == datetime(2026, 3, 29, 2, 0, tzinfo=UTC)
    assert reset(at("2026-03-29T01:59")).at == datetime(2026, 3, 29, 2, 0, tzinfo=UTC)
    assert reset(at("2026-10-24T12:00")).at == datetime(2026, 10, 25, 3, 0, tzinfo=UTC)


def test_idle_is_counted_in_real_minutes() -> None:
    last = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
    assert reset(last.astimezone(MADRID), "idle") == DueReset(
        datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "idle"
    )


MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds


@given(MOMENTS, st.sampled_from([MADRID, YORK, ZoneInfo("Pacific/Apia"), UTC]))
def test_daily_comes_within_a_day_and_the_hour_of_a_change(last: datetime, zone: tzinfo) -> None:
    found = reset(last, zone=zone).at
    assert timedelta() < found.astimezone(UTC) - last <= timedelta(hours=25)
