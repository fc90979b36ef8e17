"""What a request must be before anything looks at it, and what every answer says to the browser."""

import os
from collections.abc import Collection
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cache-control": "no-store",
    # Not `no-referrer`, with which a form would say that it comes from nowhere.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

LONGEST_HEAD = 16 * 1024
_METHODS = ("GET", "HEAD", "POST")


class Fence:
    """Lets a request through that this machine's own browser makes, for this server, from a page of
    this server.

    The name in Host tells a page that a foreign name was bound to this address (DNS rebinding);
    Origin, and what browsers say of where a request began, tell another page: those of other ports
    are of the same site.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wrong = self._wrong(scope)
        app = PlainTextResponse(f"{wrong[1]}\n", wrong[0]) if wrong else self._app

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, text in _HEADERS.items():
                    headers.setdefault(name, text)
            await send(message)

        await app(scope, receive, guarded)

    def _wrong(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence for a request that is none of ours."""
        hosts = Headers(scope=scope).getlist("host")
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
    said = Headers(scope=scope).getlist
    origins = said("origin")
    if any(origin != own for origin in origins):
        return True
    if scope["method"] == "POST" and not origins:
        return True
    # A link from elsewhere may lead here: it shows a page, which no other page can read.
    if scope["method"] == "GET" and said("sec-fetch-mode") == ["navigate"]:
        return False
    return any(where not in ("same-origin", "none") for where in said("sec-fetch-site"))


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
