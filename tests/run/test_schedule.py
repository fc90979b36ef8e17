"""Due times: each day's and each week's once, whatever the clock does."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from clawgit.run.schedule import (
    PAUSES,
    Past,
    ScheduleRule,
    due,
    last_due,
    next_due,
    rule_of,
)

BERLIN = ZoneInfo("Europe/Berlin")
KEEPER, MINER, COMPACTOR = (
    ScheduleRule(time(2, 30)),
    ScheduleRule(time(6)),
    ScheduleRule(time(3), 6),
)
JOBS = {"soul-keeper": KEEPER, "memory-compactor": COMPACTOR, "memory-miner": MINER}
ONE = {"memory-miner": MINER}


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("told", "rule"),
    [
        ("02:30", ScheduleRule(time(2, 30))),
        ("Sunday 03:00", ScheduleRule(time(3), 6)),
        ("Monday 23:59", ScheduleRule(time(23, 59), 0)),
    ],
)
def test_a_setting_says_when(told: str, rule: ScheduleRule) -> None:
    assert rule_of(told) == rule


def test_the_next_time_and_the_last() -> None:
    now = at("2026-02-14T06:00")
    assert (last_due(MINER, now, BERLIN), next_due(MINER, now, BERLIN)) == (
        now,
        at("2026-02-15T06:00"),
    )
    assert next_due(COMPACTOR, now, BERLIN) == at("2026-02-15T03:00")
    assert last_due(COMPACTOR, now, BERLIN) == at("2026-02-08T03:00")


def test_a_time_that_the_clock_leaves_out_comes_an_hour_later() -> None:
    before = at("2026-03-29T00:00")
    assert next_due(KEEPER, before, BERLIN).isoformat() == "2026-03-29T03:30:00+02:00"
    assert next_due(KEEPER, at("2026-03-29T03:30"), BERLIN) == at("2026-03-30T02:30")


def test_a_time_that_the_clock_shows_twice_comes_once() -> None:
    first = next_due(KEEPER, at("2026-10-25T00:00"), BERLIN)
    assert first.isoformat() == "2026-10-25T02:30:00+02:00"
    assert next_due(KEEPER, first, BERLIN) == at("2026-10-26T02:30")


@pytest.mark.parametrize("name", ["Europe/Berlin", "America/Sao_Paulo"])
@pytest.mark.parametrize("rule", [KEEPER, COMPACTOR, ScheduleRule(time(0, 0))])
def test_next_and_last_agree_through_a_year(name: str, rule: ScheduleRule) -> None:
    zone = ZoneInfo(name)
    now, until = (datetime(year, 1, 1, tzinfo=UTC) - timedelta(seconds=1) for year in (2026, 2027))
    days = set()
    while (coming := next_due(rule, now, zone)) <= until:
        assert (
            last_due(rule, coming - timedelta(seconds=1), zone)
            <= now
            < coming
            == last_due(rule, coming, zone)
        )
        days.add(coming.astimezone(zone).date())
        now = coming
    assert len(days) == (52 if rule.weekday is not None else 365)


def test_what_was_missed_runs_once_in_the_order_it_should_have() -> None:
    slept = {name: Past(at("2026-02-10T12:00")) for name in JOBS}
    assert due(JOBS, slept, at("2026-02-16T05:00"), BERLIN) == [
        ("memory-compactor", at("2026-02-15T03:00")),
        ("memory-miner", at("2026-02-15T06:00")),
        ("soul-keeper", at("2026-02-16T02:30")),
    ]


def test_what_was_done_is_not_due_and_what_is_new_begins_with_its_next_time() -> None:
    now = at("2026-02-16T06:00")
    assert due(ONE, {"memory-miner": Past(now)}, now, BERLIN) == []
    assert due(ONE, {}, now, BERLIN) == []


def test_a_job_that_fails_is_tried_again_after_growing_pauses() -> None:
    time_of = at("2026-02-16T06:00")
    pauses = []
    for failures in range(1, len(PAUSES) + 2):
        failed = Past(at("2026-02-15T06:00"), failures, time_of)
        again = failed.again
        assert again is not None
        pauses.append(again - time_of)
        assert due(ONE, {"memory-miner": failed}, again - timedelta(seconds=1), BERLIN) == []
        assert due(ONE, {"memory-miner": failed}, again, BERLIN) == [("memory-miner", time_of)]
    assert pauses == sorted(pauses)
    assert pauses[0] < pauses[-1]
