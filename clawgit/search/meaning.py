"""The vectors of a memory: they follow its index, and are compared with a question."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from clawgit.core import NamedTuple
from clawgit.core.doors import numpy as np
from clawgit.core.errors import ClawgitError
from clawgit.search.embed import Embedder, EmbedderOptions, EmbedLimits, open_embedder
from clawgit.search.index.index import Index, Progress, silent
from clawgit.search.rules.row import KEY, key_of
from clawgit.search.side import Side, best, by_words, is_wanted, vectors_in
from clawgit.search.stores.models import Reader, lacking
from clawgit.search.stores.vectors import Vectors, mark_unfinished
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHROMA_FROM = 200_000
"""From this many items on, Chroma answers faster than the exact scan."""

_WAITED_FOR = 200
"""How many texts are embedded where somebody waits: a second of our model. `memory index` does the
rest.
"""

_BATCH = 256
"""So many texts are embedded and written at once; a kill costs no more."""

_ASKED = 300
"""How many texts Chroma is asked for. More than are shown, since some may be outdated."""

_HURRIED = EmbedLimits(seconds=3.0, patience=2.0)
"""How long a service may take for one request of a search, and for how long it is retried."""


class Nearest(Protocol):
    """A store that has the vectors too, and finds the nearest by the names of their records."""

    def similar(self, vector: "NDArray[np.float32]", n: int) -> list[str]: ...

    def wake(self) -> None:
        """Called when the memory has changed."""


class VectorChoice(NamedTuple):
    """`embedder` is None if only words are searched; `reason` says why, if more was set."""

    embedder: Embedder | None = None
    reason: str = ""


def choose(workspace: Workspace, *, hurried: bool = False) -> VectorChoice:
    """The embedder of the settings, if it can be opened; `hurried` if somebody waits for it."""
    if not is_wanted(workspace):
        return VectorChoice()
    try:
        return VectorChoice(opened(workspace, hurried=hurried))
    except ClawgitError as error:
        return VectorChoice(reason=error.with_hint)


def opened(workspace: Workspace, *, hurried: bool = False) -> Embedder:
    """The embedder of the settings. Raises ClawgitError if it cannot be used."""
    named = workspace.settings.embedding
    limits = _HURRIED if hurried else EmbedLimits()
    wanted = EmbedderOptions(workspace.env, named.model, named.url, limits)
    return open_embedder(named.provider, wanted)


def reader_of(workspace: Workspace) -> Reader | None:
    """The reader of the settings. None if there is none, or if its model is not installed, of which
    what opens the embedder tells. Raises ClawgitError if it cannot be used.
    """
    is_set = workspace.settings.search_mode != "vectors" and is_wanted(workspace)
    return Reader() if is_set and lacking() is None else None


class Meaning:
    """The vectors of one workspace, open across questions.

    Where they fail, words alone answer, as they do until each text has a vector. `is_indexed`:
    `memory index` embeds these texts, as it does not those of the past or of an archive. `today` is
    the day by which old texts keep their vectors or not.
    """

    def __init__(
        self,
        workspace: Workspace,
        embedder: Embedder,
        owner: Nearest | None = None,
        *,
        is_indexed: bool = True,
    ) -> None:
        self._workspace, self.embedder = workspace, embedder
        # Chroma has what `memory index` embeds, and nothing of the past.
        self._owner = owner if is_indexed else None
        self._is_indexed, self.today = is_indexed, workspace.today
        self._vectors: Vectors | None = None
        self._seen: tuple[object, ...] = ()

    @property
    def vectors(self) -> Vectors:
        """Opening it may ask a service for the dimensions of its model."""
        if self._vectors is None:
            each, folder = self.embedder, vectors_in(self._workspace)
            self._vectors = Vectors(folder, each.provider, each.model, each.dimensions)
        return self._vectors

    def follow(self, index: Index, progress: Progress = silent, *, everything: bool = False) -> int:
        """Embeds what is new in the index; returns how many texts are left for `memory index`."""
        self.vectors.follow()
        if self._seen != self._stand(index):
            self._place(index)
        # A line that stands at several places is embedded once.
        texts = {self._keys[KEY * at : KEY * (at + 1)]: at for at in self._missing.tolist()}
        ids = self._ids[[*texts.values()]].tolist()
        wanted = ids if everything else ids[:_WAITED_FOR]
        for start in range(0, len(wanted), _BATCH):
            passages = index.passages(wanted[start : start + _BATCH])
            self.vectors.add([*map(key_of, passages)], self.embedder.embed(passages))
            progress(start + len(passages), len(wanted))
        if wanted:
            self._place(index)
        return len(ids) - len(wanted)

    def _place(self, index: Index) -> None:
        """Finds the row of each item's vector."""
        runs, self._keys = index.vectors(index.horizon(self.today, self._workspace.settings))
        ids = [np.arange(run.start, run.stop, dtype=np.int32) for run in runs]
        self._ids: NDArray[np.int32] = np.concatenate([np.zeros(0, np.int32), *ids])
        self._rows = self.vectors.rows(self._keys)
        self._has_key = np.frombuffer(self._keys, "<u8").reshape(-1, 2).any(axis=1)
        self._missing = np.flatnonzero(self._has_key & (self._rows < 0))
        self._seen = self._stand(index)

    def _stand(self, index: Index) -> tuple[object, ...]:
        return index, index.moment, self.today, self.vectors.stand

    def side(self, index: Index, question: str) -> Side:
        """What a question is near to. If that fails, words alone answer, and the note says why."""
        try:
            if not self.embedder.knows(question):
                return Side(note=by_words("search by meaning does not know this script"))
            if left := self.follow(index):
                return Side(note=self._unfinished(left))
            vector = self.embedder.embed([question], query=True)[0]
            return self._compared(vector)
        except ClawgitError as error:
            return Side(note=by_words(error.with_hint))

    def _unfinished(self, left: int) -> str:
        """What is said while texts are left; the next round of the runner embeds them."""
        rest = f"{left} texts have no vector yet"
        if self._is_indexed:
            mark_unfinished(vectors_in(self._workspace))
            rest += ": clawgit memory index"
        return by_words(rest)

    def _compared(self, vector: "NDArray[np.float32]") -> Side:
        vectors, rows, embedder = self.vectors, self._rows, self.embedder
        side = Side(ids=self._ids, provider=embedder.provider, model=embedder.model)
        if self._owner:
            try:
                names = self._owner.similar(vector, _ASKED)
            except ClawgitError as error:
                side = side._replace(note=f"exact scan: {error.with_hint}")
            else:
                near = self._near(names, vector)
                return side._replace(
                    cosines=lambda at: vectors.cosines(vector, rows[at]), near=near
                )
        cosines = vectors.cosines(vector, rows)
        return side._replace(cosines=cosines.__getitem__)

    def _near(self, names: Iterable[str], vector: "NDArray[np.float32]") -> list[int]:
        """The items of these records, in the order of the exact cosines."""
        rows = self.vectors.rows(b"".join(bytes.fromhex(name[: 2 * KEY]) for name in names))
        at = np.flatnonzero(np.isin(self._rows, rows[rows >= 0]))
        return best(self._ids[at], self.vectors.cosines(vector, self._rows[at]), len(at))

    def keys(self, index: Index) -> dict[int, bytes]:
        """The key of each item that keeps a vector."""
        self.follow(index)
        keyed = np.flatnonzero(self._has_key)
        ids = self._ids[keyed].tolist()
        return {
            each: self._keys[KEY * at : KEY * (at + 1)]
            for each, at in zip(ids, keyed.tolist(), strict=True)
        }

    def shrink(self, index: Index, spared: Iterable[bytes]) -> int:
        """Deletes the vectors of texts that are gone or expired; returns how many went.

        Vectors whose keys are `spared` stay.
        """
        return self.vectors.keep({*self.keys(index).values(), *spared})
