"""MCP over HTTP: for whoever has the token, on this machine, and for no page of another host."""

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from clawgit.cli.root import run
from clawgit.errors import UsageError
from clawgit.mcp import loopback
from clawgit.mcp.loopback import PATH, serve_http, token_in
from tests.conftest import Git
from tests.mcp.fronts import CALLS, front, made
from tests.mcp.test_stdio import HELLO

TOKEN = "a-token-of-the-tests"  # noqa: S105 - it opens nothing
MEDIA = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def serving(root: Path, act: Callable[[str], Awaitable[None]]) -> None:
    """Runs the server in this process, with `act` as its client, and ends it as a service manager
    would."""
    tasks: list[asyncio.Task[None]] = []

    async def client(address: str) -> None:
        await act(address)

    def ready(address: str, where: str) -> None:
        assert where == "CLAWGIT_MCP_TOKEN"
        tasks.append(asyncio.get_running_loop().create_task(client(address)))
        tasks[0].add_done_callback(lambda _: os.kill(os.getpid(), signal.SIGTERM))

    end = front(root)
    caller = end.caller._replace(env={**end.caller.env, "CLAWGIT_MCP_TOKEN": TOKEN})
    serve_http(end._replace(caller=caller), root / ".git" / "clawgit", 0, ready)
    tasks[0].result()


def bearing(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_the_sdks_client_lists_and_calls_every_tool(ws: Git) -> None:
    made(ws)

    async def act(address: str) -> None:
        async with httpx2.AsyncClient(headers=bearing(TOKEN)) as http:
            for mode in ("legacy", "auto"):
                async with Client(
                    streamable_http_client(address, http_client=http), mode=mode
                ) as client:
                    assert [tool.name for tool in (await client.list_tools()).tools] == [*CALLS]
                    for name, given in CALLS.items() if mode == "auto" else [("status", {})]:
                        answer = await client.call_tool(name, given)
                        assert not answer.is_error, answer

    serving(ws.root, act)


def test_who_has_no_token_or_comes_from_elsewhere_is_sent_away(ws: Git) -> None:
    made(ws)

    async def act(address: str) -> None:
        port = httpx2.URL(address).port
        assert address == f"http://127.0.0.1:{port}{PATH}"
        right = {**MEDIA, **bearing(TOKEN)}
        async with httpx2.AsyncClient() as http:

            async def status(headers: dict[str, str], **more: object) -> int:
                return (
                    await http.post(address, headers=headers, **({"json": HELLO} | more))  # type: ignore[arg-type]
                ).status_code

            assert await status(right) == 200
            assert await status(MEDIA) == 401
            assert await status({**MEDIA, **bearing(TOKEN + "x")}) == 401
            assert await status({**MEDIA, "authorization": TOKEN}) == 401
            assert await status({**right, "host": "evil.example"}) == 421
            assert await status({**right, "host": f"evil.example:{port}"}) == 421
            assert await status({**right, "host": "127.0.0.1:1"}) == 421
            assert await status({**right, "origin": "http://evil.example"}) == 403
            assert await status({**right, "origin": "null"}) == 403
            assert await status({**right, "origin": f"http://localhost:{port}"}) == 200
            huge = b'{"x": "' + b"x" * 17_000_000 + b'"}'
            assert await status(right, json=None, content=huge) == 413
            assert await status(right, json=None, content=b"{") == 400
            assert (await http.get(address.replace(PATH, "/"), headers=right)).status_code == 404
            assert (await http.get(address)).headers["www-authenticate"] == 'Bearer realm="clawgit"'
            assert await status(right) == 200
        with closing(socket.socket()) as outside, pytest.raises(ConnectionRefusedError):
            outside.connect(("127.0.0.2", port))

    serving(ws.root, act)


def test_a_web_socket_is_a_request_without_a_token(
    ws: Git, caplog: pytest.LogCaptureFixture
) -> None:
    """Any page may open one, whatever its origin; it made the server print a traceback."""
    made(ws)

    async def act(address: str) -> None:
        upgrade = {
            "connection": "Upgrade",
            "upgrade": "websocket",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
            "sec-websocket-version": "13",
        }
        async with httpx2.AsyncClient() as http:
            assert (await http.get(address, headers=upgrade)).status_code == 401

    serving(ws.root, act)
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.parametrize(("seconds", "ended"), [(60.0, 100), (0.5, 164)])
def test_who_shows_no_token_goes_in_time_and_keeps_nobody_out(
    seconds: float, ended: int, ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has a file open, and a process may have only so many."""
    made(ws)
    monkeypatch.setattr(loopback, "_TOKEN_SECONDS", seconds)

    async def act(address: str) -> None:
        port = httpx2.URL(address).port
        strangers = [await asyncio.open_connection("127.0.0.1", port) for _ in range(164)]
        for _, writer in strangers:
            writer.write(b"POST /mcp HTTP/1.1\r\n")
        async with httpx2.AsyncClient(headers=bearing(TOKEN)) as http:
            assert (await http.post(address, headers=MEDIA, json=HELLO)).status_code == 200
        for reader, _ in strangers[:ended]:
            with suppress(ConnectionResetError):
                assert await asyncio.wait_for(reader.read(), 20) == b""
        for _, writer in strangers:
            writer.close()

    serving(ws.root, act)


def test_the_token_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "clawgit"
    token, where = token_in(folder)
    assert (
        token_in(folder)
        == (token, where)
        == (Path(where).read_text().strip(), str(folder / "mcp.token"))
    )
    assert len(token) >= 40
    assert Path(where).stat().st_mode & 0o777 == 0o600
    assert token_in(folder, TOKEN) == (TOKEN, "CLAWGIT_MCP_TOKEN")
    with pytest.raises(UsageError, match="too short"):
        token_in(folder, "short")
    Path(where).write_text("\n")
    with pytest.raises(UsageError, match="has no token in it"):
        token_in(folder)


def test_a_taken_port_is_told(
    ws: Git, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made(ws)
    monkeypatch.chdir(ws.root)
    port = at_a_taken_port()
    assert f"Port {port} is taken" in capsys.readouterr().err


def at_a_taken_port() -> int:
    """Starts the server of the current folder where it cannot listen, and so ends at once."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        assert run(["mcp", "--http", "--port", str(port)]) == 2
    return port


def test_whoever_prepared_the_folder_does_not_know_the_token(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(ws)
    ws.write(".git/clawgit/mcp.token", f"{TOKEN}\n")
    monkeypatch.chdir(ws.root)
    at_a_taken_port()
    (own,) = Path.home().rglob("mcp.token")
    assert TOKEN not in own.read_text()
    assert not own.is_relative_to(ws.root)
