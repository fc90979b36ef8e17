"""A workspace in which the release before formats were fixed has lived for two months
(`data/lived-in.tar.xz`): what is in it is there, and it can be worked with.
"""

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.front.cli.typed import Terminal, call

DATA = Path(__file__).parent / "data" / "lived-in.tar.xz"
Said = Callable[..., str]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    """What a command says to the operator, a week after the last change."""
    with tarfile.open(DATA) as archive:
        archive.extractall(tmp_path, filter="data")
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    monkeypatch.setenv("CLAWGIT_NOW", "2026-04-01T08:00:00Z")

    def answer(*words: str) -> str:
        told = call(*words, cwd=tmp_path / "notes")
        assert told.code == 0, told
        return told.out

    return answer


def test_all_that_was_said_decided_and_left_open_is_read(said: Said) -> None:
    assert "The deploy takes 12 minutes." in said("search", "how long does the deploy take")
    assert "The deploy takes 11 minutes. → The deploy takes 12" in said("corrections", "list")
    assert "What is right now: “The boat key is in" in said("corrections", "list", "--open")
    assert "Remember that the importer runs on poplar." in said("chat", "list")
    assert "the boat key is with Ole" in said("chat", "search", "storm")
    assert "added “Never touch the payroll.”" in said("soul", "proposals")
    assert "The operator gave this as a standing order" in said("soul", "log")
    assert said("agent", "list").count("2026-03-25 08:00") == 2
    assert len(said("log").splitlines()) == 20
    assert "banana" not in said("log", "--json") + said("search", "banana")


def test_it_is_worked_with(said: Said, tmp_path: Path) -> None:
    assert "approved" in said("soul", "approve", "kqptwwpz")
    said("heartbeat", "Remember that Bo has the ladder.", "--session", "main")
    assert "1 new" in said("agent", "run", "memory-miner")
    said("corrections", "settle", "a3u878", "The boat key is with Ole.")
    assert "Sent" in said("sync")
    assert "Undid: " in said("undo")
    heard = said("chat", "list")
    assert heard.count("Remember that") == 2
    # What derives from the log of messages is lost.
    for made in (tmp_path / "notes" / ".git" / "clawgit").glob("state.db*"):
        made.unlink()
    assert said("chat", "list").startswith(heard)


def test_old_hooks_are_put_in_order(said: Said, tmp_path: Path) -> None:
    git = Git(tmp_path / "notes")
    config = (git.root / "CONFIG.md").read_text("utf-8")
    told = call("doctor", "--fix", cwd=git.root)
    assert "install the hooks again" in told.out
    assert "CONFIG.md:19: there is no setting layout" in told.out
    git.write("CONFIG.md", config.replace('layout: "openclaw"\n', ""))
    said("snapshot")
    assert "checks pass" in said("doctor")
