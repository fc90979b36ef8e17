"""A program of the operator that is started, and told to end."""

import os
from pathlib import Path

import pytest

from clawgit.core.disk.program import Child, ProgramError, run_program


def test_one_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="cannot be run: No such file or directory"):
        run_program(["/no/such"], b"", folder=tmp_path, env=os.environ, seconds=60)


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
