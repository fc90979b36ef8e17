"""Whether a search compares meanings, and what it then knows of a question."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.core import NamedTuple
from clawgit.core.doors import importlib
from clawgit.core.doors import numpy as np
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    At = NDArray[np.int64] | slice


_SAMPLE = 2000


class Side(NamedTuple):
    """How near the searched items are to a question in meaning, by plain cosines.

    `ids` are those items, ascending, and `cosines` gives the cosines at some places among them, 0
    for an item without a vector; None if words alone answer. `near` are the nearest ones, if
    somebody else has found them. `note` is for the answer's `fallback`. `provider` and `model` say
    what compares.
    """

    cosines: "Callable[[At], NDArray[np.float32]] | None" = None
    ids: Any = ()
    note: str = ""
    provider: str = "sqlite"
    model: str = "fts5"
    near: Sequence[int] | None = None

    def nearest(self, count: int) -> list[int]:
        """The items nearest to the question, best first; equal ones in their order."""
        if self.cosines is None:
            return []
        if self.near is not None:
            return [*self.near[:count]]
        return best(self.ids, self.cosines(slice(None)), count)

    @property
    def mean(self) -> float:
        """The cosine of an average item, by a sample: models differ in what they give one."""
        if self.cosines is None or not len(self.ids):
            return 0.0
        sample = self.cosines(slice(None, None, max(1, len(self.ids) // _SAMPLE)))
        return float(sample.mean())

    def of(self, ids: Sequence[int]) -> dict[int, float]:
        """The cosines of some of the items."""
        if self.cosines is None or not ids:
            return {}
        cosines = self.cosines(np.searchsorted(self.ids, np.array(ids, np.int32)))
        return dict(zip(ids, cosines.tolist(), strict=True))


def best(ids: "NDArray[np.int32]", cosines: "NDArray[np.float32]", count: int) -> list[int]:
    """The ids with the highest cosines; never one without a vector."""
    at = np.flatnonzero(cosines)
    ordered: list[int] = ids[at[np.argsort(-cosines[at], kind="stable")]][:count].tolist()
    return ordered


def is_wanted(workspace: Workspace) -> bool:
    """Whether meaning is compared: with `auto`, if the extra is installed."""
    mode = workspace.settings.search_mode
    return importlib.util.find_spec("numpy") is not None if mode == "auto" else mode != "core"


def by_words(why: str) -> str:
    """The note of a search that compares no meaning, though it should."""
    return f"searched by words alone: {why}"


def vectors_in(workspace: Workspace) -> Path:
    return workspace.place.shared / "vectors"
