"""Chroma: a second store of the vectors, on a server or in a folder, for memories so large that
the exact scan is slow.

All that it holds is derived. So it is made to hold exactly what is wanted, its calls have a time
limit, and what is damaged is deleted and filled again.
"""

import hashlib
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

from clawgit.doors import chromadb, concurrent, shutil, tempfile
from clawgit.doors import load as load_now
from clawgit.doors import numpy as np
from clawgit.errors import ClawgitError
from clawgit.stores.git.lock import lock_holder, note, opened, taken

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Facts = Mapping[str, str | int | float]
    Record = tuple[str, Vector, Facts]
    """An id, a vector, and what a collection can be asked by."""

_PAGE = 300
"""How many records are in one call: Chroma Cloud accepts no more, and a small server can still
answer others in between.
"""

_READ = 10_000
"""How many ids are read at once: Chroma finds each page by counting from the first record."""

_ANSWER, _SLOW = 2.0, 60.0
"""Seconds for an answer, and for anything else."""

_KIND = {"embedding_function": None, "configuration": {"hnsw": {"space": "cosine"}}}
_OURS = {
    "anonymized_telemetry": False,
    "chroma_otel_granularity": None,
    "chroma_client_auth_provider": None,
    "migrations": "apply",
    "allow_reset": False,
}
_HINT = "Check chroma in CONFIG.md, and that the server runs: chroma run"


class ChromaError(ClawgitError):
    """Chroma cannot answer now. The exact scan can, so a search names this and goes on."""

    kind: ClassVar[str] = "chroma"


class ChromaBrokenError(ChromaError):
    """Its files are damaged."""


class Family(NamedTuple):
    """Which vectors can be compared with each other.

    `space` keeps workspaces apart that share a server.
    """

    provider: str
    model: str
    dimensions: int
    space: str = ""

    @property
    def collection(self) -> str:
        """A readable name that Chroma accepts and that no other family has."""
        exact = hashlib.sha256("\0".join(map(str, self)).encode()).hexdigest()[:12]
        words = re.sub(r"[^a-z0-9]+", "-", f"{self.provider}-{self.model}".lower())[:60].strip("-")
        return f"clawgit-{words or 'model'}-{self.dimensions}-{exact}"


class Chroma:
    """A collection on a server. `fill` opens it; it answers while it is full."""

    def __init__(self, family: Family, connect: Callable[[], Any]) -> None:
        require()
        self._name, self._connect = family.collection, connect
        self._filling = Lock()
        self._client: Any = None
        self._kept: Any = None
        self._overdue: Thread | None = None

    def similar(self, vector: "Vector", n: int) -> list[tuple[str, float]]:
        """The nearest by cosine; a `ChromaError` says why the exact scan must answer instead."""
        kept = self._kept  # a filling may close it meanwhile
        if kept is None:
            raise ChromaError("Chroma is being filled.", hint="It answers when that is done.")
        row = vector.reshape(1, -1)
        query = partial(kept.query, query_embeddings=row, n_results=n, include=["distances"])
        answer = self._timed(query, _ANSWER)
        nearest = zip(answer["ids"][0], answer["distances"][0], strict=True)
        return [(ident, 1.0 - distance) for ident, distance in nearest]

    def fill(self, wanted: "Callable[[], Iterable[Record]]") -> int:
        """Makes it hold exactly what is wanted; returns how many vectors that is.

        If `wanted` raises, nothing is deleted, and the next filling goes on from there.
        """
        with self._filling:
            kept, self._kept = self._kept, None
            try:
                kept = kept or self._opened()
                size = self._filled(kept, wanted())
            except BaseException:
                self._leave()
                raise
            self._kept = kept
            return size

    def check(self) -> None:
        """Raises a `ChromaError` if it cannot be reached."""
        _hang_up(self._timed(self._connect, _SLOW))

    def close(self) -> None:
        with self._filling:
            self._leave()

    def _opened(self) -> Any:
        self._client = self._timed(self._connect, _SLOW)
        make = partial(self._client.get_or_create_collection, self._name, **_KIND)
        return self._timed(make, _SLOW)

    def _filled(self, kept: Any, wanted: "Iterable[Record]") -> int:
        known, seen = {*self._known(kept)}, set[str]()
        # A vector of zeros points nowhere.
        records = (record for record in wanted if record[1].any())
        while page := [*islice(records, _PAGE)]:
            by_id = {record[0]: record for record in page}
            if fresh := by_id.keys() - known - seen:
                self._add(kept, [by_id[ident] for ident in sorted(fresh)])
            seen |= by_id.keys()
        over = iter(known - seen)
        while gone := [*islice(over, _PAGE)]:
            self._timed(partial(kept.delete, ids=gone), _SLOW)
        return len(seen)

    def _add(self, kept: Any, records: "Sequence[Record]") -> None:
        ids, vectors, facts = zip(*records, strict=True)
        rows = np.asarray(vectors, np.float32)
        self._timed(partial(kept.add, ids=[*ids], embeddings=rows, metadatas=[*facts]), _SLOW)

    def _known(self, kept: Any) -> Iterator[str]:
        at = 0
        while page := self._timed(partial(kept.get, limit=_READ, offset=at, include=[]), _SLOW):
            if not page["ids"]:
                return
            yield from page["ids"]
            at += len(page["ids"])

    def _leave(self) -> None:
        """Closes the connection. A call that still hangs is left to itself."""
        client, self._client, self._kept, self._overdue = self._client, None, None, None
        if client is not None:
            _hang_up(client)

    def _timed(self, work: Callable[[], Any], seconds: float) -> Any:
        """What a call gives, in a thread that the process does not wait for."""
        # While one is overdue no other is begun, so that threads do not pile up on a dead server.
        if self._overdue is not None and self._overdue.is_alive():
            raise ChromaError("Chroma has not given an earlier answer yet.", hint="clawgit doctor")
        done = concurrent.futures.Future[Any]()
        call = Thread(target=_call, args=(work, done), daemon=True, name="chroma")
        call.start()
        call.join(seconds)
        if not done.done():
            self._overdue = call
            raise ChromaError(f"Chroma did not answer within {seconds:g} s.", hint="clawgit doctor")
        if error := done.exception():
            raise self._judged(error) from error
        return done.result()

    def _judged(self, error: BaseException) -> ChromaError:
        """With a web server that is not Chroma, the client may fail in any way."""
        return ChromaError(f"The Chroma server cannot be used: {_first_line(error)}", hint=_HINT)


