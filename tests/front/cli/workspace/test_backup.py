"""`clawgit backup` and `clawgit watch`, as they are typed."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git

Clawgit = Callable[..., str]


@pytest.fixture
def clawgit(
    ws: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Clawgit:
    """Runs a command line in a workspace; returns what it said on both streams, having checked the
    exit code."""
    (ws.root / ".git/clawgit").mkdir()
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-14T09:00:00+00:00")

    def call(*args: str, code: int = 0) -> str:
        found = run([*args])
        said = capsys.readouterr()
        assert found == code, said
        return said.out + said.err

    return call


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return tmp_path / "agent.backup"


def test_a_backup_is_made_verified_and_restored(
    clawgit: Clawgit, ws: Git, saved: Path, tmp_path: Path
) -> None:
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    ws.write("todo.txt", "loose")

    told = clawgit("backup", str(saved))

    ident = ws("log", "-1", "--format=%(trailers:key=Clawgit-Id,valueonly)").strip()
    size = saved.stat().st_size
    assert f"bytes    {size:,}\n" in told
    assert f"id       {ident}\nchanged  MEMORY.md\n" in told
    verified = clawgit("backup", "verify", str(saved))
    assert verified.startswith(
        f"ok     seal: all {size:,} bytes are as they were written\n"
        "ok     git: git fsck --strict finds nothing wrong\n"
        "ok     references: each of 1 points where it did\n"
        "ok     files: each of 1 that no commit holds is as it was\n"
        "ok     state: the database is sound, and has 0 rows"
    )
    made = clawgit("backup", "restore", str(saved), str(tmp_path / "new"))
    assert made.startswith(f"workspace  {tmp_path / 'new'}\ntime       2026-02-14T09:00:00+00:00\n")
    assert (tmp_path / "new/todo.txt").read_text() == "loose"


def test_a_full_disk_leaves_nothing_behind(clawgit: Clawgit, ws: Git, saved: Path) -> None:
    clawgit("status")
    ws.write("big.bin", "x" * 200_000)
    script = f"ulimit -f 100; exec {sys.executable} -m clawgit backup {saved}"

    done = subprocess.run(
        ["bash", "-c", script], cwd=ws.root, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr.splitlines()[0]) == (1, "error: The disk is full.")
    assert [path.name for path in saved.parent.iterdir()] == ["ws"]
    assert list((ws.root / ".git/clawgit").glob("backup-*")) == []


def test_ctrl_c_ends_watching_with_what_was_done(clawgit: Clawgit, ws: Git) -> None:
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    argv = [sys.executable, "-m", "clawgit", "watch", "--settle", "0.02"]
    with subprocess.Popen(
        argv, cwd=ws.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stderr is not None
        first, second = watching.stderr.readline(), watching.stderr.readline()
        watching.send_signal(signal.SIGINT)
        out, _ = watching.communicate(timeout=20)

    assert (first, second[-11:]) == (f"watching {ws.root}; Ctrl-C ends it\n", " MEMORY.md\n")
    assert (watching.returncode, out) == (0, "1 snapshot taken\n")
