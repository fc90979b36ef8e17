"""The benchmarks run, small; what they measure is nothing that a test could assert."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from bench import power
from bench.__main__ import main
from bench.lab import open_lab
from bench.race import NotMeasuredError, Race, Row, Timing, run, timing
from bench.report import Report, as_json, table
from bench.transaction import DEPENDENCIES
from bench.workspaces import copy, plant

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", ["house", "found_first"])
def test_a_benchmark_that_is_asked_for_help_measures_nothing(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        import_module(f"bench.{name}").main(["--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: python -m bench.{name} ")


@pytest.mark.slow
def test_a_quick_run_measures_every_part_of_the_foundation_beside_a_reference() -> None:
    command = [sys.executable, "-m", "bench", "transaction", "--quick", "--json"]
    found = json.loads(subprocess.check_output(command, cwd=ROOT, stderr=subprocess.DEVNULL))
    assert list(dict.fromkeys(row["what"].partition(",")[0] for row in found["rows"])) == MEASURED
    for row in found["rows"]:
        assert row["note"] == ""
        assert row["ratio"] == row["ours"]["p50_ms"] / row["theirs"]["p50_ms"]
        assert row["ours"]["laps"] == row["theirs"]["laps"]
    assert (found["quick"], len(found["load"]), "cores" in found["machine"]) == (True, 2, True)


MEASURED = [
    "scan for foreign edits",
    "one transaction",
    "first indexing",
    "clawgit log PATH",
    "clawgit why PATH:LINE",
    "clawgit status",
    "clawgit --help",
    *(f"import {name}" for name in DEPENDENCIES),
]


def test_an_unknown_benchmark_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["transactions"])
    assert stopped.value.code == 2
    assert "choose from" in capsys.readouterr().err


def test_contenders_run_in_turn_after_one_lap_that_does_not_count() -> None:
    ran: list[str] = []
    references = {"git": lambda: ran.append("b"), "pygit2": lambda: ran.append("c")}
    rows = run(Race("x", lambda: ran.append("a"), references, laps=2))
    assert "".join(ran) == "abc" * 3
    assert [(row.reference, row.ours.laps if row.ours else 0) for row in rows] == [
        ("git", 2),
        ("pygit2", 2),
    ]


def test_a_contender_of_ours_that_cannot_run_becomes_a_note_and_its_references_rest() -> None:
    def missing() -> None:
        raise NotMeasuredError("not there yet")

    reference_ran: list[bool] = []
    race = Race("x", missing, {"git": lambda: reference_ran.append(True)}, 3, 10.0)
    assert run(race) == [Row("x", budget_ms=10.0, note="not there yet")]
    assert reference_ran == []


def test_percentiles_are_measured_values() -> None:
    assert timing([float(lap) for lap in range(40, 0, -1)]) == Timing(20.5, 38.0, 40)
    assert timing([7.0]) == Timing(7.0, 7.0, 1)


def test_a_command_that_fails_says_so_and_is_not_timed(tmp_path: Path) -> None:
    lab = open_lab(tmp_path)
    with pytest.raises(NotMeasuredError, match="failed: error: "):
        lab.clawgit(tmp_path, "log")()


def test_a_reference_that_fails_stops_the_benchmark(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        open_lab(tmp_path).git(tmp_path, "no-such-command")()


def test_a_planted_workspace_has_the_files_and_commits_asked_for_and_is_clean(
    tmp_path: Path,
) -> None:
    lab = open_lab(tmp_path)
    planted = plant(lab, "ws", files=20, commits=250)
    for root in (planted, copy(lab, planted, "copy")):
        assert _git(root, "ls-files").count("\n") == 20
        assert _git(root, "rev-list", "--count", "HEAD") == "250\n"
        assert _git(root, "rev-list", "--count", "HEAD", "--", "MEMORY.md", "SOUL.md") == "3\n"
        assert _git(root, "status", "--porcelain") == ""


def test_the_table_puts_budget_and_verdict_beside_each_thing_once() -> None:
    rows = [
        Row("one transaction", Timing(8.0, 9.5, 40), "git", Timing(16.0, 20.25, 40), 10.0),
        Row("one transaction", Timing(8.0, 9.5, 40), "pygit2", Timing(4.0, 5.0, 40), 10.0),
        Row("status", Timing(1234.5, 2000.0, 40), "git status", Timing(100.0, 110.0, 40), 120.0),
        Row("why", budget_ms=150.0, note="not there yet"),
    ]
    report = Report("transaction", quick=False, machine="a machine", load=(0.5, 1.25), rows=rows)
    assert table(report) == EXPECTED
    assert [row["verdict"] for row in as_json(report)["rows"]] == ["within", "within", "over", None]


EXPECTED = """\
transaction
a machine
load 0.5 → 1.25

                  p50 ms   p95 ms  beside         p50 ms  p95 ms  ratio  budget
one transaction      8.0      9.5  git              16.0    20.2   0.50  10 ms within
                                   pygit2            4.0     5.0   2.00
status           1,234.5  2,000.0  git status      100.0   110.0  12.35  120 ms over
why                                not there yet                         150 ms"""


def _git(root: Path, *args: str) -> str:
    return subprocess.check_output(["git", *args], cwd=root, text=True)


@pytest.mark.slow
def test_a_large_workspace_is_measured_beside_a_reference() -> None:
    command = [sys.executable, "-m", "bench", "large", "--files", "30", "--items", "300"]
    lines = subprocess.check_output(command, cwd=ROOT, stderr=subprocess.DEVNULL).decode()
    one_process, clients = (table.splitlines()[2:] for table in lines.split("\n\n")[-2:])
    rows = [line.split(" | ") for line in one_process]
    assert [row[0] for row in rows] == [
        "| snapshot of new files", "| snapshot, unchanged", "| first search (as git commits)",
        "| next search",
    ]  # fmt: skip
    assert all(float(row[3]) > 0 for row in rows)
    assert [line.split(" | ")[0] for line in clients] == [
        "| 1", "| 2", "| 4", "| 8", "| 1, a constant",
    ]  # fmt: skip


def test_power_cuts_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit, match="This needs Linux, root, loop devices"):
        power.report("ext4", 1, ("add",), 1, None)
