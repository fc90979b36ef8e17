"""A Chroma server, private or Chroma Cloud, with the `fill` and `similar` of the embedded one."""

from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlsplit

from clawgit.stores.chroma import library
from clawgit.stores.chroma.backend import (
    PAGE,
    Family,
    FilledCollection,
    Progress,
    Stop,
    fill,
    never,
    pages,
    silent,
)
from clawgit.stores.chroma.collection import ChromaLimits, Collection, open_collection
from clawgit.stores.chroma.failures import (
    ChromaFillingError,
    ChromaSlowError,
    ChromaUnreachableError,
)

if TYPE_CHECKING:
    from clawgit.stores.chroma.backend import Vector, Wanted


_TENANT = "default_tenant"
_DATABASE = "default_database"
_HINT = "Check chroma_url, and that the server runs: chroma run"
_REFUSALS = {
    401: "wants a valid CHROMA_API_KEY",
    403: "refuses this CHROMA_API_KEY",
    404: "does not know this",
}
_LIMITS = ChromaLimits()
_ENOUGH = 65_536


class Address(NamedTuple):
    """Where a server is, and how to log in.

    With a key and no tenant, the server finds the tenant.
    """

    url: str
    tenant: str = ""
    database: str = ""
    key: str = ""


def address(url: str, env: Mapping[str, str]) -> Address:
    """The address, with a key from Chroma's own environment variables: a key must not be in a file
    under git.
    """
    return Address(
        url, *(env.get(f"CHROMA_{name}", "") for name in ("TENANT", "DATABASE", "API_KEY"))
    )


class Served:
    """A collection on a server, connected by the first filling and again after each failure."""

    def __init__(self, where: Address, family: Family, limits: ChromaLimits = _LIMITS) -> None:
        self._where, self._name = where, family.collection
        self._limits = limits._replace(reading=PAGE) if where.key else limits
        self._filling = Lock()
        self._kept: Collection | None = None

    def similar(self, vector: "Vector", n: int) -> list[tuple[str, float]]:
        """The nearest by cosine; a `ChromaError` says why the exact scan must answer instead."""
        if self._kept is None:
            raise ChromaFillingError(
                "The Chroma server is being filled.", hint="It answers when that is done."
            )
        return self._kept.similar(vector, n)

    def fill(
        self, wanted: "Wanted", stop: Stop = never, progress: Progress = silent
    ) -> FilledCollection:
        """Makes it hold exactly `wanted`; the next filling goes on where a stopped one ended."""
        with self._filling:
            kept, self._kept = (
                self._kept or open_server(self._where, self._name, self._limits),
                None,
            )
            try:
                filled = fill(kept, pages(wanted()), stop, progress)
                self._kept = kept
            finally:
                if self._kept is None:
                    kept.abandon()
            return filled

    def close(self) -> None:
        with self._filling:
            if self._kept is not None:
                self._kept.abandon()
                self._kept = None


class _Line:
    """Chroma's client, with two things that it lacks: a time limit, and a way to close its
    connections.
    """

    def __init__(self, client: Any, seconds: float) -> None:
        self._client = client
        self.get_or_create_collection = client.get_or_create_collection
        # there is no public way; the client looks for its tenant over a second connection
        self._sessions = [part._server._session for part in (client, client._admin_client)]  # noqa: SLF001
        for session in self._sessions:
            session.timeout = seconds

    def close(self) -> None:
        self._client.close()
        for session in self._sessions:
            session.close()


def open_server(where: Address, name: str, limits: ChromaLimits) -> Collection:
    library.require()
    greet(where, limits.answer)
    return open_collection(
        lambda: _Line(_client(where), limits.page), name, library.judge_server, limits
    )


def greet(where: Address, seconds: float) -> None:
    """Checks that the server answers in time and accepts us; Chroma's own check has no limit."""
    host, port, secure = _place(where)
    named = f"tenants/{where.tenant or _TENANT}/databases/{where.database or _DATABASE}"
    connection = (HTTPSConnection if secure else HTTPConnection)(host, port, timeout=seconds)
    try:
        with closing(connection):
            if b"heartbeat" not in _said(connection, "heartbeat", where.key):
                raise ChromaUnreachableError(
                    "What answers at chroma_url is not a Chroma server.", hint=_HINT
                )
            _said(
                connection, "auth/identity" if where.key and not where.tenant else named, where.key
            )
    except TimeoutError as error:
        raise ChromaSlowError(
            f"The Chroma server did not answer within {seconds:g} s.", hint=_HINT
        ) from error
    except (OSError, HTTPException) as error:
        raise ChromaUnreachableError("The Chroma server cannot be reached.", hint=_HINT) from error


def _said(connection: HTTPConnection, path: str, key: str) -> bytes:
    connection.request(
        "GET", f"/api/v2/{quote(path)}", headers={"x-chroma-token": key} if key else {}
    )
    answer = connection.getresponse()
    body = answer.read(_ENOUGH)
    if why := _REFUSALS.get(answer.status):
        raise ChromaUnreachableError(f"The Chroma server {why} ({path}).", hint=_HINT)
    return body


def _client(where: Address) -> Any:
    host, port, secure = _place(where)
    chosen = library.settings(
        **library.BY_HTTP, chroma_server_host=host, chroma_server_http_port=port
    )
    if not where.key:
        named = {"tenant": where.tenant or _TENANT, "database": where.database or _DATABASE}
        return library.load().HttpClient(host=host, port=port, ssl=secure, settings=chosen, **named)
    return library.load().CloudClient(
        tenant=where.tenant or None,
        database=where.database or None,
        api_key=where.key,
        settings=chosen,
        cloud_host=host,
        cloud_port=port,
        enable_ssl=secure,
    )


def _place(where: Address) -> tuple[str, int, bool]:
    try:
        parts = urlsplit(where.url)
        host, port, secure = parts.hostname or "localhost", parts.port, parts.scheme == "https"
    except ValueError as error:
        raise ChromaUnreachableError(
            f"chroma_url is not an address: {error}.", hint=_HINT
        ) from error
    return host, port or (443 if secure else 8000), secure
