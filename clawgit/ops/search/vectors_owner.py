"""Owns a Chroma: fills it in its own thread, and answers from it while it is current."""

from collections.abc import Mapping
from platform import node
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.errors import ClawgitError
from clawgit.stores.chroma.backend import Family, FilledCollection, Progress, Stop, silent
from clawgit.stores.chroma.embedded import Embedded
from clawgit.stores.chroma.failures import ChromaError, ChromaFillingError
from clawgit.stores.chroma.server import Served, address
from clawgit.stores.git.place import RepoPlace

if TYPE_CHECKING:
    from clawgit.stores.chroma.backend import Vector, Wanted

_FIRST_PAUSE = 5.0
_LONGEST_PAUSE = 3600.0
_PATIENCE = 30.0


class VectorShelf(Protocol):
    """A Chroma, embedded or on a server.

    `fill` makes it hold what is wanted, whatever its state.
    """

    def similar(self, vector: "Vector", n: int) -> list[tuple[str, float]]: ...
    def fill(
        self, wanted: "Wanted", stop: Stop = ..., progress: Progress = ...
    ) -> FilledCollection: ...
    def close(self) -> None: ...


class Holding(NamedTuple):
    """The state of a Chroma with `size` vectors.

    Until it is `ready` the exact scan answers; `trouble` says what is wrong.
    """

    ready: bool
    size: int
    trouble: str


def open_shelf(place: RepoPlace, family: Family, url: str, env: Mapping[str, str]) -> VectorShelf:
    """The server that `chroma_url` names, else the embedded Chroma.

    Only one process can open the embedded one (`ChromaBusyError`). Two clones that share a server
    are kept apart, since each deletes what it does not want.
    """
    if url:
        return Served(address(url, env), family._replace(space=f"{node()}:{place.common_dir}"))
    return Embedded(place.shared / "chroma", family)


class VectorsOwner:
    """Keeps a Chroma filled from `begin` to `close`.

    `wake` says that the memory may have changed.
    """

    def __init__(
        self,
        shelf: VectorShelf,
        wanted: "Wanted",
        progress: Progress = silent,
        *,
        settle: float = 0,
    ) -> None:
        """`settle`: it is filled after this many seconds without a change."""
        self._shelf, self._wanted, self._progress, self._settle_seconds = (
            shelf,
            wanted,
            progress,
            settle,
        )
        self._lock, self._woken, self._closing = Lock(), Event(), Event()
        self._holding = Holding(ready=False, size=0, trouble="")
        self._thread = Thread(target=self._follow, name="vectors", daemon=True)

    @property
    def holding(self) -> Holding:
        return self._holding

    def begin(self) -> None:
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """From now on the exact scan answers, until Chroma is known to be current."""
        with self._lock:
            self._holding = self._holding._replace(ready=False)
            self._woken.set()

    def similar(self, vector: "Vector", n: int) -> list[tuple[str, float]]:
        """The nearest by cosine, complete and current; else raises a `ChromaError` that says
        why.
        """
        holding = self._holding
        if not holding.ready:
            raise ChromaFillingError(
                holding.trouble or "Chroma is being filled.", hint="clawgit doctor"
            )
        try:
            return self._shelf.similar(vector, n)
        except ChromaError:
            self.wake()
            raise

    def close(self) -> None:
        """Saves what is filled so far, if that takes no longer than half a minute."""
        self._closing.set()
        self._woken.set()
        if self._thread.ident is not None:
            self._thread.join(_PATIENCE)
        self._shelf.close()

    def _follow(self) -> None:
        pause = _FIRST_PAUSE
        rest: float | None = None
        calm = 0.0  # the first filling waits for nothing
        while not self._closing.is_set():
            self._woken.wait(rest)
            self._woken.clear()
            while calm and not self._closing.is_set() and self._woken.wait(calm):
                self._woken.clear()
            if self._closing.is_set():
                return
            calm = self._settle_seconds
            try:
                filled = self._shelf.fill(self._wanted, self._closing.is_set, self._progress)
            except ClawgitError as error:
                self._settle(Holding(ready=False, size=self._holding.size, trouble=error.message))
                rest, pause = pause, min(pause * 2, _LONGEST_PAUSE)
            else:
                self._settle(Holding(filled.complete, filled.contents.size, ""))
                rest, pause = None, _FIRST_PAUSE

    def _settle(self, found: Holding) -> None:
        """Records what was filled, unless it was woken meanwhile: then that is outdated already."""
        with self._lock:
            self._holding = found._replace(ready=found.ready and not self._woken.is_set())
