"""Answers of git for which no pipe has room."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from clawgit.git.cgit import CGit
from clawgit.git.staged import texts
from tests.conftest import Git, program
from tests.ended import ended


def test_more_texts_than_a_pipe_has_room_for(ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    path, text = f"memory/{'a' * 60}.md", "Tea at nine.\n" * 400
    ws.commit_file(path, text, "tea")
    monkeypatch.chdir(ws.root)
    names = [f"HEAD:{path}", "HEAD:memory/gone.md"] * 800
    assert texts(names, os.environ) == [text, ""] * 800


def test_a_git_that_answers_before_it_has_read_all_is_no_deadlock(ws: Git) -> None:
    git = CGit(ws.root, os.environ)
    count = 5_000  # more than a pipe has room for, each way
    listed = git.start("cat-file", "--batch-check", stdin=b"refs/heads/main\n" * count)
    assert len([*listed.lines()]) == count


def test_a_push_does_not_go_on_after_its_worker(ws: Git, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    hangs = f"case $* in *push*) echo $$ >'{pid}'; exec sleep 60;; esac"
    program(tmp_path / "bin/git", f'{hangs}\nexec {which("git")} "$@"')
    code = (
        "import os, signal, sys, threading, time; from pathlib import Path;"
        "from clawgit.git.remotes.transport import Transport;"
        f"signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); pid = Path({str(pid)!r});"
        "told = lambda: [time.sleep(.01) for _ in range(3000) if not pid.exists()]"
        " and os.kill(os.getpid(), signal.SIGTERM);"
        "threading.Thread(target=told).start();"
        "Transport(Path('.'), os.environ, prompts=False).push('/nowhere', 'main')"
    )
    env = {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ws.root, env=env, check=False)
    assert done.returncode == 7
    number = int(pid.read_text())
    assert ended(number)
