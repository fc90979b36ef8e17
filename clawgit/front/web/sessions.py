"""Who looks at the page: addresses that open it once, browsers that came in by one, and the code
that makes one of them the operator's. And what a request must be before anything looks at it.
"""

import hmac
import os
import secrets
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clawgit.core.disk.plainfile import text_at

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
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "This server answers for its own address only."
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
    rows = [row.split() for row in text_at("/proc/net/tcp").splitlines()]
    ends = f":{client:04X}", f":{server:04X}"
    users = [row[7] for row in rows if (row[1][-5:], row[2][-5:]) == ends]
    return os.getuid() == 0 or all(int(user) in (0, os.getuid()) for user in users)


_ADDRESS_LASTS = timedelta(minutes=15)
_CODE_LASTS = timedelta(minutes=5)
_IDLE = timedelta(hours=12)
_TRIES = 5
_CODES = 8
"""How many codes may be asked for until the operator is seen again: whoever has an address can ask
for them, guess at them, and fill the terminal with them.
"""


class Session:
    """A browser that came in by an address. It may read; the operator's may write, too."""

    def __init__(self, now: datetime) -> None:
        self.key, self.form_key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.seen = now
        self.is_operator = False
        self.notice: dict[str, str] = {}
        """What the last form did; it is shown once."""
        self.head = ""
        """The newest change when this browser saw all changes last."""
        self._code, self._until, self._tries = "", now, 0

    def new_code(self, now: datetime) -> str:
        """The code that unlocks this session; an earlier one counts no more."""
        self._code = f"{secrets.randbelow(10**8):08}"
        self._until, self._tries = now + _CODE_LASTS, _TRIES
        return f"{self._code[:4]} {self._code[4:]}"

    def takes(self, typed: str, now: datetime) -> bool:
        """Whether this is the code. Each may be tried a few times, and opens once."""
        typed = "".join(typed.split())
        is_open = bool(self._code) and self._tries > 0 and now < self._until
        self._tries -= 1
        taken = is_open and hmac.compare_digest(typed.encode(), self._code.encode())
        if taken:
            self._code = ""
        return taken


class Sessions:
    """All who came in, and the addresses that still open the page."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._addresses: dict[str, datetime] = {}
        self._sessions: dict[str, Session] = {}
        self._codes = _CODES

    def new_address(self) -> str:
        """The secret part of an address that opens the page once."""
        made = secrets.token_urlsafe(32)
        self._addresses[made] = self._clock() + _ADDRESS_LASTS
        return made

    def operator_is_here(self) -> None:
        """Codes may be asked for again: the operator typed one, or a key at the terminal."""
        self._codes = _CODES

    def new_code(self, session: Session) -> str | None:
        """A code that unlocks a session; None if too many were asked for."""
        if self._codes <= 0:
            return None
        self._codes -= 1
        return session.new_code(self._clock())

    def unlock(self, session: Session, typed: str) -> Session | None:
        """The operator's session, for the code of this one.

        It is a new one: cookies know no ports, so another page of this machine can have put its own
        session into the operator's browser, and would be the operator too.
        """
        if not session.takes(typed, self._clock()):
            return None
        self.operator_is_here()
        made = self._begun()
        made.is_operator = True
        return made

    def enter(self, secret: str) -> Session | None:
        """A session for whoever has an address. The address is spent, in time or not."""
        until = self._addresses.pop(secret, None)
        return self._begun() if until is not None and self._clock() <= until else None

    def _begun(self) -> Session:
        made = Session(self._clock())
        self._sessions[made.key] = made
        return made

    def find(self, key: str, *, is_used: bool = True) -> Session | None:
        now = self._clock()
        found = self._sessions.get(key)
        if found is None or now - found.seen > _IDLE:
            self._sessions.pop(key, None)
            return None
        if is_used:
            found.seen = now
        return found
