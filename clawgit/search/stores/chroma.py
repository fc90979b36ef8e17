"""Chroma: a second store of the vectors, on a server or in a folder, for memories so large that
the exact scan is slow.

All that it holds is derived. So it is made to hold exactly what is wanted, its calls have a time
limit, and what is damaged is deleted and filled again.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache, partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from clawgit.core.doors import chromadb, concurrent, shutil, tempfile
from clawgit.core.doors import load as load_now
from clawgit.core.doors import numpy as np
from clawgit.core.errors import ClawgitError
from clawgit.git.lock import workspace_lock

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
_SILENT = {
    "anonymized_telemetry": False,
    "chroma_otel_granularity": None,
    "chroma_client_auth_provider": None,
    "migrations": "apply",
    "allow_reset": False,
}


class ChromaError(ClawgitError):
    """Chroma cannot answer now. The exact scan can, so a search names this and goes on."""

    kind: ClassVar[str] = "chroma"


class Chroma:
    """A collection on a server. It answers once `fill` has filled it."""

    _trouble = "The Chroma server cannot be used"
    _hint = "Check chroma in CONFIG.md, and that the server runs: chroma run"

    def __init__(self, name: str, connect: Callable[[], Any]) -> None:
        require()
        self._name, self._connect = name, connect
        self._client: Any = None
        self._kept: Any = None
        """The open collection; None before the first call, and after one that failed."""
        self._overdue: Thread | None = None

    def similar(self, vector: "Vector", n: int) -> list[str]:
        """The ids of the nearest by cosine, best first."""
        if self._kept is None:
            raise ChromaError("Chroma is not open.")
        row = vector.reshape(1, -1)
        ask = partial(self._kept.query, query_embeddings=row, n_results=n, include=[])
        nearest: list[str] = self._timed(ask, _ANSWER)["ids"][0]
        return nearest

    def fill(self, wanted: "Callable[[], Iterable[Record]]") -> int:
        """Makes it hold exactly what is wanted; returns how many vectors that is.

        If `wanted` raises, nothing is deleted, and the next filling goes on from there.
        """
        try:
            return self._filled(wanted())
        except ChromaError:
            # Opened anew, once: then damaged files are deleted, and a server may be back.
            return self._filled(wanted())

    def check(self) -> None:
        """Raises a `ChromaError` if it cannot be reached."""
        self._timed(self._reached)

    def close(self) -> None:
        """Closes the connection. A call that still hangs is left to itself."""
        client, self._client, self._kept = self._client, None, None
        if client is not None:
            client.close()

    def _filled(self, wanted: "Iterable[Record]") -> int:
        if self._kept is None:
            self._timed(self._reached)
            make = partial(self._client.get_or_create_collection, self._name, **_KIND)
            self._kept = self._timed(make)
        kept, known, seen = self._kept, {*self._known()}, set[str]()
        # A vector of zeros points nowhere.
        records = (record for record in wanted if record[1].any())
        while page := [*islice(records, _PAGE)]:
            if fresh := {one[0]: one for one in page if one[0] not in known and one[0] not in seen}:
                ids, vectors, facts = map(list, zip(*fresh.values(), strict=True))
                rows = np.asarray(vectors, np.float32)
                add = partial(kept.add, ids=ids, embeddings=rows, metadatas=facts)
                self._timed(add)
            seen.update(one[0] for one in page)
        over = iter(known - seen)
        while gone := [*islice(over, _PAGE)]:
            self._timed(partial(kept.delete, ids=gone))
        return len(seen)

    def _known(self) -> Iterator[str]:
        read, at = partial(self._kept.get, limit=_READ, include=[]), 0
        while page := self._timed(partial(read, offset=at))["ids"]:
            yield from page
            at += len(page)

    def _reached(self) -> None:
        Chroma.close(self)
        self._client = self._connect()

    def _timed(self, work: Callable[[], Any], seconds: float = _SLOW) -> Any:
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
        # With a web server that is not Chroma, or damaged files, the library fails in any way.
        if error := done.exception():
            self._kept = None
            what = next(iter(str(error).splitlines()), type(error).__name__)[:200]
            raise ChromaError(f"{self._trouble}: {what}", hint=self._hint) from error
        return done.result()


class Embedded(Chroma):
    """The Chroma in a folder: its owner is one process at a time, until it is closed.

    A mark stands in the folder while it is open. If the mark is still there at the next opening,
    the process was killed or crashed, perhaps over these very files: they are deleted.
    """

    _trouble, _hint = "Chroma's files are damaged", "They are filled again."

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(name, self._client_of_folder)
        self._folder, self._mark, self._lock = folder, folder / "open", ExitStack()
        self._lock.enter_context(workspace_lock(folder / "lock", "Chroma", 0))

    def close(self) -> None:
        is_sound = self._kept is not None
        super().close()
        if is_sound:  # else whoever opens it next deletes the files
            self._mark.unlink(missing_ok=True)
        self._lock.close()

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
        chosen = _settings(chroma_api_impl="chromadb.api.rust.RustBindingsAPI")
        client = _library().PersistentClient(path=folder, settings=chosen)
        for other in client.list_collections():
            if other.name != self._name:  # an older model's
                client.delete_collection(other.name)
        return client


def _call(work: Callable[[], Any], done: "concurrent.futures.Future[Any]") -> None:
    try:
        done.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread; a panic of Rust is one too
        done.set_exception(error)


def served(url: str, name: str, env: Mapping[str, str]) -> Chroma:
    """A collection on a server, private or Chroma Cloud, with a key from Chroma's own environment
    variables: a key must not be in a file under git.
    """
    return Chroma(name, partial(_client_of_server, url, env))


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
            chroma_server_host=host,
            chroma_server_http_port=port,
            chroma_http_max_keepalive_connections=0,  # the client's `close` leaves them open
        ),
        tenant=env.get("CHROMA_TENANT") or "default_tenant",
        database=env.get("CHROMA_DATABASE") or "default_database",
    )


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
    return _library().config.Settings(_env_file=None, **{**_SILENT, **values})
