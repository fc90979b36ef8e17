"""Owns a Chroma: fills it in its own thread, and answers from it while it is current."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from platform import node
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from clawgit.config.settings import Settings
from clawgit.errors import ClawgitError
from clawgit.ops.search.indexing import index_state, opened
from clawgit.ops.search.meaning import CHROMA_FROM, Meaning, choose
from clawgit.ops.search.records import records
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chroma import Chroma, ChromaError, Embedded, Family, served
from clawgit.stores.embed.contract import Embedder
from clawgit.stores.git.place import RepoPlace

if TYPE_CHECKING:
    from clawgit.stores.chroma import Record, Vector

_SETTLE = 5.0
"""Seconds after an edit before Chroma is filled again; until then the exact scan answers."""

_FIRST_PAUSE = 5.0
_LONGEST_PAUSE = 3600.0
_PATIENCE = 30.0


def open_shelf(place: RepoPlace, family: Family, url: str, env: Mapping[str, str]) -> Chroma:
    """The server that the setting `chroma` names, else the embedded Chroma.

    Only one process can open the embedded one. Two clones that share a server are kept apart, since
    each deletes what it does not want.
    """
    if url:
        return served(url, family._replace(space=f"{node()}:{place.common_dir}"), env)
    return Embedded(place.shared / "chroma", family)


def family_of(embedder: Embedder) -> Family:
    return Family(embedder.provider, embedder.model, embedder.dimensions)


def is_set(settings: Settings) -> bool:
    """Whether the settings want Chroma, however small the memory is."""
    return bool(settings.chroma)


def owner_of(workspace: Workspace) -> "VectorsOwner | None":
    """A Chroma that is filled in the background.

    None if neither the settings nor the size of the memory ask for one, or another process has it.
    """
    settings = workspace.config.settings
    if not is_set(settings) and index_state(workspace).items < CHROMA_FROM:
        return None
    embedder = choose(workspace).embedder
    if embedder is None or not find_spec("chromadb"):
        return None
    url, env = settings.chroma_url, workspace.caller.env
    try:
        shelf = open_shelf(workspace.place, family_of(embedder), url, env)
    except ClawgitError:
        return None  # each search that asks for Chroma says so
    owner = VectorsOwner(shelf, lambda: _records(workspace, embedder), settle=_SETTLE)
    owner.begin()
    return owner


def _records(workspace: Workspace, embedder: Embedder) -> "Iterator[Record]":
    """A generator, so that the index is opened in the thread that fills, as SQLite demands."""
    with opened(workspace) as index:
        index.refresh()
        meaning = Meaning(workspace, embedder)
        meaning.follow(index)
        yield from records(workspace, meaning, index)


class VectorsOwner:
    """Keeps a Chroma filled from `begin` to `close`.

    `wake` says that the memory may have changed. `trouble` says why it is not full.
    """

    def __init__(
        self, shelf: Chroma, wanted: "Callable[[], Iterable[Record]]", *, settle: float = 0
    ) -> None:
        """`settle`: it is filled so many seconds after a change, since edits come in a row."""
        self._shelf, self._wanted, self._settle = shelf, wanted, settle
        self._lock, self._woken, self._closing = Lock(), Event(), Event()
        self.is_ready, self.trouble = False, ""
        self._thread = Thread(target=self._follow, name="vectors", daemon=True)

    def begin(self) -> None:
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """From now on the exact scan answers, until Chroma is known to be current."""
        with self._lock:
            self.is_ready = False
            self._woken.set()

    def similar(self, vector: "Vector", n: int) -> list[tuple[str, float]]:
        """The nearest by cosine, complete and current; else raises a `ChromaError` that says
        why.
        """
        if not self.is_ready:
            raise ChromaError(self.trouble or "Chroma is being filled.", hint="clawgit doctor")
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
        settle, rest, pause = 0.0, None, _FIRST_PAUSE  # the first filling waits for nothing
        while True:
            self._woken.wait(rest)
            self._closing.wait(settle)
            self._woken.clear()
            if self._closing.is_set():
                return
            settle = self._settle
            try:
                self._shelf.fill(self._until_closed)
            except ClawgitError as error:
                self.trouble = error.message
                rest, pause = pause, min(pause * 2, _LONGEST_PAUSE)
                continue
            with self._lock:
                # If it was woken meanwhile, what was filled is outdated already.
                self.is_ready, self.trouble = not self._woken.is_set(), ""
            rest, pause = None, _FIRST_PAUSE

    def _until_closed(self) -> "Iterator[Record]":
        for record in self._wanted():
            if self._closing.is_set():
                raise ChromaError("The service ends.")
            yield record
