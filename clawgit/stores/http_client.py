"""HTTP for clawgit: no redirects, no proxy for this machine, answers of limited size."""

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

OK = 200
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


class Reply(NamedTuple):
    """What a server answered, whatever its status; the names of the headers are in lower case."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes


class NoReplyError(Exception):
    """No answer came: a bad address, no connection, a time limit, or no HTTP."""

    def __init__(self, error: Exception) -> None:
        reason = getattr(error, "reason", error)
        super().__init__(str(reason) or type(reason).__name__)
        self.is_refused = isinstance(reason, ConnectionRefusedError)


class _NoRedirects(HTTPRedirectHandler):
    """Returns a redirect as an answer: following it could send a key to another host.

    Its target is not even read, since urllib may not be able to parse it.
    """

    def http_error_302(self, *_: Any, **__: Any) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _opener(host: str | None) -> OpenerDirector:
    handlers: list[BaseHandler] = [_NoRedirects()]
    if host in _THIS_MACHINE:
        # A proxy from the environment would look for `localhost` on its own machine.
        handlers.append(ProxyHandler({}))
    return build_opener(*handlers)


def send(
    url: str, body: bytes | None, headers: Mapping[str, str], *, seconds: float, most: int
) -> Reply:
    """The answer to a POST of JSON, or to a GET if there is no body.

    `seconds` limits each single wait on the network, not the whole. At most `most` bytes of the
    answer are read. The caller must make sure that the address is http or https, and that each
    header can be sent; else ValueError.
    """
    _refuse_bad_address(url)
    lines = {"User-Agent": "clawgit", **headers}
    if body is not None:
        lines = {"Content-Type": "application/json", **lines}
    try:
        request = Request(url, body, lines)  # noqa: S310 - the caller has made sure of http
        try:
            answer = _opener(urlsplit(url).hostname).open(request, timeout=seconds)
        except HTTPError as error:
            answer = error  # a status other than 2xx; it can be read like any answer
        with answer:
            names = {name.lower(): value for name, value in answer.headers.items()}
            return Reply(answer.status, answer.reason, names, answer.read(most))
    except (HTTPException, OSError) as error:
        raise NoReplyError(error) from error


def _refuse_bad_address(url: str) -> None:
    try:
        url.encode("ascii")
        parts = urlsplit(url)
        _ = parts.port
        (parts.hostname or "").encode("idna")
    except ValueError as error:
        raise NoReplyError(error) from error
