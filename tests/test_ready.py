"""The Python that is loaded already ends as an interpreter ends."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.ready import python


@pytest.mark.parametrize(
    ("code", "ended", "complaint"),
    [
        ("pass", 0, ""),
        ("raise SystemExit(7)", 7, ""),
        ("raise SystemExit('no way')", 1, "no way"),
        ("{}['key']", 1, "KeyError: 'key'"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL, ""),
    ],
)
def test_a_crash_is_told_from_a_kill(code: str, ended: int, complaint: str) -> None:
    done = subprocess.run(
        [python(), "-c", code], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == ended
    assert done.stderr.strip().splitlines()[-1:] == ([complaint] if complaint else [])


def test_arguments_and_folder_are_those_of_the_caller(tmp_path: Path) -> None:
    file = tmp_path / "says.py"
    file.write_text("import os, sys\nprint(sys.argv, os.getcwd())\n")
    done = subprocess.check_output(
        [python(), str(file), "a b", "ü"], cwd=tmp_path, text=True, timeout=60
    )
    assert done == f"{[str(file), 'a b', 'ü']} {tmp_path}\n"


def test_who_kills_it_has_killed_what_it_runs() -> None:
    """The pipe ends once nobody holds it any more."""
    code = "import signal; print(flush=True); signal.pause()"
    with subprocess.Popen([python(), "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.kill()
        assert child.stdout.read() == ""
