"""How the collections of vectors are named, and filled with what they should hold."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clawgit.doors import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clawgit.stores.chroma.collection import Collection

    Vector = NDArray[np.float32]
    Record = tuple[str, Vector]
    Page = tuple[list[str], Vector]
    Wanted = Callable[[], Iterable[Record]]
    """Asks anew, each time it is called, for all that is to be found: id and vector."""

PAGE = 300
"""How many records are in one call: Chroma Cloud accepts no more, and a small server can still
answer others in between."""

_NAME = 60


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
        words = (
            re.sub(r"[^a-z0-9]+", "-", f"{self.provider}-{self.model}".lower())
            .strip("-")[:_NAME]
            .strip("-")
        )
        return f"clawgit-{words or 'model'}-{self.dimensions}-{exact}"


class Contents(NamedTuple):
    """Which hashes there are, in two numbers that do not depend on their order."""

    size: int = 0
    fold: int = 0

    def plus(self, hashes: Iterable[str]) -> "Contents":
        size, fold = self
        for key in hashes:
            size, fold = size + 1, fold ^ int(key, 16)
        return Contents(size, fold)


class FilledCollection(NamedTuple):
    """What a filling changed.

    A filling that was stopped deletes nothing; the next goes on where it ended.
    """

    added: int
    deleted: int
    contents: Contents
    complete: bool


Progress = Callable[[int], object]
Stop = Callable[[], bool]


def never() -> bool:
    return False


def silent(_: int) -> None: ...


def pages(wanted: "Iterable[Record]") -> "Iterator[Page]":
    """The records in pages, each hash once, with unit vectors; zero vectors are left out."""
    fresh = _once(wanted)
    while page := list(islice(fresh, PAGE)):
        vectors = np.asarray([vector for _, vector in page], dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1)
        there = np.flatnonzero(lengths)
        yield [page[at][0] for at in there], vectors[there] / lengths[there, None]


def _once(wanted: "Iterable[Record]") -> "Iterator[Record]":
    seen = set[str]()
    for key, vector in wanted:
        if key not in seen:
            seen.add(key)
            yield key, vector


def fill(
    kept: "Collection",
    wanted: "Iterable[Page]",
    stop: Stop = never,
    progress: Progress = silent,
) -> FilledCollection:
    """Makes a collection hold the wanted pages and nothing else.

    `progress` is called with how many have been looked at.
    """
    known = kept.known()
    seen, added = set[str](), 0
    for hashes, vectors in wanted:
        if stop():
            break
        fresh = [at for at, key in enumerate(hashes) if key not in known]
        kept.add([hashes[at] for at in fresh], vectors[fresh])
        added += len(fresh)
        seen.update(hashes)
        progress(len(seen))
    if stop():
        return FilledCollection(added, 0, Contents().plus(known | seen), complete=False)
    gone = known - seen
    kept.delete(gone)
    return FilledCollection(added, len(gone), Contents().plus(seen), complete=True)
