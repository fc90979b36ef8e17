"""Asking a program or a server of the operator's: for so long, for so much, and with a clear word
where that fails.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from clawgit.errors import ClawgitError
from clawgit.stores.program import ProgramError, run_program


class Limits(NamedTuple):
    """How long an answer may take, and how many bytes it may have."""

    seconds: float = 2.0
    size: int = 256 * 1024


class OutsideError(ClawgitError):
    """A program or a server that gives no answer of use."""

    kind = "outside"


def from_program(
    argv: Sequence[str],
    question: Mapping[str, object],
    folder: Path,
    env: Mapping[str, str],
    limits: Limits,
) -> str:
    """What a program writes that is told the question as JSON on its standard input."""
    name, told = argv[0], json.dumps(question, ensure_ascii=False).encode("utf-8", "replace")
    try:
        ran = run_program(
            argv, told, folder=folder, env=env, seconds=limits.seconds, most=limits.size
        )
    except ProgramError as error:
        raise OutsideError(
            f"{name} {error}.", hint="Try it by hand; it must be quick and brief."
        ) from error
    if ran.code:
        raise OutsideError(f"{name} ended with {ran.code}.", hint="Try it by hand.")
    return _text(ran.answer, name)


def from_server(url: str, question: Mapping[str, object], limits: Limits) -> str:
    """What a server answers to a POST of the question as JSON. No redirect is followed."""
    said: list[str | OutsideError] = []

    def ask() -> None:
        try:
            said.append(_posted(url, question, limits))
        except OutsideError as error:
            said.append(error)

    # A time limit of the socket alone begins anew with every byte that comes.
    asking = Thread(target=ask, name="crm", daemon=True)
    asking.start()
    asking.join(limits.seconds)
    if not said:
        raise _late(url, limits)
    if isinstance(said[0], OutsideError):
        raise said[0]
    return said[0]


def _posted(url: str, question: Mapping[str, object], limits: Limits) -> str:
    from http.client import HTTPException  # noqa: PLC0415 - 20 ms, for those alone who go over the network
    from urllib.error import HTTPError  # noqa: PLC0415
    from urllib.request import Request  # noqa: PLC0415

    body = json.dumps(question, ensure_ascii=False).encode("utf-8", "replace")
    headers = {"Content-Type": "application/json", "User-Agent": "clawgit"}
    try:
        request = Request(url, body, headers)  # noqa: S310 - its caller lets http and https in only
        with _opener(urlsplit(url).hostname or "").open(request, timeout=limits.seconds) as answer:
            found = answer.read(limits.size + 1)
    except HTTPError as error:
        error.close()
        raise OutsideError(
            f"{url} answers {error.code} {error.reason}.", hint="Look at its log."
        ) from error
    except (HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            raise _late(url, limits) from error
        raise OutsideError(f"{url} does not answer: {reason}.", hint="Is it running?") from error
    if len(found) > limits.size:
        raise OutsideError(
            f"{url} answers with more than {limits.size:,} bytes.", hint="Let it send less."
        )
    return _text(found, url)


def _late(url: str, limits: Limits) -> OutsideError:
    return OutsideError(
        f"{url} took longer than {limits.seconds:g} s.", hint="Let it answer sooner."
    )


def _opener(host: str) -> Any:
    """Asks no proxy for what runs on this machine."""
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener  # noqa: PLC0415

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    return build_opener(
        Stay, *([ProxyHandler({})] if host in ("localhost", "127.0.0.1", "::1") else [])
    )


def _text(answer: bytes, name: str) -> str:
    try:
        text = answer.decode("utf-8")
    except UnicodeDecodeError as error:
        raise OutsideError(
            f"{name} answers with what is no UTF-8 text.", hint="Let it send text."
        ) from error
    if "\0" in text:
        raise OutsideError(f"{name} answers with what is no text.", hint="Let it send text.")
    return text
