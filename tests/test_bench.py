"""The benchmarks run, small; what they measure is nothing that a test could assert."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.transaction import DEPENDENCIES

ROOT = Path(__file__).parent.parent


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
    "a change by its id",
    "clawgit log PATH",
    "clawgit why PATH:LINE",
    "clawgit status",
    "clawgit --help",
    *(f"import {name}" for name in DEPENDENCIES),
]


@pytest.mark.slow
@pytest.mark.timeout(400)  # an index of many files, and a server
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
