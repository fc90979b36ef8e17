"""What is longer than the terminal goes through the operator's pager, and nobody else's."""

import os
from pathlib import Path

import pytest

from clawgit.cli.root import run
from docs.make_screens import ROWS, typed
from tests.conftest import Git
from tests.ready import programs


@pytest.fixture
def ws(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    monkeypatch.chdir(ws.root)
    assert run(["init"]) == 0
    return ws


@pytest.fixture
def pager(tmp_path: Path) -> Path:
    """A program that keeps what it is shown."""
    program = tmp_path / "pager"
    program.write_text(f"#!/bin/sh\ncat > '{tmp_path}/shown'\necho PAGED\n")
    program.chmod(0o755)
    return program


def _shown(repo: Git, pager: Path, lines: int, **more: str) -> tuple[str, str]:
    """What `clawgit show` prints at a terminal of a change of so many lines, and what its pager was
    given.
    """
    repo.write("MEMORY.md", "".join(f"- Fact {at}.\n" for at in range(lines)))
    repo.commit_all("facts")
    env = {**os.environ, "PAGER": str(pager), "TERM": "xterm", **more}
    printed, code = typed(f"{programs() / 'clawgit'} show", repo.root, env)
    assert code == 0, printed
    given = pager.with_name("shown")
    return printed, given.read_text("utf-8") if given.exists() else ""


def test_a_long_answer_goes_through_the_pager_whole(ws: Git, pager: Path) -> None:
    printed, given = _shown(ws, pager, ROWS)
    assert "PAGED" in printed
    assert all(f"Fact {at}." in given for at in range(ROWS))


@pytest.mark.parametrize(
    "env",
    [{"CLAWGIT_ACTOR": "robot"}, {"TERM": "dumb"}],
    ids=["an agent", "a dumb terminal"],
)
def test_nobody_waits_in_a_pager_who_cannot_leave_it(
    ws: Git, pager: Path, env: dict[str, str]
) -> None:
    printed, given = _shown(ws, pager, ROWS, **env)
    assert f"Fact {ROWS - 1}." in printed
    assert not given
