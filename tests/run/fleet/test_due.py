"""What is due in a fleet: each time of each job once, whatever the clocks and the ticks do."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest

from clawgit.run.fleet import commands, members, queue, worker
from clawgit.run.fleet.database import QUERIES, FleetError
from clawgit.run.fleet.queue import QUEUE
from clawgit.run.fleet.worker import rescue, tick
from tests.run.fleet.lab import Lab, replaced


def test_the_tables_are_made_once_and_brought_up_to_date_in_order(own_lab: Lab) -> None:
    lab = own_lab
    assert queue.init(lab.address).applied == ()
    later = {
        "migration 5 first": b"CREATE TABLE clawgit_fleet.later (x int)",
        "migration 6 second": b"ALTER TABLE clawgit_fleet.later ADD COLUMN y int",
    }
    with replaced(queue, "QUERIES", {**QUERIES, **later}):
        assert queue.init(lab.address).applied == tuple(later)
        assert queue.init(lab.address).applied == ()
    broken = {"migration 7 third": b"DROP TABLE later", "migration 8 fourth": b"no SQL"}
    with replaced(queue, "QUERIES", {**QUERIES, **broken}), pytest.raises(FleetError):
        queue.init(lab.address)
    assert lab.query("SELECT x, y FROM later") == []


def test_status_begins_with_a_line_for_all(lab: Lab) -> None:
    for agent in ("coder", "twin"):
        lab.add(agent)
    lab.tick()
    lab.query("UPDATE due SET at = now() - interval '1 hour', failed = id = 1")
    lab.query("""INSERT INTO procrastinate_workers (last_heartbeat)
        SELECT now() - n * interval '1 hour' FROM generate_series(0, 1) n""")
    summary = "1 of 2 workers alive, 2 workspaces: 1 due, 0 running, 2 late, 1 failed"
    assert commands._status_text(members.status(lab.address)).startswith(f"{summary}\n\n")


def test_a_workspace_is_looked_at_first_and_then_has_its_own_times(lab: Lab) -> None:
    lab.add("berlin", config="timezone: Europe/Berlin\ncron_memory_miner: 05:30")
    lab.add("tokyo", config="timezone: Asia/Tokyo")
    lab.work_off()
    sql = """SELECT agent, rule, extract(hour FROM next AT TIME ZONE 'UTC')::int FROM schedule
        JOIN workspace ON id = workspace WHERE job = 'memory-miner' ORDER BY agent"""
    (berlin, *rest) = lab.query(sql)
    assert berlin[:2] == ("berlin", "05:30")
    assert berlin[2] in (3, 4)  # summer, winter
    assert rest == [("tokyo", "06:00", 21)]


def test_each_time_is_written_once_and_missed_times_run_once(lab: Lab) -> None:
    lab.add()
    lab.work_off()
    lab.tick(days=1)
    lab.tick(days=1)
    assert lab.outcomes() == [""]
    lab.tick(days=4)
    assert lab.outcomes() == ["missed", ""]


def test_two_ticks_at_once_write_and_defer_once(lab: Lab) -> None:
    for agent in ("a", "b"):
        lab.add(agent)
    lab.work_off()
    start = Barrier(4)

    def at_once() -> None:
        start.wait()
        lab.tick(days=1)

    threads = [Thread(target=at_once) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lab.tick(days=1)
    assert lab.outcomes() == ["", ""]
    undone = lab.query("SELECT count(*), count(DISTINCT task) FROM due WHERE done IS NULL")[0]
    assert undone[0] == undone[1] == lab.query("SELECT count(*) FROM procrastinate_jobs")[0][0]


def test_a_crash_between_due_and_task_loses_nothing(lab: Lab) -> None:
    lab.add()
    lab.work_off()
    with lab.open() as fleet:
        worker._write_due(fleet, lab.since + timedelta(days=1))
        assert lab.query("SELECT count(task) FROM due WHERE done IS NULL") == [(0,)]
        assert tick(fleet, lab.since + timedelta(days=1)) >= 4
        assert tick(fleet, lab.since + timedelta(days=1)) == 0


def test_a_row_that_cannot_be_read_holds_up_no_other(lab: Lab) -> None:
    for agent in ("a", "b"):
        lab.add(agent)
    lab.work_off()
    lab.query("UPDATE schedule SET zone = 'Mars/Olympus' WHERE workspace = 1")
    lab.tick(days=1)
    sql = "SELECT workspace FROM due WHERE done IS NULL AND job = 'memory-miner'"
    assert lab.query(sql) == [(2,)]


def _stall(lab: Lab) -> None:
    """A worker takes every task, and is gone."""
    lab.query("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1h')")
    lab.query("""UPDATE procrastinate_jobs SET status = 'doing',
        worker_id = (SELECT max(id) FROM procrastinate_workers)""")


def test_tasks_of_a_dead_worker_come_back(lab: Lab) -> None:
    lab.add("a")
    lab.add("b")
    lab.tick()
    _stall(lab)
    with lab.open() as fleet:
        assert rescue(fleet, 60) == []
        assert tick(fleet) == 2
        assert fleet.rows("stalled", queue=QUEUE, stale=60) == []


def test_what_fails_is_tried_again_later_and_given_up_in_the_end(lab: Lab) -> None:
    due, task = lab.given()
    wanted = {"due": due, "task": task, "pauses": [60.0, 300.0], "most": 2}
    with lab.open() as fleet:
        for tries in (1, 2, 3):
            fleet.rows("fail", **wanted, trouble="no", counts=1)
            assert lab.query("SELECT tries, failed FROM due") == [(tries, tries == 3)]
        lab.query("DELETE FROM procrastinate_jobs")
        assert tick(fleet) == 0
        assert fleet.rows("retry", agent="")[0][:2] == ("coder", "look")
        assert tick(fleet) == 1
