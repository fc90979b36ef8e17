"""A workspace with programs and modules of well-known names, and variables that lead into it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.core.resources import own_program
from tests.conftest import Git, run_to_end


@pytest.fixture
def trap(git: Git) -> Path:
    """Every program and module in it leaves a trace."""
    trace = git.root / "ran"
    for name in ("git", "less", "ssh-keygen"):
        program = git.root / name
        program.write_text(f"#!/bin/sh\n: >'{trace}'\nexit 1\n")
        program.chmod(0o755)
    for name in ("click", "json", "pygit2", "yaml"):
        (git.root / f"{name}.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    return git.root


COMMAND = (sys.executable, str(Path(__file__).parents[1] / "clawgit/front/cli/clawgit"))
"""As an installer puts it on the PATH."""


def ran(trap: Path, *argv: str, **variables: str) -> bool:
    """Whether something of the trap was run by a command that came to its work."""
    done = run_to_end(*argv, "doctor", cwd=trap, env={**os.environ, **variables})
    assert "clawgit init" in done.stdout, done.stderr
    return (trap / "ran").exists()


@pytest.mark.parametrize("path", [":{}", "bin:.:{}"])
def test_no_program_of_the_current_folder_is_started(path: str, trap: Path) -> None:
    assert not ran(trap, *own_program(), PATH=path.format(os.environ["PATH"]))


@pytest.mark.parametrize("path", ["", "."])
def test_a_path_with_nothing_else_is_that_of_the_system(path: str, trap: Path) -> None:
    assert not ran(trap, *own_program(), PATH=path)


@pytest.mark.parametrize(
    ("path", "program"), [(":", own_program()), (".:/nowhere", COMMAND), ("/nowhere::", COMMAND)]
)
def test_no_module_of_the_folder_is_loaded(path: str, program: tuple[str, ...], trap: Path) -> None:
    (trap / "clawgit").mkdir()
    (trap / "clawgit/__init__.py").write_bytes((trap / "json.py").read_bytes())
    assert not ran(trap, *program, PYTHONPATH=path)


def test_nor_by_python_m(trap: Path) -> None:
    assert not ran(trap, sys.executable, "-m", "clawgit")


_THREADED = """
import sys, threading, time
from clawgit.core.surroundings import leave
threading.Thread(target=lambda: (time.sleep(0.3), open(sys.argv[1], "w").close())).start()
sys.stdin.read()
try:
    print("an answer", flush=True)
except BrokenPipeError:
    leave(0)
"""


def test_a_reader_that_is_gone_is_no_failure_while_a_thread_still_works(tmp_path: Path) -> None:
    done = tmp_path / "done"
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    argv = (sys.executable, "-c", _THREADED, str(done))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(argv, env=env, **pipes) as running:  # type: ignore[call-overload]
        running.stdout.close()
        running.stdin.close()
        assert (running.wait(), running.stderr.read()) == (0, b"")
    assert done.exists()
