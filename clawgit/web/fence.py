"""What a request must be before anything looks at it, and what every answer says to the browser."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"cache-control", b"no-store"),
    # Not `no-referrer`, with which a form would say that it comes from nowhere.
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]

_LARGEST = 256 * 1024
"""Bytes of a form. An entry is a line; the longest form is a text of SOUL.md."""

_SECONDS = 10.0
"""In which a whole form must come."""

_METHODS = ("GET", "HEAD", "POST")


class Fence:
    """Lets a request through that this machine's own browser makes, for this server, from a page of
    this server.

    The name in Host tells a page that a foreign name was bound to this address (DNS rebinding);
    Origin tells a form on another site.
    """

    def __init__(self, app: App, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        wrong = self._wrong(scope)
        if wrong:
            await _refuse(send, *wrong)
            return
        if scope["method"] == "POST":
            body = await _whole(receive)
            if body is None:
                await _refuse(send, 413, "The form is too long, or came too slowly.")
                return
            receive = _again(body, receive)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [*message.get("headers", ())]
                said = {name for name, _ in own}
                message["headers"] = [*own, *(row for row in _HEADERS if row[0] not in said)]
            await send(message)

        await self._app(scope, receive, guarded)

    def _wrong(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence for a request that is none of ours."""
        hosts, origins = _values(scope, b"host"), _values(scope, b"origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "This server answers for its own address only."
        if scope["method"] not in _METHODS:
            return 405, "This server knows GET, HEAD and POST."
        if scope["method"] == "POST" and not origins:
            return 403, "A form must come from a page of this server."
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return 403, "The request comes from another page."
        return None


def _values(scope: Scope, name: bytes) -> list[str]:
    return [text.decode("latin-1") for key, text in scope["headers"] if key.lower() == name]


async def _whole(receive: Receive) -> bytes | None:
    """The body of a request; None if it is too long or too slow."""
    body = bytearray()
    try:
        async with asyncio.timeout(_SECONDS):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > _LARGEST or message["type"] == "http.disconnect":
                    return None
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        return None


def _again(body: bytes, rest: Receive) -> Receive:
    """A body that was read, as if it were still to come."""
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return parts.pop() if parts else await rest()

    return receive


async def _refuse(send: Send, status: int, words: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode() + b"\n"})
