"""JSON over HTTP for all embedding services, with limited retries. No message ever has the key."""

import json
from collections.abc import Mapping
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from clawgit.stores.embed.contract import EmbedLimits
from clawgit.stores.http_client import OK, NoReplyError, Reply, seconds_until, send
from clawgit.stores.models import ModelError

Json = dict[str, Any]

_PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Statuses that may pass: overload, limits, a restart. 529 is Anthropic's."""

_TOO_MUCH = frozenset({400, 413, 422})
"""Statuses with which services refuse a request that is too large; many use 400."""

_NOT_ALLOWED = frozenset({401, 403})

_ATTEMPTS = 6
_FIRST_PAUSE = 0.5
"""Seconds; it doubles with each attempt."""

_LARGEST_ANSWER = 256 << 20
_SHOWN = 300
"""How many characters of a service's error are shown."""


class TooMuchError(ModelError):
    """The service refuses the request; a smaller one may pass."""


class EmbeddingServer(NamedTuple):
    """A server, and the key, which no message may show."""

    name: str
    url: str
    key: str
    limits: EmbedLimits


class _PassingError(Exception):
    """An error that may pass, and how long the service asks us to wait."""

    def __init__(self, what: str, pause: float | None = None) -> None:
        super().__init__(what)
        self.pause = pause


def address(url: str, root: str) -> str:
    """Where requests go; `root` is the path if the address names none. Refuses a bad address."""
    try:
        parts = urlsplit(url)
        is_http = parts.scheme in ("http", "https")
        is_sound = is_http and bool(parts.hostname) and parts.port != 0 and url.isascii()
    except ValueError:
        is_sound = False
    if not is_sound:
        raise ModelError(
            f"The embedder has no address: {url}.", hint="It looks like http://localhost:8000."
        )
    if parts.username is not None:
        raise ModelError(
            "The address of the embedder holds a password.",
            hint="Files under git are the wrong place for it; use a key.",
        )
    return url.rstrip("/") + ("" if parts.path.strip("/") else root)


def ask(server: EmbeddingServer, path: str, question: Json) -> Json:
    """The answer to a POST.

    Errors that may pass are retried until the time for retries is used up; failed requests count.
    """
    body = json.dumps(question).encode()
    waited = 0.0
    for attempt in range(_ATTEMPTS):
        started = monotonic()
        try:
            return _answer(server, _post(server, path, body))
        except _PassingError as trouble:
            pause = _FIRST_PAUSE * 2**attempt if trouble.pause is None else trouble.pause
            waited += monotonic() - started
            if attempt == _ATTEMPTS - 1 or waited + pause > server.limits.patience:
                raise ModelError(
                    f"{server.name} does not answer: {_safe(server, str(trouble))}.",
                    hint="Try again later; meanwhile the search goes by words.",
                ) from trouble
            server.limits.wait(pause)
            waited += pause
    raise AssertionError  # the last attempt returns or raises


def _post(server: EmbeddingServer, path: str, body: bytes) -> Reply:
    try:
        return send(
            server.url + path,
            body,
            {"Authorization": f"Bearer {server.key}"} if server.key else {},
            seconds=server.limits.seconds,
            most=_LARGEST_ANSWER,
        )
    except NoReplyError as error:
        if error.is_refused:
            raise ModelError(
                f"{server.name} does not run at {server.url}.",
                hint="Start it, or set embedder in CONFIG.md.",
            ) from error
        raise _PassingError(str(error)) from error


def _answer(server: EmbeddingServer, reply: Reply) -> Json:
    if reply.status in _PASSING:
        raise _PassingError(f"{reply.status} {_complaint(reply.body)}", _retry_after(reply.headers))
    if reply.status != OK:
        raise _refusal(server, reply)
    try:
        answer = json.loads(reply.body)
    except ValueError as error:
        raise _PassingError("its answer is cut off, or not JSON") from error
    if not isinstance(answer, dict):
        raise _PassingError("its answer is not a JSON object")
    return answer


def _refusal(server: EmbeddingServer, reply: Reply) -> ModelError:
    complaint = _safe(server, f"{reply.status} {_complaint(reply.body)}".strip())
    if reply.status in _TOO_MUCH:
        return TooMuchError(
            f"{server.name} refuses the texts: {complaint}",
            hint="See embedder in CONFIG.md.",
        )
    if reply.status in _NOT_ALLOWED:
        return ModelError(
            f"{server.name} does not accept the key: {complaint}", hint="Check the key's variable."
        )
    return ModelError(
        f"{server.name} answers {complaint}",
        hint="Check embedder in CONFIG.md.",
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that the service asks us to wait.

    A date is compared with the service's own clock: ours may be wrong by minutes.
    """
    value = headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        return seconds_until(value, headers.get("date", ""))


def _complaint(body: bytes) -> str:
    """The service's error message: each wraps it differently, and some send a page of HTML."""
    try:
        complaint = json.loads(body)
    except ValueError:
        return ""
    while isinstance(complaint, dict):
        complaint = complaint.get("error", complaint.get("message", complaint.get("detail", "")))
    return " ".join(str(complaint).split())[:_SHOWN]


def _safe(server: EmbeddingServer, text: str) -> str:
    return text.replace(server.key, "…") if server.key else text
