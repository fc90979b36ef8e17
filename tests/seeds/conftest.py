"""What the tests of the seeds share: an agent's folder that is used by the command line alone."""

import json
from typing import Any

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git

SATURDAY = "2026-03-14T09:00:00+00:00"
"""When it is, where a test says nothing else: a Saturday."""


class Agent:
    """A folder and the commands that are typed in it."""

    def __init__(self, git: Git, capsys: pytest.CaptureFixture[str]) -> None:
        self.git, self.root, self._capsys = git, git.root, capsys
        self.now = SATURDAY

    def __call__(self, *words: str, code: int = 0) -> str:
        """What a command prints."""
        self._capsys.readouterr()
        ended = run(["-C", str(self.root), "--now", self.now, *words])
        printed = self._capsys.readouterr()
        assert ended == code, printed.err
        return printed.out

    def json(self, *words: str) -> Any:
        return json.loads(self(*words, "--json"))

    def write(self, path: str, text: str) -> None:
        self.git.write(path, text)

    def text(self, path: str) -> str:
        file = self.root / path
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def settings(self, **values: object) -> None:
        """A CONFIG.md of these settings."""
        rows = "".join(f"{key}: {value}\n" for key, value in values.items())
        self.write("CONFIG.md", f"# Config\n\n```yaml\n{rows}```\n")
        self.git.commit_all("settings")

    def says(self, *turns: str) -> None:
        """A talk: what the operator and the agent say in turn, a minute each."""
        for number, turn in enumerate(turns):
            role = "user" if number % 2 == 0 else "assistant"
            when = f"{self.now[:14]}{number:02}{self.now[16:]}"
            self(
                "chat", "log", "--session", "agent:main:main", "--role", role, "--time", when, turn
            )


@pytest.fixture
def agent(ws: Git, capsys: pytest.CaptureFixture[str]) -> Agent:
    """With the short memory of every test, and the clock of Greenwich."""
    made = Agent(ws, capsys)
    made.settings(timezone="UTC")
    return made


@pytest.fixture
def newborn(git: Git, capsys: pytest.CaptureFixture[str]) -> Agent:
    """A brand-new folder after `clawgit init`."""
    made = Agent(git, capsys)
    made("init", "--no-openclaw")
    return made


@pytest.fixture
def adopted(ws: Git, capsys: pytest.CaptureFixture[str]) -> Agent:
    """A workspace that somebody had before, with nothing but a soul and a memory."""
    made = Agent(ws, capsys)
    made("init", "--no-openclaw")
    return made
