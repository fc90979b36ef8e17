"""A file that clawgit reads by itself may be a link without an end, or a pipe: no command hangs."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git

Said = Callable[..., str]


def is_endless(file: Path) -> None:
    """As a clone may hold it."""
    file.symlink_to("/dev/zero")


def is_a_pipe(file: Path) -> None:
    """As an archive may hold it, or somebody with a shell makes it."""
    os.mkfifo(file)


@pytest.fixture
def _patience() -> Iterator[None]:
    """A read that waits for a writer waits for ever, and so would the suite."""

    def hung(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError("the command hangs")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(90)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def said(ws: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*args: str) -> str:
        run([*args])
        answer = capsys.readouterr()
        return answer.out + answer.err

    return call


COMMANDS = (
    ("init",), ("status",), ("add", "The gate is blue. #knowledge"), ("snapshot",), ("show", "HEAD"),
    ("search", "gate"), ("heartbeat", "hello"), ("doctor",),
)  # fmt: skip


@pytest.mark.usefixtures("_patience")
@pytest.mark.parametrize(
    ("name", "odd"),
    [("CHANGELOG.md", is_a_pipe), ("CONFIG.md", is_endless), ("MEMORY.md", is_endless)],
)
def test_every_command_comes_to_an_end(
    name: str, odd: Callable[[Path], None], ws: Git, said: Said
) -> None:
    said("init")
    (ws.root / name).unlink(missing_ok=True)
    odd(ws.root / name)
    for command in COMMANDS:
        answer = said(*command)
        assert "Traceback" not in answer, command
        assert "This is a bug" not in answer, command


def test_a_linked_changelog_is_somebody_elses(ws: Git, said: Said, tmp_path: Path) -> None:
    precious = tmp_path / "precious.md"
    precious.write_text("mine\n")
    (ws.root / "CHANGELOG.md").unlink(missing_ok=True)
    (ws.root / "CHANGELOG.md").symlink_to(precious)
    said("init")
    assert (precious.read_text(), (ws.root / "CHANGELOG.md").is_symlink()) == ("mine\n", True)


def test_a_branch_cannot_turn_the_line_around(ws: Git, said: Said) -> None:
    said("init")
    ws("checkout", "-q", "-b", "a\u202eb")
    for answer in (said("status"), said()):
        assert "\u202e" not in answer
        assert "a\ufffdb" in answer
