"""HTTP for clawgit: no redirects, no proxy for this machine, answers of limited size.

Importing this is cheap: urllib, which takes 20 ms, is loaded when something is sent.
"""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

OK = 200
_REDIRECTED = 300
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


class Reply(NamedTuple):
    """What a server answered, whatever its status; the names of the headers are in lower case."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return OK <= self.status < _REDIRECTED


class NoReplyError(Exception):
    """No answer came: a bad address, no connection, a time limit, or no HTTP."""

    def __init__(self, error: Exception) -> None:
        reason = getattr(error, "reason", error)
        super().__init__(str(reason) or type(reason).__name__)
        self.is_refused = isinstance(reason, ConnectionRefusedError)
        self.is_late = isinstance(reason, TimeoutError)


def send(
    url: str, body: bytes | None, headers: Mapping[str, str], *, seconds: float, most: int
) -> Reply:
    """The answer to a POST of JSON, or to a GET if there is no body.

    `seconds` limits each single wait on the network, not the whole. At most `most` bytes of the
    answer are read. The caller must make sure that the address is http or https, and that each
    header can be sent; else ValueError.
    """
    _refuse_bad_address(url)
    from clawgit.stores import http_opener  # noqa: PLC0415 - urllib, 20 ms

    lines = {"User-Agent": "clawgit", **headers}
    if body is not None:
        lines = {"Content-Type": "application/json", **lines}
    try:
        request = http_opener.Request(url, body, lines)
        try:
            is_local = is_this_machine(urlsplit(url).hostname)
            answer = http_opener.opener(is_this_machine=is_local).open(request, timeout=seconds)
        except http_opener.HTTPError as error:
            answer = error  # a status other than 2xx; it can be read like any answer
        with answer:
            names = {name.lower(): value for name, value in answer.headers.items()}
            return Reply(answer.status, answer.reason, names, answer.read(most))
    except (http_opener.HTTPException, OSError) as error:
        raise NoReplyError(error) from error


def seconds_until(then: str, now: str) -> float | None:
    """The seconds between two HTTP dates; None if one of them is no date."""
    from clawgit.stores import http_opener  # noqa: PLC0415 - see `send`

    return http_opener.seconds_until(then, now)


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
