"""No command runs, reads, sends, spends or deletes by a setting that nobody accepted, before `init`
or after.

Each row sets something and names commands by which it shows: a program that was run, a server that
was called, or a word that can only come from outside. First it must not show; then it is accepted,
and must: so the canary is alive.
"""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import AGENT
from clawgit.run.heartbeat import heartbeat
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.front.cli.typed import Told, call
from tests.making import asker
from tests.trusting import accept_settings

pytestmark = pytest.mark.usefixtures("quick_workers")

WORD = "heliotrope"
"""Stands in no file of the workspace."""


QUEUE = "(queue)"
"""Stands for `heartbeat` without the worker that it starts, which would go on behind the test's
back."""


class Row(NamedTuple):
    lines: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]


ASK = ("context", "--message", "ask Ana Lopez about the audit")
DEPLOY = "heartbeat_custom_patterns: [{{pattern: /deploy/, route: '{program}', confidence: high}}]"
FORGOT = (QUEUE, "You forgot that the deploy script needs --dry-run first.")

ROWS = {
    "crm_source, a program": Row(("crm_source: 'command: {program}'",), (ASK,)),
    "crm_source, a path": Row(("crm_source: '{program}'",), (ASK,)),
    "external_context_source": Row(
        ("external_context_source: '{outside}/ana.md'", "external_context_budget: 300"), (ASK,)
    ),
    "llm_model": Row(
        ("llm_model: 'command: {program}'",),
        (
            ("chat", "log", "We decided to ship the catalogue on 3 March.", "--session", "main"),
            ("agent", "run", "memory-miner"),
        ),
    ),
    "heartbeat_custom_patterns": Row((DEPLOY,), (("heartbeat", "deploy it now"),)),
    "recall_external_handler": Row(
        ("recall_external_handler: '{program}'",), (FORGOT, ("agent", "run", "recall-validator"))
    ),
    "embedder": Row(
        ("search_mode: enhanced", "embedder: 'ollama {url}'"), (("memory", "search", "billing"),)
    ),
    "chroma": Row(("search_mode: enhanced", "chroma: '{url}'"), (("memory", "index"),)),
    "extra_paths": Row(
        ("extra_paths: ['{outside}']", "min_score: 0"), (("memory", "search", "Ana Lopez"),)
    ),
    "shared_memory": Row(("shared_memory: '{outside}'",), (("workspace", "list", "--json"),)),
    "chat_store": Row(
        ("chat_store: 'postgresql://me@{address}/chat'",), (("chat", "log", "hello"),)
    ),
    "digest_to": Row(
        ("digest_to: ['json://{address}']",),
        (("memory", "add", "Ana likes tea."), ("digest", "--send")),
    ),
}


class Canary:
    """A program, a server and a folder outside of the workspace, and whether any of them was
    used."""

    def __init__(self, folder: Path) -> None:
        self.sung = folder / "sung"
        self.program = folder / "program"
        self.program.write_text(
            f"#!/bin/sh\ncat > /dev/null\necho x >> {self.sung}\necho '{{\"answer\": []}}'\n"
        )
        self.program.chmod(0o755)
        self.outside = folder / "outside"
        self.outside.mkdir()
        (self.outside / "ana.md").write_text(f"# Ana Lopez\n\nShe likes {WORD}.\n")
        (self.outside / "MEMORY.md").write_text("# Memory\n")
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.called = 0
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.listening.getsockname()[1]}"

    def close(self) -> None:
        socket.create_connection(self.listening.getsockname()).close()  # wakes the one who waits
        self._thread.join()
        self.listening.close()

    def lines(self, row: Row) -> str:
        where = {
            "program": self.program, "outside": self.outside, "address": self.address,
            "url": f"http://{self.address}",
        }  # fmt: skip
        return "".join(f"{line.format(**where)}\n" for line in row.lines)

    def _serve(self) -> None:
        """Any call counts, whatever protocol it speaks; it is told that this is no server."""
        while True:
            caller, _ = self.listening.accept()
            with caller:
                caller.settimeout(5)
                if not caller.recv(1):
                    return
                self.called += 1
                caller.sendall(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Canary]:
    made = Canary(tmp_path)
    yield made
    made.close()


