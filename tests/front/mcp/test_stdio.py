"""`clawgit mcp` as a client starts it: the SDK's own, and one that says what no client should."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests import ready
from tests.conftest import Git
from tests.front.mcp.fronts import CALLS, made

HELLO = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"}},
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def command(root: Path, program: str = "") -> list[str]:
    """The server, of a Python that has all of it loaded if no program is named: a second less."""
    loaded = program or ready.python(
        "clawgit.front.mcp.server", "clawgit.front.cli.connect", "pygit2"
    )
    return [loaded, "-m", "clawgit", "-C", str(root), "mcp"]


class Raw:
    """A client that writes bytes."""

    def __init__(self, child: "subprocess.Popen[bytes]") -> None:
        self.child = child

    def says(self, *messages: Any) -> None:
        assert self.child.stdin is not None
        for message in messages:
            data = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.child.stdin.write(data + b"\n")
        self.child.stdin.flush()

    def hears(self) -> Any:
        assert self.child.stdout is not None
        return json.loads(self.child.stdout.readline())

    def calls(self, name: str, **arguments: Any) -> Any:
        params = {"name": name, "arguments": arguments}
        self.says({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        return self.hears()["result"]


@contextmanager
def started(root: Path, program: str = "") -> Iterator[Raw]:
    pipe = subprocess.PIPE
    with subprocess.Popen(command(root, program), stdin=pipe, stdout=pipe, stderr=pipe) as child:
        try:
            client = Raw(child)
            client.says(HELLO, READY)
            assert client.hears()["result"]["serverInfo"]["name"] == "clawgit"
            yield client
        finally:
            child.kill()


def test_the_sdks_client_lists_every_tool_and_calls_some(ws: Git) -> None:
    made(ws)
    env = {
        name: os.environ[name]
        for name in ("HOME", "PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "TZ")
    }
    [program, *arguments] = command(ws.root)

    async def session() -> None:
        async with Client(
            StdioServerParameters(command=program, args=arguments, env=env)
        ) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == [*CALLS]
            for name in ("memory_search", "context", "status"):
                answer = await client.call_tool(name, CALLS[name])
                assert not answer.is_error, answer

    asyncio.run(session())


def test_nothing_that_a_client_says_brings_it_down(ws: Git) -> None:
    made(ws)
    with started(ws.root, sys.executable) as client:
        for nonsense in (b"{", b"\xff\xfe", b"[]", b'{"jsonrpc": "2.0"}', b"[" * 100_000):
            client.says(nonsense)
        client.says(b"", {"jsonrpc": "2.0", "id": 2, "method": "memory/forget"})
        assert client.hears()["error"]["code"] == -32601
        client.says({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 7}})
        assert client.hears()["error"]["code"] == -32602
        client.says(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}}
        )
        huge = client.calls("memory_add", text="x" * 2_000_000)
        assert huge["isError"] is True
        assert huge["content"][0]["text"].startswith(
            "text: String should have at most 20000 characters."
        )
        # What was cancelled gets no answer, so the end does not wait for one.
        params = {"name": "memory_search", "arguments": {"query": "billing"}}
        client.says(
            {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": params},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}},
        )
        assert client.calls("memory_search", query="billing")["structuredContent"]["results"]
        client.child.send_signal(signal.SIGTERM)
        out, err = client.child.communicate(timeout=20)
        assert (client.child.returncode, out) == (0, b"")
        assert b"Traceback" not in err


def test_a_client_that_goes_in_mid_call_leaves_a_whole_change(ws: Git) -> None:
    made(ws)
    with started(ws.root) as client:
        params = {"name": "memory_add", "arguments": {"text": "The heron is grey."}}
        client.says({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        assert client.child.stdout is not None
        client.child.stdout.close()
        assert client.child.stdin is not None
        client.child.stdin.close()
        assert client.child.wait(20) == 0
        assert client.child.stderr is not None
        assert client.child.stderr.read() == b""
    assert ws.status() == ""
    assert "heron" in (ws.root / "MEMORY.md").read_text()


def test_answers_that_are_owed_come_before_the_end(ws: Git) -> None:
    """Half a sign in a question is answered, half a line at the end is nobody's."""
    made(ws)
    asks = [
        ("memory_search", {"query": "billing \ud83d"}),
        ("memory_get", {"path": "MEMORY.md"}),
        ("memory_get", {"path": "memory/2026-02-13.md"}),
    ]
    rows = [HELLO, READY] + [
        {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": name, "arguments": given}}
        for n, (name, given) in enumerate(asks, 5)
    ]  # fmt: skip
    said = "\n".join(map(json.dumps, rows)).encode()
    for end in (b"", b'\n{"jsonrpc": "2.0", "id": 8, "meth'):
        done = subprocess.run(
            command(ws.root), input=said + end, capture_output=True, check=False, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, b"")
        lines = map(json.loads, done.stdout.splitlines())
        answers = {line["id"]: line["result"] for line in lines if "result" in line}
        assert {*answers} == {0, 5, 6, 7}
        assert "PostgreSQL" in str(answers[5])


@pytest.mark.slow
def test_a_thousand_calls_leave_memory_and_files_as_they_were(ws: Git) -> None:
    made(ws)
    with started(ws.root, sys.executable) as client:
        proc = Path(f"/proc/{client.child.pid}")

        def rounds(count: int) -> tuple[int, int]:
            for _ in range(count):
                for name, arguments in CALLS.items():
                    assert not client.calls(name, **arguments).get("isError")
            pages = int((proc / "statm").read_text().split()[1])
            return len([*(proc / "fd").iterdir()]), pages * os.sysconf("SC_PAGE_SIZE")

        files, size = rounds(20)
        files_then, size_then = rounds(70)
        # One or two may be open for what follows upon an answer; one left open a round would be 70.
        assert files_then < files + 10
        assert size_then - size < 8_000_000, f"{size_then - size:,} bytes more"
