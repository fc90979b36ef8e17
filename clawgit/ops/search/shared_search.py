"""The shared memory in a search: asked beside a workspace's own, and told as what it is."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.ops.workspace.reach import same_folder, shared_memory
from clawgit.ops.workspace.workspace import Workspace, is_workspace
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.place import locate
from clawgit.stores.index.discover import SHARED

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.ops.search.search import Answer, Hit, Request, Searcher


class SharedSearch:
    """The shared memory beside a workspace's own, opened when it is first asked for."""

    def __init__(
        self, workspace: Workspace, searcher_of: "Callable[[Workspace], Searcher]"
    ) -> None:
        self._workspace, self._searcher_of = workspace, searcher_of
        self._searcher: Searcher | None = None

    def close(self) -> None:
        if self._searcher:
            self._searcher.close()
            self._searcher = None

    def answer(self, request: "Request", now: datetime, *, asked: bool) -> "Answer | None":
        """What it says to a question, scored within its own index; None where there is none, and
        where it is no workspace yet, unless it was `asked` by name.
        """
        folder = shared_memory(self._workspace)
        if folder is None or same_folder(folder, self._workspace.root):
            return None
        if not asked and not _is_begun(folder):
            return None
        if self._searcher is None:
            self._searcher = self._searcher_of(opened_shared(self._workspace, folder))
        self._searcher.now = now
        found = self._searcher.answer(request._replace(source=""))
        return replace(
            found, results=tuple(told_of(hit, SHARED, folder, SHARED) for hit in found.results)
        )


def told_of(hit: "Hit", agent: str, root: Path, source: str = "") -> "Hit":
    """A hit as somebody sees it who stands elsewhere: by its absolute path, cited as the
    agent's.
    """
    return replace(
        hit,
        path=hit.path if hit.path.startswith("/") else str(root / hit.path),
        source=source or f"{agent}:{hit.source}",
        citation=f"{agent}:{hit.citation}",
        agent=agent,
    )


def joined(own: "Answer", shared: "Answer | None", limit: int) -> "Answer":
    """Both together, the best first by their absolute scores."""
    if shared is None:
        return own
    best = sorted((*own.results, *shared.results), key=lambda hit: hit.score, reverse=True)
    said = shared.fallback if shared.fallback != own.fallback else None
    notes = [own.fallback, f"{SHARED}: {said}" if said else None]
    return replace(
        own,
        results=tuple(best[:limit]),
        behind=own.behind + shared.behind,
        fallback="; ".join(filter(None, notes)) or None,
    )


def _is_begun(folder: Path) -> bool:
    place = locate(folder)
    return place is not None and is_workspace(place)


def opened_shared(workspace: Workspace, folder: Path, *, admitted: bool = False) -> Workspace:
    """The shared memory as a workspace, to be written by who is `admitted`; an error where it is
    none yet.
    """
    place = repo_at(folder, workspace.caller.env)
    if place is None or not is_workspace(place):
        raise ClawgitError(
            f"{folder} is no clawgit workspace yet.", hint="clawgit workspace add shared"
        )
    return Workspace(place, workspace.caller, admitted=admitted)
