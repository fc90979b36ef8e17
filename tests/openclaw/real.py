"""A real OpenClaw in a scratch home: what we write is what it reads. `make test-openclaw` installs
it and runs this.

The folder of npm that holds it is named by CLAWGIT_TEST_OPENCLAW. No model and no channel is
needed.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import json5
import pytest

from tests.conftest import run_to_end
from tests.ended import until

NPM = Path(os.environ["CLAWGIT_TEST_OPENCLAW"]) / "node_modules"
CONFIG = """\
{
  agents: { defaults: { workspace: '~/.openclaw/workspace', }, },
}
"""
WORD = "scratch"


class Home:
    """A home with an OpenClaw and a workspace of clawgit, and their command lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.workspace = path / ".openclaw" / "workspace"
        self.config = path / ".openclaw" / "openclaw.json"
        self.workspace.mkdir(parents=True)
        self.config.write_text(CONFIG)
        (path / ".gitconfig").write_text("[user]\n\tname = Olga\n\temail = olga@example.org\n")
        (self.workspace / "SOUL.md").write_text("# Soul\n\n- Be kind.\n")
        self.env = {
            "HOME": str(path),
            "PATH": f"{Path(sys.executable).parent}:{NPM / 'node/bin'}:/usr/bin:/bin",
            "OPENCLAW_GATEWAY_TOKEN": WORD,
            "LANG": "C.UTF-8",
        }
        self.clawgit("init")

    def clawgit(self, *words: str) -> str:
        return self._ran(["clawgit", "-C", str(self.workspace), *words])

    def openclaw(self, *words: str) -> str:
        return self._ran([str(NPM / ".bin" / "openclaw"), *words])

    def told(self, *words: str) -> Any:
        """Its answer as JSON; a word before that is no part of it."""
        answer = self.openclaw(*words, "--json")
        return json.loads(answer[answer.index("{") :])

    def _ran(self, argv: list[str], *, ok: bool = True) -> str:
        done = run_to_end(*argv, env=self.env, cwd=self.path, timeout=90)
        assert not ok or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def has_in_transcript(self, text: str) -> bool:
        """Whether OpenClaw has written it down yet: it says that it heard a message before it
        does."""
        words = ["session", "new", "--session", "agent:main:main", "--dry-run"]
        return text in self._ran(["clawgit", "-C", str(self.workspace), *words], ok=False)

    @contextmanager
    def gateway(self) -> Iterator[str]:
        """A gateway that runs; gives its address."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        argv = [
            str(NPM / ".bin" / "openclaw"),
            "gateway",
            "run",
            "--port",
            str(port),
            "--bind",
            "loopback",
        ]
        with (self.path / "gateway.log").open("wb") as log:
            running = subprocess.Popen(
                [*argv, "--allow-unconfigured"], env=self.env, cwd=self.path, stdout=log,
                    stderr=log,
                start_new_session=True,
            )  # fmt: skip
        try:
            until(lambda: "[gateway] ready" in (self.path / "gateway.log").read_text())
            yield f"ws://127.0.0.1:{port}"
        finally:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait(60)

    def call(self, address: str, method: str, **params: object) -> None:
        self.openclaw(
            "gateway", "call", method, "--params", json.dumps(params), "--url", address, "--token",
            WORD
        )  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_openclaw_takes_skill_hook_and_server_in(home: Home) -> None:
    home.clawgit("connect", "openclaw")
    assert "Config valid" in home.openclaw("config", "validate")
    [hook] = [one for one in home.told("hooks", "list")["hooks"] if one["name"] == "clawgit"]
    assert (hook["enabledByConfig"], hook["loadable"]) == (True, True)
    assert hook["source"] == "openclaw-managed"
    assert hook["unknownEvents"] == []
    [skill] = [one for one in home.told("skills", "list")["skills"] if one["name"] == "clawgit"]
    assert (skill["eligible"], skill["modelVisible"]) == (True, True)
    assert skill["source"] == "openclaw-workspace"
    assert "clawgit: ok" in home.openclaw("mcp", "doctor")


def test_openclaw_starts_the_server_and_sees_its_tools(home: Home) -> None:
    home.clawgit("connect", "openclaw")
    assert "memory_search" in home.openclaw("mcp", "probe", "clawgit", "--json")


def test_what_we_write_is_what_its_own_commands_write(home: Home) -> None:
    home.clawgit("connect", "openclaw")
    home.openclaw("hooks", "disable", "clawgit")
    server = home.told("mcp", "show", "clawgit")
    home.openclaw("mcp", "unset", "clawgit")
    home.openclaw("hooks", "enable", "clawgit")
    home.openclaw("mcp", "set", "clawgit", json.dumps(server))
    theirs = json.loads(home.config.read_text())
    assert json.loads(home.clawgit("connect", "openclaw", "--json"))["changed"] == []
    assert theirs["hooks"] == {
        "internal": {"enabled": True, "entries": {"clawgit": {"enabled": True}}}
    }
    home.clawgit("connect", "openclaw", "--remove")
    assert {*json.loads(home.config.read_text())} == {"agents", "meta"}


def test_taken_out_it_is_as_it_was(home: Home) -> None:
    home.clawgit("connect", "openclaw")
    home.clawgit("connect", "openclaw", "--remove")
    assert json5.loads(home.config.read_text()) == json5.loads(CONFIG)
    assert "clawgit" not in home.openclaw("mcp", "list", "--json")
    assert [one for one in home.told("hooks", "list")["hooks"] if one["name"] == "clawgit"] == []
    assert [one for one in home.told("skills", "list")["skills"] if one["name"] == "clawgit"] == []


def test_a_running_gateway_tells_clawgit_what_is_said_and_when_a_session_ends(home: Home) -> None:
    home.clawgit("connect", "openclaw")
    with home.gateway() as address:
        said = "Please remember: billing uses PostgreSQL."
        home.call(
            address, "chat.send", sessionKey="agent:main:main", message=said, idempotencyKey="k-1"
        )
        until(lambda: said in home.clawgit("chat", "search") and home.has_in_transcript(said))
        home.call(address, "sessions.reset", key="agent:main:main", reason="reset")
        until(lambda: bool([*home.workspace.glob("memory/*-*-*-*.md")]))
    [note] = home.workspace.glob("memory/*-*-*-*.md")
    assert said in note.read_text()
    assert "agent:main:main" in note.read_text()
