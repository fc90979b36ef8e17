"""The protocol's side, with the SDK's own client in this process: what is listed, who calls, what
an error is."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing
from itertools import cycle
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import Implementation

from clawgit.front.mcp.server import Counter, server_of
from clawgit.front.mcp.tools import TOOLS
from clawgit.front.mcp.worker import Front
from tests.conftest import Git
from tests.front.mcp.fronts import front, made


def talk(end: Front, act: Callable[[Client], Awaitable[None]], **options: Any) -> None:
    async def session() -> None:
        with closing(Counter(end)) as counter:
            async with Client(server_of(counter), **options) as client:
                await act(client)

    asyncio.run(session())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_who_calls_is_who_the_client_says_it_is(ws: Git, mode: str) -> None:
    made(ws)

    async def act(client: Client) -> None:
        await client.call_tool("memory_add", {"text": "The heron is grey."})

    name = Implementation(name="Claude Code", version="1")
    talk(front(ws.root), act, mode=mode, client_info=name)
    author = ws("log", "-1", "--format=%an <%ae>").strip()
    assert author == "Claude Code <claude-code@clawgit.invalid>"


def test_errors_are_results_and_an_unknown_tool_is_none(ws: Git) -> None:
    made(ws)

    async def act(client: Client) -> None:
        wrong = await client.call_tool("memory_search", {"query": "x", "limit": 3})
        assert wrong.is_error
        assert "has no parameter 'limit'" in wrong.content[0].text  # type: ignore[union-attr]
        assert wrong.structured_content["error"]["kind"] == "usage"
        with pytest.raises(MCPError, match=r"no tool 'memory_serch'\. Did you mean memory_search"):
            await client.call_tool("memory_serch", {})
        assert len((await client.list_tools()).tools) == len(TOOLS)

    talk(front(ws.root), act)


def test_a_bug_is_an_answer_and_not_the_end(ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    made(ws)
    monkeypatch.setattr("clawgit.front.mcp.tools.overview", lambda *_, **__: 1 / 0)

    async def act(client: Client) -> None:
        answer = await client.call_tool("status", {})
        assert answer.is_error
        told = answer.structured_content["error"]["message"]
        assert told == "This is a bug in clawgit: ZeroDivisionError: division by zero"
        assert not (await client.call_tool("memory_search", {"query": "billing"})).is_error

    talk(front(ws.root), act)


def test_two_servers_on_one_workspace_lose_nothing(ws: Git) -> None:
    made(ws)

    async def both() -> None:
        async with AsyncExitStack() as used:
            counters = [used.enter_context(closing(Counter(front(ws.root)))) for _ in range(2)]
            clients = [await used.enter_async_context(Client(server_of(one))) for one in counters]
            facts = [f"Fact {name}{n} holds." for n in range(3) for name in "ab"]
            calls = zip(cycle(clients), facts, strict=False)
            answers = await asyncio.gather(
                *(client.call_tool("memory_add", {"text": fact}) for client, fact in calls)
            )
            assert [one.structured_content["action"] for one in answers] == ["added"] * 6
            found = await clients[1].call_tool("memory_search", {"query": "Fact a2 holds"})
            assert "Fact a2 holds." in found.structured_content["results"][0]["snippet"]

    asyncio.run(both())
    kept = (ws.root / "MEMORY.md").read_text()
    assert all(f"Fact {name}{n} holds." in kept for name in "ab" for n in range(3))
    assert ws.status() == ""
