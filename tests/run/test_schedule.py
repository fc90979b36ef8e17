"""Due times: each day's and each week's once, whatever the clock does."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from clawgit.run.schedule import Past, ScheduleRule, due, last_due, mended, next_due
from tests.each import for_each

BERLIN = ZoneInfo("Europe/Berlin")
KEEPER, MINER = ScheduleRule(time(2, 30)), ScheduleRule(time(6))
COMPACTOR = ScheduleRule(time(3), 6)


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@for_each(
    "day, coming, then",
    [
        ("2026-03-29", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30"),
        ("2026-10-25", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30"),
    ],
)
def test_a_time_that_the_clock_leaves_out_comes_an_hour_later_and_one_that_it_shows_twice_once(
    day: str, coming: str, then: str
) -> None:
    first = next_due(KEEPER, at(f"{day}T00:00"), BERLIN)
    assert first.isoformat() == coming
    assert next_due(KEEPER, first, BERLIN) == at(then)


@for_each("rule", [KEEPER, COMPACTOR, ScheduleRule(time(0, 0))])
@for_each("zone", [BERLIN, ZoneInfo("America/Sao_Paulo")])
def test_next_and_last_agree_through_a_year(rule: ScheduleRule, zone: ZoneInfo) -> None:
    now, until = (datetime(year, 1, 1, tzinfo=UTC) - timedelta(seconds=1) for year in (2026, 2027))
    days = set()
    while (coming := next_due(rule, now, zone)) <= until:
        assert last_due(rule, coming - timedelta(seconds=1), zone) <= now < coming
        assert last_due(rule, coming, zone) == coming
        days.add(coming.astimezone(zone).date())
        now = coming
    assert len(days) == (52 if rule.weekday is not None else 365)


def test_a_clock_that_was_years_ahead_does_not_stop_a_job_for_years() -> None:
    done = mended(Past(at("2030-01-01T06:00")), MINER, at("2026-02-16T12:00"), BERLIN)
    assert done == Past(at("2026-02-16T06:00"))
    assert due({"miner": MINER}, {"miner": done}, at("2026-02-17T06:00"), BERLIN)


def test_a_clock_set_back_since_a_failure_makes_no_pause_longer() -> None:
    failed = Past(at("2026-02-15T06:00"), 1, at("2026-02-17T06:00"))
    now = at("2026-02-16T06:00")
    assert due({"miner": MINER}, {"miner": failed}, now, BERLIN) == [("miner", now)]
