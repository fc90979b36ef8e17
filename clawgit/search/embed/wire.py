"""Asks a service for vectors, within limits. No message ever has the key."""

import json
from collections.abc import Sequence
from http.client import HTTPException
from operator import itemgetter
from time import monotonic
from typing import Any
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

from clawgit.core.doors import numpy as np
from clawgit.search.embed import SERVICES, EmbedderOptions, Rows, Service, normalised, prompts
from clawgit.search.stores.models import ModelError

_AT_ONCE = 64
"""Texts in one request, if that is not too much for a service."""

_LONGEST, _SHORTEST = 6_000, 375
"""At this many characters a text is cut; and how short a text is made that a service refuses."""

_EMPTY = "(empty)"
"""Sent for an empty text, which some services refuse."""

_OK = 200
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_LARGEST_NUMBER = 1e15
_LARGEST_ANSWER = 256 << 20
_SHOWN = 300
"""How many characters of a service's error are shown."""

_PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Statuses that may pass: overload, limits, a restart."""

_TOO_MUCH = frozenset({400, 413, 422})
"""Statuses with which services refuse a request that is too large; many use 400."""

_PAUSE = 0.5
"""Seconds until the second attempt, if a service does not ask for others; then twice as many."""

_CHECK = "Check embedder in CONFIG.md."


class _TooMuchError(ModelError):
    """The service refuses the request; a smaller one may pass."""


class _PassingError(Exception):
    """An error that may pass, and how long the service asks us to wait."""

    def __init__(self, what: str, pause: str = "") -> None:
        super().__init__(what)
        # Some ask with a date, and are tried again after the usual time.
        self.pause = float(pause) if pause.isdecimal() else 0.0


class ServiceEmbedder:
    """An `Embedder` over HTTP. Its first answer sets the dimensions; later ones must have the
    same.
    """

    def __init__(self, name: str, wanted: EmbedderOptions) -> None:
        self._service = service = SERVICES[name]
        self.provider, self.model = name, wanted.model or service.model
        self._key, self._limits = _key(name, service, wanted), wanted.limits
        self._url = _address(wanted.url or service.url, service.root)
        self._prompts = prompts(self.model)
        self._dimensions = 0

    @property
    def dimensions(self) -> int:
        if not self._dimensions:
            self.embed(["dimensions"], query=True)
        return self._dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        prompt = self._prompts[0 if query else 1]
        cut = [prompt + (text[:_LONGEST] if text.strip() else _EMPTY) for text in texts]
        batches = [cut[start : start + _AT_ONCE] for start in range(0, len(cut), _AT_ONCE)]
        rows = [row for batch in batches for row in self._vectors(batch, query=query)]
        return normalised(np.array(rows, np.float32).reshape(len(texts), self._dimensions))

    def knows(self, question: str) -> bool:  # noqa: ARG002 - nobody tells
        return True

    def _vectors(self, texts: Sequence[str], *, query: bool) -> list[Any]:
        """The vectors of texts. If that is too much for the service, of half as many at once, then
        of half a text.
        """
        question: dict[str, Any] = {"model": self.model, "input": [*texts], **self._service.extra}
        if self._service.kinds:
            question["input_type"] = "query" if query else "document"
        try:
            return self._checked(self._asked(json.dumps(question).encode()), len(texts))
        except _TooMuchError:
            middle, longest = len(texts) // 2, len(texts[0])
            if not middle and longest <= _SHORTEST:
                raise
        parts = (texts[:middle], texts[middle:]) if middle else ([texts[0][: longest // 2]],)
        return [row for part in parts for row in self._vectors(part, query=query)]

    def _asked(self, body: bytes) -> Any:
        """The answer. What may pass is tried again until the time for that is used up."""
        end, usual = monotonic() + self._limits.patience, _PAUSE
        while True:
            try:
                return self._answer(body)
            except _PassingError as trouble:
                pause = max(usual, trouble.pause)
                if monotonic() + pause > end:
                    raise self._error(
                        f"does not answer: {trouble}",
                        "Try again later; meanwhile the search goes by words.",
                    ) from trouble
            self._limits.wait(pause)
            usual *= 2

    def _answer(self, body: bytes) -> Any:
        status, pause, answer = self._sent(body)
        complaint = f"{status} {_complaint(answer)}".strip()
        if status in _PASSING:
            raise _PassingError(complaint, pause)
        if status in _TOO_MUCH:
            raise self._error(f"refuses the texts: {complaint}", _CHECK, _TooMuchError)
        if status in (401, 403):
            what = f"does not accept the key: {complaint}"
            raise self._error(what, "Check the key's variable.")
        if status != _OK:
            raise self._error(f"answers {complaint}", _CHECK)
        try:
            return json.loads(answer)
        except ValueError as error:
            raise _PassingError("its answer is cut off, or not JSON") from error

    def _sent(self, body: bytes) -> tuple[int, str, bytes]:
        """The status, the pause that is asked for, and the answer."""
        headers = {"Content-Type": "application/json", "User-Agent": "clawgit"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(f"{self._url}/embeddings", body, headers)  # noqa: S310 - `_address` has made sure of http
        try:
            try:
                answer = _opener(urlsplit(self._url).hostname).open(
                    request, timeout=self._limits.seconds
                )
            except HTTPError as error:
                answer = error  # a status other than 2xx; it can be read like any answer
            with answer:
                pause = answer.headers.get("retry-after", "")
                return answer.status, pause, answer.read(_LARGEST_ANSWER)
        except (HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, ConnectionRefusedError):
                what = f"does not run at {self._url}"
                raise self._error(what, "Start it, or set embedder in CONFIG.md.") from error
            raise _PassingError(str(reason) or type(reason).__name__) from error

    def _checked(self, answer: Any, expected: int) -> list[Any]:
        """The vectors of an answer, if there is a sound one for each text."""
        try:
            ordered = sorted(answer["data"], key=itemgetter("index"))
            rows = np.array([row["embedding"] for row in ordered], np.float64)
        except (KeyError, TypeError, ValueError):
            rows = np.zeros(0)
        is_one_each = rows.size and rows.shape == (expected, self._dimensions or rows.shape[-1])
        # A NaN is not less than anything.
        if not is_one_each or not (abs(rows) < _LARGEST_NUMBER).all():
            raise self._error("cannot be used: it sends no vector of one length a text", _CHECK)
        self._dimensions = rows.shape[1]
        return [*rows]

    def _error(self, what: str, hint: str, kind: type[ModelError] = ModelError) -> ModelError:
        said = what.replace(self._key, "…") if self._key else what
        return kind(f"{self.provider} with {self.model} {said}.", hint=hint)


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


def _key(name: str, service: Service, wanted: EmbedderOptions) -> str:
    keys = [wanted.env.get(variable, "").strip() for variable in service.keys]
    key = next(filter(None, keys), "")
    if service.needs_key and not key and not wanted.url:
        hint = f"Set the environment variable {' or '.join(service.keys)}."
        raise ModelError(f"{name} needs a key.", hint=hint)
    if not (key.isascii() and key.isprintable()):
        raise ModelError(
            f"The key of {name} holds characters that no key has.", hint="Set it again."
        )
    return key


def _address(url: str, root: str) -> str:
    """Where requests go; `root` is the path if the address names none. Refuses a bad address."""
    try:
        parts = urlsplit(url)
        url.encode("ascii")
        f"{parts.hostname}".encode("idna")
        is_sound = parts.hostname and parts.port != 0 and parts.username is None
    except ValueError:
        is_sound = False
    if not is_sound or parts.scheme not in ("http", "https"):
        # It is not shown: it may hold a password.
        hint = "It looks like http://localhost:8000, without a password, which a key replaces."
        raise ModelError("The address of the embedder cannot be used.", hint=hint)
    return url.rstrip("/") + ("" if parts.path.strip("/") else root)


def _complaint(body: bytes) -> str:
    """The service's error message: each wraps it differently, and some send a page of HTML."""
    try:
        complaint = json.loads(body)
    except ValueError:
        return ""
    while isinstance(complaint, dict):
        complaint = complaint.get("error", complaint.get("message", complaint.get("detail", "")))
    return " ".join(str(complaint).split())[:_SHOWN]
