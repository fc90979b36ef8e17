"""The side of a search that compares meanings: an embedder, the vectors of the memory, and who
compares them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.domain.facts.vector_life import horizon
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chroma.failures import ChromaBusyError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from clawgit.stores.chroma.backend import Family
    from clawgit.stores.embed.contract import Embedder
    from clawgit.stores.index.reading import IndexReader
    from clawgit.stores.nearness import Items
    from clawgit.stores.vectors import VectorFile

_LOCAL = ("static",)
_LATIN = ("static", "onnx-minilm")
_AT_ONCE = 256
"""Texts that a search lets an embedder read which costs money or time; `memory index` does the
rest."""

_ANSWER_SECONDS = 3.0
_ANSWER_PATIENCE = 2.0
"""How long a service may take for one request of a search, and how long it is asked again."""

CHROMA_FROM = 200_000
"""Items from which Chroma answers quicker than the exact scan."""

_ASKED = 300
"""Texts that Chroma is asked for: some may be of the past."""


class Cosines(Protocol):
    """What a question is near to."""

    @property
    def mean(self) -> float: ...
    def nearest(self, count: int) -> list[int]: ...
    def cosines(self, ids: Sequence[int]) -> dict[int, float]: ...


class Nearest(Protocol):
    """Whoever holds the vectors too and finds the nearest, by the hash of their text."""

    def similar(self, vector: "NDArray[np.float32]", n: int) -> list[tuple[str, float]]: ...

    def wake(self) -> None:
        """What the memory holds has changed."""


class Side(NamedTuple):
    """What meaning says to a question; None where it says nothing. `note` is for the answer's
    `fallback`.
    """

    cosines: Cosines | None = None
    note: str = ""


class Choice(NamedTuple):
    """`embedder` is None where words alone are searched; `reason` says why, where more was asked
    for.
    """

    embedder: "Embedder | None" = None
    reason: str = ""


def is_wanted(workspace: Workspace) -> bool:
    """Whether meaning is to be compared: `auto` does where the extra is installed."""
    mode = workspace.config.settings.search_mode
    return mode == "enhanced" or (mode == "auto" and find_spec("numpy") is not None)


def choose(workspace: Workspace, *, hurried: bool = False) -> Choice:
    """The embedder that the settings ask for, if it can be had; `hurried` where somebody waits for
    an answer.
    """
    if not is_wanted(workspace):
        return Choice()
    settings = workspace.config.settings
    from clawgit.stores.embed import Limits, Wanted, open_embedder  # noqa: PLC0415 - only where meaning is compared

    env = {**workspace.caller.env, "HOME": str(workspace.caller.home)}
    limits = Limits(_ANSWER_SECONDS, _ANSWER_PATIENCE) if hurried else Limits()
    wanted = Wanted(env, settings.embedder_model, settings.embedder_url, limits)
    try:
        return Choice(open_embedder(settings.embedder, wanted))
    except ClawgitError as error:
        return Choice(reason=told(error))


def told(error: ClawgitError) -> str:
    """Why meaning is not compared, and what would help."""
    return f"{error.message} {error.hint}".rstrip()


def family_of(meaning: "Meaning") -> "Family":
    """What keeps the vectors of one model apart from those of others."""
    embedder = meaning.embedder
    from clawgit.stores.chroma.backend import Family  # noqa: PLC0415 - only where Chroma is asked

    return Family(embedder.provider, embedder.model, embedder.dimensions)


def vectors_in(workspace: Workspace) -> Path:
    return workspace.place.shared / "vectors"


class Meaning:
    """Kept open between questions. Whatever goes wrong with it raises a ClawgitError, and words
    alone answer.
    """

    def __init__(
        self, workspace: Workspace, embedder: "Embedder", owner: Nearest | None = None
    ) -> None:
        self._workspace, self.embedder, self._owner = workspace, embedder, owner
        self._file: VectorFile | None = None
        self._items: Items | None = None
        self._seen: tuple[str, int] = ("", 0)
        self._missing: list[int] = []
        self._horizon = horizon(workspace.today, workspace.config.settings)

    def follow(
        self,
        index: "IndexReader",
        progress: Callable[[int], None] | None = None,
        *,
        everything: bool = False,
        mending: bool = False,
    ) -> int:
        """Embeds what the index has come to hold; how many items' texts are left for `memory
        index`. With `mending`, vectors that are spoilt are made anew.
        """
        from clawgit.stores.nearness import Items  # noqa: PLC0415 - numpy takes 60 ms
        from clawgit.stores.vectors import fill  # noqa: PLC0415

        moment = index.generation, index.moment
        if self._file is None or self._items is None or self._seen != moment:
            self._items, self._seen = Items(index.live(self._horizon)), moment
            self._file = self._opened(index.generation)
            if mending:
                self._file.mend()
            self._missing = self._file.missing(self._items.texts)
        if not self._missing:
            return 0
        limit = None if everything or self.embedder.provider in _LOCAL else _AT_ONCE
        fill(self.embedder, self._file, index.texts(self._missing), progress=progress, limit=limit)
        self._missing = self._file.missing(self._items.texts)
        return len(set(self._missing))

    def side(self, index: "IndexReader", question: str) -> Side:
        """What a question is near to. Where that cannot be told, words alone answer, and the note
        says why.
        """
        from clawgit.domain.search.question import in_latin  # noqa: PLC0415 - 7 ms, where a question is asked

        if self.embedder.provider in _LATIN and not in_latin(question):
            return Side(
                note=f"words alone: the model {self.embedder.model} knows no other script than "
                "Latin"
            )
        try:
            left = self.follow(index)
            found, why = self._compared(index, self.embedder.embed([question], query=True)[0])
        except ClawgitError as error:
            return Side(note=f"words alone: {told(error)}")
        rest = f"{left} texts have no vector yet: clawgit memory index" if left else ""
        return Side(found, "; ".join(filter(None, (why, rest))))

    def _compared(self, index: "IndexReader", vector: "NDArray[np.float32]") -> tuple[Cosines, str]:
        from clawgit.stores.vectors import TornVectorsError  # noqa: PLC0415

        try:
            return self._cosines(index, vector)
        except TornVectorsError:
            self._seen = "", 0
            self.follow(index, mending=True)
            return self._cosines(index, vector)

    def _cosines(self, index: "IndexReader", vector: "NDArray[np.float32]") -> tuple[Cosines, str]:
        from clawgit.stores.nearness import Scan  # noqa: PLC0415

        assert self._file is not None  # noqa: S101 - `follow` came before
        assert self._items is not None  # noqa: S101
        if not self._asks_chroma(len(self._items.ids)):
            return Scan(self._items, self._file, vector), ""
        try:
            return self._from_owner(index, vector), ""
        except ClawgitError as error:
            return Scan(self._items, self._file, vector), f"exact scan: {told(error)}"

    def shrink(self, index: "IndexReader", spared: Iterable[bytes] = ()) -> int:
        """Lets go of the vectors of texts that the index does not hold or that are over, but for
        those `spared` by their keys; how many went.
        """
        import numpy as np  # noqa: PLC0415 - numpy takes 60 ms

        self.follow(index)
        assert self._file is not None  # noqa: S101 - `follow` came before
        assert self._items is not None  # noqa: S101
        held = (
            key
            for page in _pages(np.unique(self._items.texts).tolist())
            for _, key, _ in index.texts(page)
        )
        gone = self._file.keep([*held, *spared])
        self._seen = "", 0
        self.follow(index)
        return gone

    @property
    def count(self) -> int:
        """Vectors that are kept, those of past texts included."""
        return self._file.count if self._file else 0

    def records(self, index: "IndexReader") -> "Iterator[tuple[str, NDArray[np.float32]]]":
        """Hash and vector of every text that the index holds and that has one."""
        import numpy as np  # noqa: PLC0415 - numpy takes 60 ms

        assert self._file is not None  # noqa: S101 - `follow` came before
        assert self._items is not None  # noqa: S101
        for page in _pages(np.unique(self._items.texts).tolist()):
            hashes = {ident: key.hex() for ident, key, _ in index.texts(page)}
            known = [ident for ident in page if ident in hashes]
            vectors = self._file.vectors_of(np.array(known, np.int32))
            yield from (
                (hashes[ident], vector) for ident, vector in zip(known, vectors, strict=True)
            )

    def _opened(self, generation: str) -> "VectorFile":
        from clawgit.stores.vectors import VectorFile  # noqa: PLC0415

        folder, embedder = vectors_in(self._workspace), self.embedder
        return VectorFile(
            folder, embedder.provider, embedder.model, embedder.dimensions, generation
        )

    def _asks_chroma(self, items: int) -> bool:
        """A cold search never does by itself: to load Chroma alone takes longer than to scan."""
        backend = self._workspace.config.settings.search_backend
        return backend == "chroma" or (
            backend == "auto" and self._owner is not None and self._is_served(items)
        )

    def _is_served(self, items: int) -> bool:
        return items >= CHROMA_FROM or bool(self._workspace.config.settings.chroma_url)

    def _from_owner(self, index: "IndexReader", vector: "NDArray[np.float32]") -> Cosines:
        from clawgit.stores.nearness import Sampled  # noqa: PLC0415

        assert self._file is not None  # noqa: S101 - `follow` came before
        assert self._items is not None  # noqa: S101
        if self._owner is None:
            raise ChromaBusyError(
                "Chroma is opened by the service alone.", hint="clawgit serve --socket"
            )
        found = self._owner.similar(vector, _ASKED)
        ids = index.text_ids(bytes.fromhex(name) for name, _ in found)
        near = [
            (ids[bytes.fromhex(name)], cosine)
            for name, cosine in found
            if bytes.fromhex(name) in ids
        ]
        return Sampled(self._items, self._file, vector, near)


def _pages(ids: list[int]) -> Iterator[list[int]]:
    return (ids[at : at + _PAGE] for at in range(0, len(ids), _PAGE))


_PAGE = 1000
