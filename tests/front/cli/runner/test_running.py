"""`clawgit run` and `clawgit schedule`, as real processes and as one call."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from clawgit.core.disk.program import run_program
from clawgit.git.lock import workspace_lock
from clawgit.run.schedule import job_name, runner_lock
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.runs import errand_series, series
from tests.chatting import opened
from tests.conftest import NOW, Git, run_to_end
from tests.ended import ended
from tests.front.cli.typed import call
from tests.trusting import accept_settings

DAY = "2026-02-14T09:00:00+00:00"


def cli(git: Git, *arguments: str, code: int = 0) -> str:
    told = call("-C", str(git.root), "--now", DAY, *arguments)
    assert told.code == code, told
    return told.out


@pytest.fixture
def quiet(ws: Git) -> Git:
    ws.write("CONFIG.md", "# Config\n\n```yaml\ntimezone: UTC\nsearch_mode: core\n```\n")
    ws.commit_all("config")
    return ws


def test_a_job_that_failed_is_told_everywhere_until_it_ran_well(quiet: Git) -> None:
    with opened(quiet.root).state() as state:
        for job in (series("conflict-detector"), errand_series("index")):
            run = runs.new_run()
            runs.begin(state, job, run, NOW)
            runs.finish(state, run, NOW, runs.FAILED, trouble="the disk is full")

    for command, code in (((), 0), (("status",), 0), (("doctor",), 1)):
        shown = " ".join(cli(quiet, *command, code=code).split())
        assert "conflict-detector failed: the disk is full" in shown
        assert "clawgit agent run conflict-detector" in shown
        assert "index failed: the disk is full" in shown
    cli(quiet, "agent", "run", "conflict-detector")
    assert "conflict-detector" not in cli(quiet, "doctor", code=1)


def test_a_round_in_which_a_job_fails_exits_with_1(quiet: Git) -> None:
    with opened(quiet.root).state() as state:
        run = runs.new_run()
        last = NOW - timedelta(days=3)
        runs.begin(state, series("memory-miner"), run, last, by=job_name("memory-miner", last))
        runs.finish(state, run, last, runs.DONE)
    quiet.write("README.md", "theirs")
    quiet("checkout", "-q", "--detach")
    assert "  failed  " in cli(quiet, "run", "--once", code=1)


def test_a_round_beside_a_living_runner_leaves_the_jobs_to_it(quiet: Git) -> None:
    """As from cron: nothing is wrong, and nothing runs twice."""
    with workspace_lock(runner_lock(opened(quiet.root).place), "clawgit run", 0):
        assert f"runner  process {os.getpid()}" in cli(quiet, "run", "--once")


def test_install_writes_a_unit_once_and_uninstall_takes_it_away(
    quiet: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    did = [
        json.loads(cli(quiet, "schedule", command, "--kind", "systemd", "--json"))["action"]
        for command in ("install", "install", "uninstall", "uninstall")
    ]
    assert did == ["written", "written", "removed", "absent"]
    assert list((Path(os.environ["HOME"]) / ".config" / "systemd" / "user").iterdir()) == []


def test_a_real_runner_ends_by_itself_at_sigterm(quiet: Git) -> None:
    command = [sys.executable, "-m", "clawgit", "-C", str(quiet.root), "run"]
    runner = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert runner.stderr is not None
    assert "running the jobs" in runner.stderr.readline()
    runner.send_signal(signal.SIGTERM)
    assert runner.wait(20) == 0
    runner.stderr.close()


def test_a_job_that_is_told_to_end_takes_its_model_along(quiet: Git) -> None:
    told = quiet.root.parent / "model.pid"
    program = quiet.root.parent / "model.sh"
    program.write_text(
        f"#!/bin/sh\nmkfifo {told}.never; echo $$ > {told}; read line < {told}.never\n"
    )
    program.chmod(0o755)
    quiet.write(
        "CONFIG.md", f"# Config\n\n```yaml\ntimezone: UTC\nllm_model: command:{program}\n```\n"
    )
    accept_settings(quiet.root)
    cli(quiet, "chat", "log", "--session", "agent:main:main", "We decided to use PostgreSQL.")
    place = (sys.executable, "-m", "clawgit", "-C", str(quiet.root), "--now", DAY)
    job = subprocess.Popen([*place, "run", "--once", "memory-miner"], stderr=subprocess.DEVNULL)
    while not (told.exists() and told.read_text()) and job.poll() is None:
        time.sleep(0.01)
    job.send_signal(signal.SIGTERM)
    assert job.wait(20) == 130
    assert ended(int(told.read_text()))


def test_who_is_told_to_end_while_a_program_starts_ends_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program may be well under way before it has a number here."""
    begun = []

    def slow(*given: Any, **more: Any) -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen(*given, **more))
        signal.raise_signal(signal.SIGTERM)
        return begun[0]

    monkeypatch.setattr("clawgit.core.disk.program.subprocess.Popen", slow)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_program(["sleep", "20"], b"", folder=tmp_path, env={}, seconds=20)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended(begun[0].pid)


@pytest.mark.host
def test_systemd_accepts_the_unit(quiet: Git, tmp_path: Path) -> None:
    assert shutil.which("systemd-analyze")
    cli(quiet, "schedule", "install", "--kind", "systemd")
    [unit] = (Path(os.environ["HOME"]) / ".config" / "systemd" / "user").iterdir()
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    seen = run_to_end("systemd-analyze", "verify", "--user", unit, env=env)
    assert (seen.returncode, seen.stderr) == (0, "")
