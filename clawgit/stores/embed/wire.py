"""JSON over HTTP as all services are asked: time limits, bounded retries, and a key that no message
repeats.
"""

import json
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from clawgit.stores.embed.contract import EmbedderError, Limits

if TYPE_CHECKING:
    from email.message import Message

Json = dict[str, Any]

_PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})
_TOO_MUCH = frozenset({400, 413, 422})
_NOT_ALLOWED = frozenset({401, 403})
_FINE = 200
_ATTEMPTS = 6
_FIRST_PAUSE = 0.5
_LARGEST_ANSWER = 256 << 20
_SHOWN = 300


class TooMuchError(EmbedderError):
    """The service refuses the request as it stands; a smaller one may pass."""


class Service(NamedTuple):
    """A server and what it wants to see in each request. `secret` is the key, to keep it out of
    messages.
    """

    name: str
    url: str
    headers: Mapping[str, str]
    secret: str
    limits: Limits


class _Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class _PassingError(Exception):
    """What may go away by itself, and how long the service asks us to wait."""

    def __init__(self, what: str, pause: float | None = None) -> None:
        super().__init__(what)
        self.pause = pause


def address(url: str, root: str) -> str:
    """Where requests go: `root` is the path that is meant where the address names none. Refuses
    what is no address.
    """
    try:
        parts = urlsplit(url)
        sound = (
            parts.scheme in ("http", "https")
            and parts.hostname
            and parts.port != 0
            and url.isascii()
        )
    except ValueError:
        sound = False
    if not sound:
        raise EmbedderError(
            f"embedder_url is no address: {url}.", hint="It looks like http://localhost:8000."
        )
    if parts.username is not None:
        raise EmbedderError(
            "embedder_url holds a password.", hint="Files under git are no place for it; use a key."
        )
    return url.rstrip("/") + ("" if parts.path.strip("/") else root)


def ask(service: Service, path: str, question: Json) -> Json:
    """The answer to a POST. Tries again what may pass, as long as patience lasts, then raises. What
    a request took that failed counts as waiting.
    """
    body = json.dumps(question).encode()
    waited = 0.0
    for attempt in range(_ATTEMPTS):
        asked = monotonic()
        try:
            return _answer(service, _posted(service, path, body))
        except _PassingError as trouble:
            pause = _FIRST_PAUSE * 2**attempt if trouble.pause is None else trouble.pause
            waited += monotonic() - asked
            if attempt == _ATTEMPTS - 1 or waited + pause > service.limits.patience:
                raise EmbedderError(
                    f"{service.name} does not answer: {_safe(service, str(trouble))}.",
                    hint="Try again later; words are searched meanwhile.",
                ) from trouble
            service.limits.wait(pause)
            waited += pause
    raise AssertionError  # the last attempt returns or raises


def _posted(service: Service, path: str, body: bytes) -> _Reply:
    from http.client import HTTPException  # noqa: PLC0415 - 20 ms, for those alone who go over the network

    try:
        return _reply(service, path, body)
    except (HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ConnectionRefusedError):
            raise EmbedderError(
                f"{service.name} does not run at {service.url}.",
                hint="Start it, or set embedder_url in CONFIG.md.",
            ) from error
        raise _PassingError(str(reason) or type(reason).__name__) from error


def _reply(service: Service, path: str, body: bytes) -> _Reply:
    from urllib.error import HTTPError  # noqa: PLC0415
    from urllib.request import Request  # noqa: PLC0415

    headers = {"Content-Type": "application/json", "User-Agent": "clawgit", **service.headers}
    request = Request(service.url + path, body, headers)  # noqa: S310 - `address` lets http and https in only
    try:
        answer = _opener(service.url).open(request, timeout=service.limits.seconds)
    except HTTPError as error:
        answer = error
    with answer:
        return _Reply(answer.status, _lowered(answer.headers), answer.read(_LARGEST_ANSWER))


def _lowered(headers: "Message") -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _opener(url: str) -> Any:
    """Follows no redirect, which could carry the key elsewhere; asks no proxy for what runs on this
    machine.
    """
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener  # noqa: PLC0415

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    local = urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")
    return build_opener(Stay, *([ProxyHandler({})] if local else []))


def _answer(service: Service, reply: _Reply) -> Json:
    if reply.status in _PASSING:
        raise _PassingError(f"{reply.status} {_complaint(reply.body)}", _retry_after(reply.headers))
    if reply.status != _FINE:
        raise _refusal(service, reply)
    try:
        answer = json.loads(reply.body)
    except ValueError as error:
        raise _PassingError("its answer is cut off, or no JSON") from error
    if not isinstance(answer, dict):
        raise _PassingError("its answer is no JSON object")
    return answer


def _refusal(service: Service, reply: _Reply) -> EmbedderError:
    said = _safe(service, f"{reply.status} {_complaint(reply.body)}".strip())
    if reply.status in _TOO_MUCH:
        return TooMuchError(
            f"{service.name} refuses the texts: {said}", hint="See embedder_model in CONFIG.md."
        )
    if reply.status in _NOT_ALLOWED:
        return EmbedderError(
            f"{service.name} does not accept the key: {said}", hint="Check the key's variable."
        )
    return EmbedderError(
        f"{service.name} answers {said}", hint="Check embedder_model and embedder_url in CONFIG.md."
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the service asks for; a date is read against the service's own clock."""
    wanted = headers.get("retry-after", "")
    try:
        return max(0.0, float(wanted))
    except ValueError:
        return _until(wanted, headers.get("date", ""))


def _until(then: str, now: str) -> float | None:
    from email.utils import parsedate_to_datetime  # noqa: PLC0415

    try:
        return max(0.0, (parsedate_to_datetime(then) - parsedate_to_datetime(now)).total_seconds())
    except (ValueError, TypeError):
        return None


def _complaint(body: bytes) -> str:
    """What the service says is wrong: each wraps it differently, and some send a page."""
    try:
        said = json.loads(body)
    except ValueError:
        return ""
    while isinstance(said, dict):
        said = said.get("error", said.get("message", said.get("detail", "")))
    return " ".join(str(said).split())[:_SHOWN]


def _safe(service: Service, text: str) -> str:
    return text.replace(service.secret, "…") if service.secret else text
