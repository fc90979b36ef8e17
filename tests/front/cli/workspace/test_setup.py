"""`init`: what it says before it writes, and after."""

import fcntl
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Git, run_to_end
from tests.front.cli.typed import call, typed

said, _ = typed()


@pytest.fixture
def shop(git: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    git.write("app.py", "print(1)\n")
    git.write("CLAUDE.md", "# Use tabs\n")
    git.commit_all("a shop")
    monkeypatch.chdir(git.root)
    return git


def test_a_second_init_has_nothing_to_do(shop: Git) -> None:
    said("init")
    again = said("init").splitlines()[-1]
    assert again == f"{shop.root} is a workspace already; nothing to do"


def test_a_workspace_within_another_is_made_only_by_name(
    shop: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And none of a folder whose files the outer one keeps."""
    said("init")
    shop.commit_file("notes/kiln.md", "- The kiln is red.\n", "a note")
    refused = call("init", str(shop.root / "notes"))
    assert refused.code == 2
    assert f"The workspace {shop.root} keeps files of {shop.root}/notes." in refused.err
    assert not (shop.root / "notes" / ".git").exists()
    (shop.root / "src").mkdir()
    monkeypatch.chdir(shop.root / "src")
    refused = call("init")
    assert refused.code == 2
    assert f"{shop.root}/src is in the workspace {shop.root}." in refused.err
    assert not [*(shop.root / "src").iterdir()]
    assert f"{shop.root}/src is a workspace" in said("init", ".")


def test_two_at_once_make_one_workspace(tmp_path: Path) -> None:
    """The second waits until the first is done, at any of its steps."""
    folder = tmp_path / "agent"
    folder.mkdir()
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    command = [sys.executable, "-m", "clawgit", "init", str(folder)]
    both = [subprocess.Popen(command, stdin=subprocess.DEVNULL) for _ in range(2)]
    waiting = [f" {each.pid} " for each in both]
    end = time.monotonic() + 5  # on a machine whose table of locks tells nothing
    while any(pid not in _who_waits_for_a_lock() for pid in waiting) and time.monotonic() < end:
        assert [each.poll() for each in both] == [None, None]
        time.sleep(0.02)
    assert not [*folder.iterdir()]
    os.close(descriptor)
    assert [each.wait() for each in both] == [0, 0]
    assert Git(folder)("log", "--format=%s").count("\n") == 1


def _who_waits_for_a_lock() -> str:
    """The lines of the system's table that tell of somebody who waits, with the ids of processes."""
    lines = Path("/proc/locks").read_text().splitlines()
    return "\n".join(line for line in lines if " -> " in line)


def test_ctrl_c_ends_with_130_whatever_wraps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python 3.11 does, where it comes while a class is made."""

    def cut(*_: object) -> None:
        class Named:
            def __set_name__(self, *_: object) -> None:
                raise KeyboardInterrupt

        type("Made", (), {"named": Named()})

    monkeypatch.setattr("clawgit.terminal.opening.caller", cut)
    done = call("status")
    assert (done.code, done.err) == (130, "interrupted\n")


def test_without_a_command_there_is_the_status_or_outside_the_help(
    shop: Git, tmp_path: Path
) -> None:
    said("init")
    assert said() == said("status")
    assert call("--json").json == call("status", "--json").json
    shown = call(cwd=tmp_path)
    assert shown.code == 0
    assert shown.out.startswith(said("--help"))
    assert shown.out.splitlines()[-1].endswith("clawgit init FOLDER")
    assert call("--json", cwd=tmp_path).json["error"]["kind"] == "not_a_workspace"


# `clawgit backup` and `clawgit watch`, as they are typed.


def test_a_full_disk_leaves_nothing_behind(here: Git, tmp_path: Path) -> None:
    said("status")
    here.write("big.bin", random.Random(1).randbytes(300_000).hex())
    script = f"ulimit -f 200; exec {sys.executable} -m clawgit backup {tmp_path}/agent.backup"

    done = run_to_end("bash", "-c", script, cwd=here.root)

    assert (done.returncode, done.stderr.splitlines()[0]) == (1, "error: The disk is full.")
    assert [path.name for path in tmp_path.iterdir()] == ["ws"]
    assert list((here.root / ".git/clawgit").glob("backup-*")) == []


def test_ctrl_c_ends_watching_with_what_was_done(here: Git) -> None:
    here.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL.\n")
    argv = [sys.executable, "-m", "clawgit", "watch", "--settle", "0.02"]
    with subprocess.Popen(
        argv, cwd=here.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stderr is not None
        first, second = watching.stderr.readline(), watching.stderr.readline()
        watching.send_signal(signal.SIGINT)
        out, _ = watching.communicate(timeout=20)

    assert (first, second[-11:]) == (f"watching {here.root}; Ctrl-C ends it\n", " MEMORY.md\n")
    assert (watching.returncode, out) == (0, "1 snapshot taken\n")
