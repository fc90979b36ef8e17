"""Searches the memory that agents share, together with a workspace's own."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from clawgit.errors import ClawgitError
from clawgit.ops.search.answer import Hit, Request, SearchAnswer
from clawgit.ops.workspace.reach import same_folder, shared_memory
from clawgit.ops.workspace.workspace import Workspace, is_workspace
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.place import locate
from clawgit.stores.index.sources import SHARED


class Opened(Protocol):
    """A memory that is open for questions."""

    now: datetime

    def answer(self, request: Request) -> SearchAnswer: ...
    def close(self) -> None: ...


class SharedSearch:
    """The shared memory, opened when it is first needed."""

    def __init__(self, workspace: Workspace, opener: Callable[[Workspace], Opened]) -> None:
        self._workspace, self._opener = workspace, opener
        self._opened: Opened | None = None

    def close(self) -> None:
        if self._opened:
            self._opened.close()
            self._opened = None

    def answer(self, request: Request, now: datetime, *, asked: bool) -> SearchAnswer | None:
        """Its answer, scored within its own index; None if there is no shared memory.

        Also None if its folder is not a workspace yet, unless it was `asked` by name.
        """
        folder = shared_memory(self._workspace)
        if folder is None or same_folder(folder, self._workspace.root):
            return None
        if not asked and not _is_begun(folder):
            return None
        if self._opened is None:
            self._opened = self._opener(opened_shared(self._workspace, folder))
        self._opened.now = now
        answer = self._opened.answer(request._replace(source=""))
        hits = tuple(foreign_hit(hit, SHARED, folder, SHARED) for hit in answer.results)
        return answer._replace(results=hits)


def foreign_hit(hit: Hit, agent: str, root: Path, source: str = "") -> Hit:
    """A hit as another workspace shows it: with an absolute path, and the agent's name in the
    citation.
    """
    return hit._replace(
        path=hit.path if hit.path.startswith("/") else str(root / hit.path),
        source=source or f"{agent}:{hit.source}",
        citation=f"{agent}:{hit.citation}",
        agent=agent,
    )


def merged(answers: Sequence[SearchAnswer], limit: int) -> SearchAnswer:
    """Answers of several memories as one, with the model of the first: likely hits, and behind
    them the others, each by their scores. The words of the question that none has are missing.
    """
    first = answers[0]
    hits = sorted(
        (hit for answer in answers for hit in answer.results),
        key=lambda hit: (hit.likely, hit.score),
        reverse=True,
    )
    return first._replace(
        results=tuple(hits[:limit]),
        behind=sum(answer.behind for answer in answers),
        searched=sum(answer.searched for answer in answers),
        missing=tuple(
            word for word in first.missing if all(word in other.missing for other in answers)
        ),
    )


def _is_begun(folder: Path) -> bool:
    place = locate(folder)
    return place is not None and is_workspace(place)


def opened_shared(workspace: Workspace, folder: Path, *, admitted: bool = False) -> Workspace:
    """The shared memory as a workspace, for a caller who may be `admitted` to write it.

    An error if it is no workspace yet.
    """
    place = repo_at(folder, workspace.caller.env)
    if place is None or not is_workspace(place):
        raise ClawgitError(
            f"{folder} is not a clawgit workspace yet.", hint="clawgit workspace add shared"
        )
    return Workspace(place, workspace.caller, admitted=admitted)
