"""What a request must be before anything looks at it, and what every answer says to the browser."""

import os
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from pathlib import Path
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

LONGEST_HEAD = 16 * 1024
_METHODS = ("GET", "HEAD", "POST")


class Fence:
    """Lets a request through that this machine's own browser makes, for this server, from a page of
    this server.

    The name in Host tells a page that a foreign name was bound to this address (DNS rebinding);
    Origin, and what browsers say of where a request began, tell another page: those of other ports
    are of the same site.
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

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [*message.get("headers", ())]
                said = {name for name, _ in own}
                message["headers"] = [*own, *(row for row in _HEADERS if row[0] not in said)]
            await send(message)

        await self._app(scope, receive, guarded)

    def _wrong(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence for a request that is none of ours."""
        hosts = _values(scope, b"host")
        heads = sum(len(name) + len(text) for name, text in scope["headers"])
        if len(scope["raw_path"]) + len(scope["query_string"]) + heads > LONGEST_HEAD:
            return 431, "The head of the request is too long."
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "This server answers for its own address only."
        if scope["method"] not in _METHODS:
            return 405, "This server knows GET, HEAD and POST."
        if _is_from_elsewhere(scope, f"http://{hosts[0]}"):
            return 403, "The request comes from another page, or a form from none."
        return None


def _is_from_elsewhere(scope: Scope, own: str) -> bool:
    origins, begun = _values(scope, b"origin"), _values(scope, b"sec-fetch-site")
    if any(origin != own for origin in origins):
        return True
    if scope["method"] == "POST" and not origins:
        return True
    # A link from elsewhere may lead here: it shows a page, which no other page can read.
    if scope["method"] == "GET" and _values(scope, b"sec-fetch-mode") == ["navigate"]:
        return False
    return any(where not in ("same-origin", "none") for where in begun)


def _values(scope: Scope, name: bytes) -> list[str]:
    return [text.decode("latin-1") for key, text in scope["headers"] if key.lower() == name]


def is_this_user(client: int, server: int) -> bool:
    """Whether the user who runs this server, or root, made the connection between two ports of this
    machine. An address is an argument of the browser at first, which everybody can read.

    True where the system does not say, and for root's server.
    """
    try:
        rows = [row.split() for row in Path("/proc/net/tcp").read_text("ascii").splitlines()]
    except OSError:
        return True
    ends = f":{client:04X}", f":{server:04X}"
    users = [row[7] for row in rows if (row[1][-5:], row[2][-5:]) == ends]
    return os.getuid() == 0 or all(int(user) in (0, os.getuid()) for user in users)


async def _refuse(send: Send, status: int, words: str) -> None:
    body = words.encode() + b"\n"
    about = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    start = {"type": "http.response.start", "status": status, "headers": [*about, *_HEADERS]}
    await send(start)
    await send({"type": "http.response.body", "body": body})
