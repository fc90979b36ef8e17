"""A program of the operator that is started, and told to end at the worst moment."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

from clawgit.core.disk.program import Child, ProgramError, run_program
from tests.ended import ended

_SLEEPER = ("/bin/sh", "-c", "mkfifo never; read line < never")


@pytest.fixture
def heeded() -> Iterator[None]:
    """SIGTERM is heeded as a job does it."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield
    signal.signal(signal.SIGTERM, before)


def told_to_end(moment: CodeType, folder: Path, event: str) -> int:
    """Runs a program, sends SIGTERM to ourselves at the very moment; returns the program's id."""
    pids: list[int] = []

    def watch(frame: FrameType, what: str, _: object) -> None:
        if frame.f_code is subprocess.Popen.__init__.__code__ and what == "return":
            pids.append(frame.f_locals["self"].pid)
        if frame.f_code is moment and what == event:
            signal.raise_signal(signal.SIGTERM)

    sys.setprofile(watch)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_program(_SLEEPER, b"", folder=folder, env=os.environ, seconds=60)
    finally:
        sys.setprofile(None)
    assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler
    [pid] = pids
    return pid


@pytest.mark.usefixtures("heeded")
def test_whoever_is_told_to_end_while_a_program_starts_takes_it_along(tmp_path: Path) -> None:
    code = subprocess.Popen.__init__.__code__
    event = "call"
    assert ended(told_to_end(code, tmp_path, event))


def test_one_that_cannot_be_started_is_told_and_leaves_the_signals_alone(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ProgramError, match="cannot be run: No such file or directory"):
        run_program(["/no/such"], b"", folder=tmp_path, env=os.environ, seconds=60)
    assert signal.getsignal(signal.SIGINT) is before


_FINISHING = """
mkfifo go; trap 'wait $part; exit 0' TERM
(read line < go; touch done) & part=$!
touch begun; wait $part
"""


@pytest.mark.parametrize("with_all", [False, True])
def test_what_a_program_has_started_goes_on_unless_all_are_asked_to_end(
    tmp_path: Path, *, with_all: bool
) -> None:
    child = Child(["/bin/sh", "-c", _FINISHING], tmp_path, os.environ)
    try:
        child.start()
        while not (tmp_path / "begun").exists():
            assert child.wait(0.05) is None
        child.ask_to_end(with_all=with_all)
        if not with_all:
            (tmp_path / "go").write_text("on\n")
        assert child.wait(30) == 0
        assert (tmp_path / "done").exists() is not with_all
    finally:
        child.end()
