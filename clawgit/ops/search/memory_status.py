"""The memory at a glance: what each tier has, what a search covers, and the size on disk."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from clawgit.domain.workspace.tiers import TIERS, tier
from clawgit.ops.facts.entries import count
from clawgit.ops.search.indexing import index_state
from clawgit.ops.search.side import is_wanted, vectors_in
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.embed import MODELS
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.index.discover import SourceFile, discover
from clawgit.stores.vectors import kept


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """`tiers` and `others` count the files that a search covers; `sizes` are bytes of these files,
    of the indexes, and of our state.
    """

    tiers: dict[str, int]
    others: int
    entries: int
    items: int
    vectors: int
    mode: str
    provider: str
    model: str
    index: str
    sizes: dict[str, int]


def memory_status(workspace: Workspace) -> MemoryStatus:
    """The status. Reads only; the entries are those that `memory list` shows."""
    found = discover(reach_of(workspace))
    places = [tier(path) for path in found]
    index, named = index_state(workspace), workspace.config.settings.embedding
    enhanced = is_wanted(workspace)
    provider = named.provider if enhanced else "sqlite"
    model = named.model or MODELS[provider] if enhanced else "fts5"
    return MemoryStatus(
        tiers={name: places.count(name) for name in TIERS},
        others=sum(place not in TIERS for place in places),
        entries=count(workspace),
        items=index.items,
        vectors=kept(vectors_in(workspace), provider, model) if enhanced else 0,
        mode="enhanced" if enhanced else "core",
        provider=provider,
        model=model,
        index=index.state,
        sizes=_sizes(workspace.place, found.values()),
    )


def _sizes(place: RepoPlace, found: Iterable[SourceFile]) -> dict[str, int]:
    return {
        "files": sum(one.size for one in found),
        "index": _bytes(place.private.glob("search.db*")),
        "vectors": _bytes((place.shared / "vectors").glob("*")),
        "chroma": _bytes((place.shared / "chroma").rglob("*")),
        "state": _bytes(place.shared.glob("state.db*")),
    }


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.lstat().st_size for file in files if file.is_file())
