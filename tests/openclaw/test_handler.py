"""OpenClaw's hook, run by Node as OpenClaw runs it: it returns at once, and clawgit is told in
processes of its own."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from clawgit.core.resources import resource
from tests.conftest import run_to_end

pytestmark = pytest.mark.host

HANDLER = resource("templates") / "openclaw" / "hook" / "handler.js"
RUN = """
import { pathToFileURL } from "node:url";
const { default: handler } = await import(pathToFileURL(process.argv[2]));
const event = process.argv[3] === "undefined" ? undefined : JSON.parse(process.argv[3], (key, value) =>
  key === "timestamp" && String(value).startsWith("date:") ? new Date(value.slice(5)) : value);
const before = performance.now();
const answer = handler(event);
console.log(JSON.stringify({ ms: performance.now() - before, answer: answer ?? null }));
"""
FAKE = """#!/bin/sh
out=$(mktemp "{folder}/call.XXXXXX")
{{ for word in "$@"; do printf '%s\\n' "$word"; done; echo --; cat; }} > "$out"
while [ ! -e "{folder}/go" ]; do sleep 0.02; done
mv "$out" "$out.done"
"""


class Hook:
    """The hook in a folder of its own, and a clawgit that writes down how it was called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = folder / "work space"
        self.workspace.mkdir()
        (folder / "handler.js").write_bytes(HANDLER.read_bytes())
        (folder / "run.mjs").write_text(RUN)
        self.fake(folder / "bin" / "clawgit")
        self.settings([str(folder / "bin" / "clawgit")], {"main": str(self.workspace)})

    def fake(self, path: Path) -> None:
        path.parent.mkdir(parents=True)
        path.write_text(FAKE.format(folder=self.folder))
        path.chmod(0o755)

    def settings(self, command: list[str], workspaces: Mapping[str, str]) -> None:
        (self.folder / "clawgit.json").write_text(
            json.dumps({"command": command, "workspaces": workspaces})
        )

    def told(self, event: object, path: str = "/usr/bin:/bin") -> Any:
        """What the handler answered, and after how long; who waits for clawgit waits for ever."""
        files = (self.folder / "run.mjs", self.folder / "handler.js")
        env = {"PATH": path, "HOME": str(self.folder)}
        done = run_to_end("node", *files, json.dumps(event), env=env, timeout=30)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) | {"said": done.stderr}

    def calls(self, count: int) -> list[tuple[list[str], str]]:
        """The calls that came, each with its words and its standard input, once so many are
        over."""
        (self.folder / "go").touch()
        until = time.monotonic() + 20
        while (
            len(found := sorted(self.folder.glob("call.*.done"))) < count
            and time.monotonic() < until
        ):
            time.sleep(0.02)  # for processes that nobody waits for
        parts = [one.read_text().partition("--\n") for one in found]
        return sorted((words.splitlines(), stdin) for words, _, stdin in parts)


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    return Hook(tmp_path)


def event(name: str, session: str = "agent:main:main", **context: object) -> dict[str, object]:
    kind, _, action = name.partition(":")
    stamp = "date:2026-02-14T09:00:00Z"
    return {
        "type": kind,
        "action": action,
        "sessionKey": session,
        "timestamp": stamp,
        "context": context,
        "messages": [],
    }


