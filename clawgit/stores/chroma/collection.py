"""One collection of Chroma, embedded or on a server."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from clawgit.stores.chroma.backend import PAGE
from clawgit.stores.chroma.calls import Calls, Judge
from clawgit.stores.chroma.failures import ChromaError, ChromaSlowError
from clawgit.stores.chroma.standing import metadata

if TYPE_CHECKING:
    from clawgit.stores.chroma.backend import Page, Vector

T = TypeVar("T")
_KIND = {"embedding_function": None, "configuration": {"hnsw": {"space": "cosine"}}}


class ChromaLimits(NamedTuple):
    """Seconds for an answer and for a page of a filling; records in one reading.

    The page that is read is large, since Chroma finds each by counting from the first record;
    Chroma Cloud allows only `PAGE`.
    """

    answer: float = 2.0
    page: float = 60.0
    reading: int = 10_000


class Collection:
    """Vectors of unit length by their ids, which `Standing.ident` makes: one id, one vector.

    Every call has a time limit, and raises a `ChromaError` if Chroma fails.
    """

    def __init__(self, client: Any, kept: Any, calls: Calls, limits: ChromaLimits) -> None:
        self._client, self._kept, self._calls, self._limits = client, kept, calls, limits

    def similar(self, vector: "Vector", n: int) -> list[tuple[str, float]]:
        """The nearest by cosine, best first.

        Nothing is filtered; the caller asks for more and chooses.
        """
        if n < 1:
            return []
        row, most = vector.reshape(1, -1), min(n, self._limits.reading)
        query = partial(
            self._kept.query, query_embeddings=row, n_results=most, include=["distances"]
        )
        answer = self._calls.run(query, self._limits.answer)
        return [
            (key, 1.0 - distance)
            for key, distance in zip(answer["ids"][0], answer["distances"][0], strict=True)
        ]

    def add(self, hashes: Sequence[str], vectors: "Vector") -> None:
        for at in range(0, len(hashes), PAGE):
            page = slice(at, at + PAGE)
            ids = list(hashes[page])
            facts = [*map(metadata, ids)]
            self._slow(partial(self._kept.add, ids=ids, embeddings=vectors[page], metadatas=facts))

    def delete(self, hashes: Iterable[str]) -> None:
        for page in _lists(hashes):
            self._slow(partial(self._kept.delete, ids=page))

    def known(self) -> set[str]:
        return {key for page in self._read([]) for key in page["ids"]}

    def count(self) -> int:
        return int(self._slow(self._kept.count))

    def rows(self) -> "Iterator[Page]":
        """All records, read back page by page."""
        for page in self._read(["embeddings"]):
            yield page["ids"], page["embeddings"]

    def close(self) -> None:
        if not self._calls.close(self._limits.answer):
            raise ChromaSlowError(
                "Chroma has not given an earlier answer yet.", hint="clawgit doctor"
            )
        self._client.close()

    def abandon(self) -> None:
        """Closes the connection to a server, which ends the calls that still wait for it."""
        self._calls.close(0)
        self._client.close()

    def _read(self, include: list[str]) -> Iterator[Any]:
        at = 0
        while True:
            page = self._slow(
                partial(self._kept.get, limit=self._limits.reading, offset=at, include=include)
            )
            if not page["ids"]:
                return
            yield page
            at += len(page["ids"])

    def _slow(self, work: Callable[[], T]) -> T:
        return self._calls.run(work, self._limits.page)


def open_collection(
    connect: Callable[[], Any], name: str, judge: Judge, limits: ChromaLimits
) -> Collection:
    """`connect` makes the client.

    The collection is made if it is missing; its vectors come only from us.
    """
    calls = Calls(judge)
    client = calls.run(connect, limits.page)
    try:
        kept = calls.run(partial(client.get_or_create_collection, name, **_KIND), limits.page)
    except ChromaError:
        client.close()
        raise
    return Collection(client, kept, calls, limits)


def _lists(hashes: Iterable[str]) -> Iterator[list[str]]:
    everything = list(hashes)
    for at in range(0, len(everything), PAGE):
        yield everything[at : at + PAGE]