class Embedded(Chroma):
    """The Chroma in a folder: its owner is one process at a time, until it is closed.

    A mark stands in the folder while it is open. If the mark is still there at the next opening,
    the process was killed or crashed, perhaps over these very files: they are deleted.
    """

    def __init__(self, folder: Path, family: Family) -> None:
        super().__init__(family, self._client_of_folder)
        self._folder, self._mark, self._is_damaged = folder, folder / "open", False
        self._lock = _owned(folder)

    def fill(self, wanted: "Callable[[], Iterable[Record]]") -> int:
        try:
            if self._is_damaged:
                self._leave()
            return super().fill(wanted)
        except ChromaBrokenError:
            # What cannot be read is written anew, once.
            return super().fill(wanted)

    def close(self) -> None:
        try:
            super().close()
        finally:
            os.close(self._lock)

    def _leave(self) -> None:
        super()._leave()
        if not self._is_damaged:
            self._mark.unlink(missing_ok=True)
        self._is_damaged = False

    def _client_of_folder(self) -> Any:
        """A client of the newest store, or of a new one: Chroma remembers the stores that it had
        open by their folders.
        """
        found = sorted(self._folder.glob("store-*"))
        if self._mark.exists() or not found:
            for old in found:
                shutil.rmtree(old)
            found = [Path(tempfile.mkdtemp(dir=self._folder, prefix="store-"))]
        self._mark.touch()
        folder = str(found[-1])
        chosen = _settings(
            chroma_api_impl="chromadb.api.rust.RustBindingsAPI",
            is_persistent=True,
            persist_directory=folder,
        )
        client = _library().PersistentClient(path=folder, settings=chosen)
        for other in client.list_collections():
            if other.name != self._name:  # an older model's
                client.delete_collection(other.name)
        return client

    def _judged(self, error: BaseException) -> ChromaError:
        self._is_damaged = True
        why = f"Chroma's files are damaged: {_first_line(error)}"
        return ChromaBrokenError(why, hint="They are filled again.")


def _call(work: Callable[[], Any], done: "concurrent.futures.Future[Any]") -> None:
    try:
        done.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread; a panic of Rust is one too
        done.set_exception(error)


def _owned(folder: Path) -> int:
    """The descriptor of the lock on a folder."""
    descriptor = opened(folder / "lock")
    if taken(descriptor):
        note(descriptor, "chroma")
        return descriptor
    os.close(descriptor)
    holder = lock_holder(folder / "lock") or "another clawgit process"
    raise ChromaError(
        f"Chroma is open in {holder}.",
        hint="That process answers; others scan the vectors themselves.",
    )


def served(url: str, family: Family, env: Mapping[str, str]) -> Chroma:
    """A collection on a server, private or Chroma Cloud, with a key from Chroma's own environment
    variables: a key must not be in a file under git.
    """
    return Chroma(family, partial(_client_of_server, url, env))


def _client_of_server(url: str, env: Mapping[str, str]) -> Any:
    parts = urlsplit(url)
    host, secure = parts.hostname or "localhost", parts.scheme == "https"
    port = parts.port or (443 if secure else 8000)
    key = env.get("CHROMA_API_KEY", "").strip()
    if not (key.isascii() and key.isprintable()):  # an error of the client would show it
        raise ValueError("CHROMA_API_KEY holds characters that no key has")
    return _library().HttpClient(
        host=host,
        port=port,
        ssl=secure,
        headers={"x-chroma-token": key} if key else {},
        settings=_settings(
            chroma_api_impl="chromadb.api.fastapi.FastAPI",
            is_persistent=False,
            chroma_server_host=host,
            chroma_server_http_port=port,
        ),
        tenant=env.get("CHROMA_TENANT") or "default_tenant",
        database=env.get("CHROMA_DATABASE") or "default_database",
    )


def _hang_up(client: Any) -> None:
    """Closes a client, and the connections to its server, which it leaves open."""
    client.close()
    for part in (client, client._admin_client):  # noqa: SLF001 - there is no public way
        if session := getattr(part._server, "_session", None):  # noqa: SLF001
            session.close()


def require() -> None:
    """Raises unless it is installed, without loading it."""
    if find_spec("chromadb") is None:
        raise ChromaError("chromadb is not installed.", hint="pip install 'clawgit[chroma]'")


@cache
def _library() -> Any:
    """The package, 0.5 s the first time."""
    load_now(chromadb)
    for name in ("chromadb", "httpx"):
        logging.getLogger(name).addHandler(logging.NullHandler())
    return chromadb


def _settings(**values: object) -> Any:
    """Chroma's settings, without anything from an `.env` file in the current folder."""
    return _library().config.Settings(_env_file=None, **{**_OURS, **values})


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:200]
