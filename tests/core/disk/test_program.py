"""Programs of the operator's, started and told to end: real ones, good and bad."""

import json
import os
import sys
from pathlib import Path

import pytest

from clawgit.core.disk.program import Child, Limits, OutsideError, from_program
from tests.conftest import program
from tests.ended import ended

SHORT = Limits(seconds=0.2, size=1000)


def run(folder: Path, body: str, limits: Limits = Limits()) -> str:  # noqa: B008 - an immutable value
    called = [str(program(folder / "crm.sh", body))]
    return from_program(called, {"message": "Wer ist Özlem?"}, folder, os.environ, limits)


def test_a_program_is_told_the_question_and_its_answer_is_taken(tmp_path: Path) -> None:
    assert json.loads(run(tmp_path, "cat")) == {"message": "Wer ist Özlem?"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("exec sleep 5", "took longer than 0.2 s"),
        ("yes", "wrote too much, more than 1,000 bytes"),
        ("exit 3", "ended with 3"),
    ],
)
def test_a_program_that_gives_no_answer_is_told(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(OutsideError, match=said):
        run(tmp_path, body, SHORT)


def test_what_is_no_program_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutsideError, match="cannot be run: No such file"):
        from_program([str(tmp_path / "none")], {}, tmp_path, os.environ, SHORT)
    with pytest.raises(OutsideError, match="cannot be run: Permission denied"):
        from_program([str(tmp_path)], {}, tmp_path, os.environ, SHORT)


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    body = f"{sys.executable} -c 'import time; time.sleep(60)' & echo $! > child; wait"
    with pytest.raises(OutsideError):
        run(tmp_path, body, SHORT)
    assert ended(int((tmp_path / "child").read_text()))


# The part says itself that it has begun: one that is only forked could miss its signal.
_FINISHING = """
mkfifo go; trap 'wait $part; exit 0' TERM
(touch begun; read line < go; touch done) & part=$!
wait $part
"""


@pytest.mark.parametrize("with_all", [False, True])
def test_what_a_program_started_ends_only_when_asked_to(tmp_path: Path, *, with_all: bool) -> None:
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
