"""Owns a Chroma: fills it in its own thread, and answers from it while it is current."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from platform import node
from threading import Event, Thread
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, StorageError
from clawgit.ops.search.indexing import index_state, opened
from clawgit.ops.search.meaning import CHROMA_FROM, Meaning, choose
from clawgit.ops.search.records import records
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chroma import Chroma, ChromaError, Embedded, served
from clawgit.stores.embed.contract import Embedder
from clawgit.stores.vectors import name_of

if TYPE_CHECKING:
    from clawgit.stores.chroma import Record, Vector

_SETTLE = 5.0
"""Seconds after an edit before Chroma is filled again, since edits come in a row; until then the
exact scan answers.
"""

_PAUSE = 60.0
"""Seconds until a failed filling is tried again."""

_PATIENCE = 30.0
_FILLING = "Chroma is being filled."


def open_shelf(workspace: Workspace, embedder: Embedder) -> Chroma:
    """The server that the setting `chroma` names, else the embedded Chroma.

    Only one process can open the embedded one. Two clones that share a server are kept apart, since
    each deletes what it does not want.
    """
    place, url = workspace.place, workspace.config.settings.chroma_url
    name = f"clawgit-{name_of(embedder.provider, embedder.model, embedder.dimensions)}"
    if url:
        space = hashlib.sha256(f"{node()}:{place.common_dir}".encode()).hexdigest()[:12]
        return served(url, f"{name}-{space}", workspace.caller.env)
    return Embedded(place.shared / "chroma", name)


def owner_of(workspace: Workspace) -> "VectorsOwner | None":
    """A Chroma that is filled in the background; None if neither the settings nor the size of the
    memory ask for one.
    """
    is_large = find_spec("chromadb") and index_state(workspace).items >= CHROMA_FROM
    embedder = choose(workspace).embedder
    if embedder is None or not (workspace.config.settings.chroma or is_large):
        return None
    return VectorsOwner(
        lambda: open_shelf(workspace, embedder), lambda: _records(workspace, embedder), _SETTLE
    )


def _records(workspace: Workspace, embedder: Embedder) -> "Iterator[Record]":
    """A generator, so that the index is opened in the thread that fills, as SQLite demands."""
    with opened(workspace) as index:
        index.refresh()
        meaning = Meaning(workspace, embedder)
        meaning.follow(index)
        yield from records(workspace, meaning, index)


class VectorsOwner:
    """Keeps a Chroma filled, until `close`. `trouble` says why it cannot be asked."""

    def __init__(
        self,
        open_one: Callable[[], Chroma],
        wanted: "Callable[[], Iterable[Record]]",
        settle: float = 0,
    ) -> None:
        self._open, self._wanted, self._settle = open_one, wanted, settle
        self._woken, self._closing = Event(), Event()
        self._shelf: Chroma | None = None
        self.trouble = _FILLING
        self._thread = Thread(target=self._follow, name="vectors", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """The memory may have changed: the exact scan answers, until Chroma is current again."""
        self._woken.set()
        self.trouble = self.trouble or _FILLING

    def similar(self, vector: "Vector", n: int) -> list[str]:
        """The nearest by cosine, complete and current; else raises a `ChromaError` that says
        why.
        """
        if self._shelf is None or self.trouble:
            raise ChromaError(self.trouble, hint="clawgit doctor")
        try:
            return self._shelf.similar(vector, n)
        except ChromaError:
            self.wake()
            raise

    def close(self) -> None:
        """Saves what is filled so far, if that takes no longer than half a minute."""
        self._closing.set()
        self._woken.set()
        self._thread.join(_PATIENCE)

    def _follow(self) -> None:
        while not self._closing.wait(self._settle):
            self._woken.clear()
            try:
                self._shelf = self._shelf or self._open()
                self._shelf.fill(self._until_closed)
                self.trouble = ""
            except ClawgitError as error:
                self.trouble = error.message
            except BaseException as error:
                self.trouble = f"Chroma is not filled: {error!r}"
                raise
            if self._woken.is_set():  # what was filled is outdated already
                self.trouble = self.trouble or _FILLING
            self._woken.wait(_PAUSE if self.trouble else None)
        if self._shelf:
            self._shelf.close()

    def _until_closed(self) -> "Iterator[Record]":
        for record in self._wanted():
            if self._closing.is_set():
                raise StorageError("The service ends.")
            yield record