@pytest.fixture
def cloned(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Iterator[Git]:
    """As `git clone` leaves it: nobody has run `init`."""
    talk = {"role": "user", "text": "x " * 4000, "time": "2026-02-14T08:00:00+00:00"}
    ws.write("talk.jsonl", json.dumps(talk) + "\n")
    monkeypatch.chdir(ws.root)
    yield ws
    # A model's library leaves one open, whose end would be a warning in the midst of another test.
    with suppress(RuntimeError):
        asyncio.get_event_loop_policy().get_event_loop().close()
    asyncio.set_event_loop(None)


def sung(canary: Canary, row: Row) -> bool:
    said = ""
    for command in row.commands:
        told = called(*command)
        said += told.out + told.err.partition("note: ")[0]
    return canary.sung.exists() or canary.called > 0 or WORD in said or str(canary.outside) in said


def called(*command: str) -> Told:
    if command[0] != QUEUE:
        return call(*command)
    heartbeat(Workspace(find_repo(Path.cwd()), asker(AGENT)), command[1])
    return Told(0, "", "")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # apprise imports imghdr
@pytest.mark.parametrize("name", ROWS)
def test_a_setting_that_nobody_accepted_does_nothing_and_the_accepted_one_does(
    cloned: Git, canary: Canary, name: str
) -> None:
    row = ROWS[name]
    text = f"# Config\n\n```yaml\nsearch_mode: core\n{canary.lines(row)}```\n"
    config = cloned.write("CONFIG.md", text)
    assert not sung(canary, row), "before init"
    config.unlink()
    assert call("init").code == 0
    config.write_text(text)
    assert not sung(canary, row), "after init"
    accept_settings(cloned.root)
    assert sung(canary, row)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # apprise imports imghdr
def test_init_adopts_a_clone_and_brings_none_of_it_into_force(cloned: Git, canary: Canary) -> None:
    """All at once, and every command that is there for a look around."""
    wanted = dict.fromkeys(line for row in ROWS.values() for line in canary.lines(row).splitlines())
    by_key = {line.partition(":")[0]: line for line in wanted}
    cloned.write("CONFIG.md", "# Config\n\n```yaml\n" + "\n".join(by_key.values()) + "\n```\n")
    commands = [("init",), *(command for row in ROWS.values() for command in row.commands)]
    commands += [
        ("status",), ("doctor",), ("config",), ("trust", "--json"), ("snapshot",),
        ("memory", "index"), ("agent", "run", "memory-miner"), ("chat", "list"),
        ("session", "reset-check", "talk.jsonl"),
    ]  # fmt: skip
    shows_values = {"config", "trust", "status", "snapshot", "init"}
    for command in commands:
        told = called(*command)
        assert not canary.sung.exists(), command
        assert canary.called == 0, command
        assert command[0] in shows_values or WORD not in told.out, command


def test_retention_deletes_nothing_before_it_is_accepted(cloned: Git) -> None:
    cloned.write("CONFIG.md", "# Config\n\n```yaml\nchat_retention_days: 1\n```\n")

    def listed() -> str:
        return call("chat", "list").out

    def took_in(text: str, time: str) -> None:
        row = {"role": "user", "text": text, "time": f"{time}T00:00:00+00:00"}
        cloned.write("in.jsonl", json.dumps(row) + "\n")
        call("chat", "ingest", "in.jsonl", "--now", "2026-02-14T09:00:00+00:00")

    took_in(f"{WORD} once", "2020-01-01")
    assert WORD in listed()
    accept_settings(cloned.root)
    took_in("today", "2026-02-14")
    assert WORD not in listed()
