"""urllib, as clawgit uses it: without redirects, and without a proxy for this machine."""

from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import (
    BaseHandler,
    HTTPRedirectHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

__all__ = ["HTTPError", "HTTPException", "Request", "opener", "seconds_until"]


class _NoRedirects(HTTPRedirectHandler):
    """Returns a redirect as an answer: following it could send a key to another host.

    Its target is not even read, since urllib may not be able to parse it.
    """

    def http_error_302(self, *_: Any, **__: Any) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def opener(*, is_this_machine: bool) -> OpenerDirector:
    handlers: list[BaseHandler] = [_NoRedirects()]
    if is_this_machine:
        # A proxy from the environment would look for `localhost` on its own machine.
        handlers.append(ProxyHandler({}))
    return build_opener(*handlers)


def seconds_until(then: str, now: str) -> float | None:
    """The seconds between two HTTP dates; None if one of them is no date."""
    try:
        return max(0.0, (parsedate_to_datetime(then) - parsedate_to_datetime(now)).total_seconds())
    except (ValueError, TypeError):
        return None