EVENTS: list[tuple[dict[str, object], list[list[str]], str]] = [
    (
        event("message:received", content="It's “done”\n--json\n", messageId="m-1",
        timestamp=1771059600000),
        [
            [
                "heartbeat", "--session=agent:main:main", "--role=user", "--id=m-1",
                "--time=2026-02-14T09:00:00.000Z", "-",
            ]
        ],
        "It's “done”\n--json\n",
    ),
    (
        event("message:received", content="no id"),
        [["heartbeat", "--session=agent:main:main", "--role=user",
            "--time=2026-02-14T09:00:00.000Z", "-"]],
        "no id",
    ),
    (
        event(
            "command:new", commandSource="telegram", sessionEntry={"sessionId": "new"},
            previousSessionEntry={"sessionId": "s-1"},
        ),
        [["session", "new", "--session=s-1", "--source=telegram"]],
        "",
    ),
    (event("command:reset", commandSource="gateway:agent"),
        [["session", "new", "--session=agent:main:main"]], ""),
    (event("session:auto-reset", sessionEntry={"sessionId": "s-2"}),
        [["session", "new", "--session=s-2"]], ""),
    (
        event("session:compact:before", sessionId="s-1", missingSessionKey=False, messageCount=3,
        tokenCount=176000),
        [["session", "flush-check", "--session=agent:main:main", "--tokens=176000"], ["snapshot"]],
        "",
    ),
    (
        event("session:compact:before", sessionId="s-1", missingSessionKey=True),
        [["session", "flush-check", "--session=s-1"], ["snapshot"]],
        "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("happened", "words", "stdin"),
    EVENTS,
    ids=[f"{one['type']}:{one['action']}" for one, _, _ in EVENTS],
)
def test_clawgit_hears_of_it_and_nobody_waits(
    hook: Hook, happened: dict[str, object], words: list[list[str]], stdin: str
) -> None:
    answered = hook.told(happened)
    assert (answered["answer"], answered["said"]) == (None, "")
    assert not list(hook.folder.glob("*.done"))
    assert answered["ms"] < 500
    expected = [(["-C", str(hook.workspace), *one], stdin) for one in words]
    assert hook.calls(len(words)) == sorted(expected)


@pytest.mark.parametrize(
    "happened",
    [
        event("message:received", content="   "),
        event("message:received", content={"text": "no string"}),
        event("message:received", "agent:other:main", content="of another agent"),
        event("message:received", content="of another agent", agentId="toString"),
        event("message:sent", content="ours"),
        event("command:stop"),
        {"type": "message", "action": "received", "context": None, "sessionKey": 7},
        {},
        None,
        [1],
    ],
)
def test_what_is_none_of_ours_starts_nothing(hook: Hook, happened: object) -> None:
    (hook.folder / "bin" / "clawgit").write_text(f"#!/bin/sh\ntouch '{hook.folder}/started'\n")
    assert hook.told(happened)["answer"] is None
    assert hook.told(event("command:stop"))["said"] == ""
    assert not (hook.folder / "started").exists()


def test_a_session_that_names_no_agent_belongs_to_the_only_one(hook: Hook) -> None:
    hook.told(event("command:new", "main"))
    assert len(hook.calls(1)) == 1
    hook.settings(
        [str(hook.folder / "bin" / "clawgit")], {"a": str(hook.workspace), "b": str(hook.workspace)}
    )
    hook.told(event("command:new", "main"))
    assert len(hook.calls(1)) == 1


def test_a_clawgit_that_moved_is_found_on_path_or_where_pipx_puts_it(hook: Hook) -> None:
    hook.settings([str(hook.folder / "gone" / "clawgit")], {"main": str(hook.workspace)})
    hook.told(event("command:new"), f"{hook.folder / 'bin'}:/usr/bin:/bin")
    (hook.folder / "bin").rename(hook.folder / "off")
    hook.fake(hook.folder / ".local" / "bin" / "clawgit")
    hook.told(event("command:reset"))
    assert len(hook.calls(2)) == 2


def test_without_a_clawgit_it_says_so_once_and_goes_on(hook: Hook) -> None:
    hook.settings(["/nowhere/clawgit"], {"main": str(hook.workspace)})
    answered = hook.told(event("message:received", content="hello"))
    assert (
        "clawgit is neither at /nowhere/clawgit nor on PATH; run: clawgit connect openclaw"
        in answered["said"]
    )
    hook.settings([str(hook.folder / "bin" / "clawgit")], {"main": str(hook.folder / "no folder")})
    assert "[clawgit]" in hook.told(event("message:received", content="hello"))["said"]
