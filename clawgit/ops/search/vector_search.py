"""Whether a search compares meanings, and what it then knows."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.domain.search.ranking import QueryLikeness
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHROMA_FROM = 200_000
"""From this many items on, Chroma answers faster than the exact scan."""


class Cosines(Protocol):
    """How near texts are to a question."""

    @property
    def mean(self) -> float: ...
    def nearest(self, count: int) -> list[int]: ...
    def cosines(self, ids: Sequence[int]) -> dict[int, float]: ...


class Nearest(Protocol):
    """A store that has the vectors too, and finds the nearest by the hash of their text."""

    def similar(self, vector: "NDArray[np.float32]", n: int) -> list[tuple[str, float]]: ...

    def wake(self) -> None:
        """Called when the memory has changed."""


class VectorSide(NamedTuple):
    """How near texts are to a question in meaning; None if meaning is not compared.

    `note` is for the answer's `fallback`. `provider` and `model`: what compares, the word index if
    meaning is not compared.
    """

    cosines: Cosines | None = None
    note: str = ""
    provider: str = "sqlite"
    model: str = "fts5"

    def likeness(self, ids: Sequence[int]) -> QueryLikeness | None:
        """How near these items are to the question; None if unknown."""
        if self.cosines is None:
            return None
        cosines = self.cosines.cosines(ids)
        return QueryLikeness(cosines, self.cosines.mean)


NO_MEANING = VectorSide()


def is_wanted(workspace: Workspace) -> bool:
    """Whether meaning is compared: with `auto`, if the extra is installed."""
    mode = workspace.config.settings.search_mode
    return mode in ("vectors", "enhanced") or (mode == "auto" and find_spec("numpy") is not None)


def with_hint(error: ClawgitError) -> str:
    """Says why a model is not used, and what would help."""
    return f"{error.message} {error.hint}".rstrip()


def by_words(why: str) -> str:
    """The note of a search that compares no meaning, though it should."""
    return f"searched by words alone: {why}"


def vectors_in(workspace: Workspace) -> Path:
    return workspace.place.shared / "vectors"
