"""Who looks at the page: addresses that open it once, browsers that came in by one, and the code
that makes one of them the operator's.
"""

import hmac
import secrets
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

_ADDRESS_LASTS = timedelta(minutes=15)
_CODE_LASTS = timedelta(minutes=5)
_IDLE = timedelta(hours=12)
_TRIES = 5
_CODES = 8
"""How many codes may be asked for until the operator is seen again: whoever has an address can ask
for them, guess at them, and fill the terminal with them.
"""

_MOST = 64
"""Sessions, and addresses that nobody has opened yet."""


class Session:
    """A browser that came in by an address. It may read; the operator's may write, too."""

    def __init__(self, now: datetime) -> None:
        self.key, self.form_key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.seen = now
        self.is_operator = False
        self.listeners = 0
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
        # The terminal asks for addresses in a thread of its own.
        self._lock = threading.Lock()
        self._addresses: dict[str, datetime] = {}
        self._sessions: dict[str, Session] = {}
        self._codes = _CODES

    def new_address(self) -> str:
        """The secret part of an address that opens the page once."""
        made = secrets.token_urlsafe(32)
        with self._lock:
            _make_room(self._addresses)
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
        with self._lock:
            until = self._addresses.pop(secret, None)
        return self._begun() if until is not None and self._clock() <= until else None

    def _begun(self) -> Session:
        _make_room(self._sessions)
        made = Session(self._clock())
        self._sessions[made.key] = made
        return made

    def find(self, key: str) -> Session | None:
        now = self._clock()
        found = self._sessions.get(key)
        if found is None or now - found.seen > _IDLE:
            self._sessions.pop(key, None)
            return None
        # Whoever was here last is the last to go.
        self._sessions[key] = self._sessions.pop(key)
        found.seen = now
        return found


def _make_room(kept: dict[str, Any]) -> None:
    while len(kept) >= _MOST:
        del kept[next(iter(kept))]
