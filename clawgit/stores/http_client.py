"""HTTP as clawgit speaks it: no redirect, no proxy for this machine, answers of bounded size.

urllib takes 20 ms to load, so only modules that are about to send something import this one.
"""

from collections.abc import Mapping
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    BaseHandler,
    HTTPRedirectHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


class Reply(NamedTuple):
    """What a server answered, whatever its status; the names of the headers are in lower case."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes


class NoReplyError(Exception):
    """No answer came: a bad address, no connection, a time limit, or what is no HTTP."""

    def __init__(self, error: Exception) -> None:
        reason = getattr(error, "reason", error)
        super().__init__(str(reason) or type(reason).__name__)
        self.is_refused = isinstance(reason, ConnectionRefusedError)
        self.is_late = isinstance(reason, TimeoutError)


class _NoRedirects(HTTPRedirectHandler):
    """A redirect is an answer like others: followed, it could carry a key to another host.

    Where it leads is not even read: a server may name an address that urllib cannot parse.
    """

    def http_error_302(self, *_: Any, **__: Any) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def send(
    url: str, body: bytes | None, headers: Mapping[str, str], *, seconds: float, most: int
) -> Reply:
    """The answer to a POST of JSON, or to a GET if there is no body.

    `seconds` limits each single wait on the network, not the whole. At most `most` bytes of the
    answer are read. The caller has made sure that the address is http or https, and that each
    header can be sent: a ValueError otherwise.
    """
    _refuse_bad_address(url)
    lines = {"User-Agent": "clawgit", **headers}
    if body is not None:
        lines = {"Content-Type": "application/json", **lines}
    try:
        request = Request(url, body, lines)  # noqa: S310 - the callers let http and https in only
        try:
            answer = _opener(url).open(request, timeout=seconds)
        except HTTPError as error:
            answer = error  # a status other than 2xx; it can be read like any answer
        with answer:
            names = {name.lower(): value for name, value in answer.headers.items()}
            return Reply(answer.status, answer.reason, names, answer.read(most))
    except (HTTPException, OSError) as error:
        raise NoReplyError(error) from error


def is_this_machine(host: str | None) -> bool:
    return host in _THIS_MACHINE


def _refuse_bad_address(url: str) -> None:
    try:
        url.encode("ascii")
        parts = urlsplit(url)
        _ = parts.port
        (parts.hostname or "").encode("idna")
    except ValueError as error:
        raise NoReplyError(error) from error


def _opener(url: str) -> OpenerDirector:
    handlers: list[BaseHandler] = [_NoRedirects()]
    if is_this_machine(urlsplit(url).hostname):
        # A proxy of the environment would look for `localhost` on its own machine.
        handlers.append(ProxyHandler({}))
    return build_opener(*handlers)
