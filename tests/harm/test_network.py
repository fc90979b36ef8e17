"""Nothing leaves the machine but what the operator configured, and nothing is left in the home but
clawgit's own.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import run_to_end
from tests.harm import day

SEALED = Path(__file__).with_name("sealed.py")


def seen_of(*argv: str, **env: str) -> set[str]:
    """What a program looked up and called, in a network where that is seen."""
    env, call = {"PATH": os.environ["PATH"], **env}, (sys.executable, "-P", SEALED, sys.executable)
    done = run_to_end(*call, *argv, cwd=SEALED.parents[2], env=env, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr[-3000:]
    return set(done.stdout.split("\n")) - {""}


@pytest.mark.timeout(400)
def test_no_command_and_no_process_that_stays_speaks_to_anybody_who_is_not_configured(
    tmp_path: Path,
) -> None:
    home, scratch = Path.home(), tmp_path / "scratch"
    scratch.mkdir()
    seen = seen_of(
        *("-m", "tests.harm.day", str(tmp_path / "workspace")),
        HOME=str(home), TMPDIR=str(scratch), TZ="UTC",
    )  # fmt: skip
    assert seen == day.CONFIGURED
    files = [path for path in home.rglob("*") if path.is_file() and "clawgit" not in path.parts]
    assert files == [home / ".gitconfig"]
    assert [*scratch.iterdir()] == []


TALK = """
import socket
for address in (("talk.example", 443), ("203.0.113.9", 80), ("2001:db8::9", 80)):
    try:
        socket.create_connection(address)
    except ConnectionRefusedError:
        pass
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"a log line", ("203.0.113.9", 514))
"""


def test_who_speaks_to_somebody_is_seen() -> None:
    """Else the test above could not fail."""
    assert seen_of("-c", TALK) == {
        "look-up talk.example", "tcp 192.0.2.1 443", "tcp 203.0.113.9 80", "tcp 2001:db8::9 80",
        "udp 203.0.113.9 514",
    }  # fmt: skip
