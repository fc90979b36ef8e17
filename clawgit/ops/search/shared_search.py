"""Answers of several memories as one: the shared one beside a workspace's own, or all agents'."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.ops.search.answer import Hit, SearchAnswer
from clawgit.ops.workspace.workspace import Workspace, is_workspace
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.place import locate


def foreign_hits(hits: Iterable[Hit], agent: str, root: Path, source: str = "") -> tuple[Hit, ...]:
    """Hits as another workspace shows them: with absolute paths, and the agent's name in the
    citations.
    """
    return tuple(
        hit._replace(
            path=str(root / hit.path),
            source=source or f"{agent}:{hit.source}",
            citation=f"{agent}:{hit.citation}",
            agent=agent,
        )
        for hit in hits
    )


def merged(answers: Sequence[SearchAnswer], limit: int) -> SearchAnswer:
    """Several answers as one, by the model of the first: the best hits of all, each scored in its
    own index, likely ones before the others; and the words of the question that no memory has.
    """
    first = answers[0]
    hits = (hit for answer in answers for hit in answer.results)
    best = sorted(hits, key=lambda hit: (hit.likely, hit.score), reverse=True)
    return first._replace(
        results=tuple(best[:limit]),
        behind=sum(answer.behind for answer in answers),
        searched=sum(answer.searched for answer in answers),
        missing=tuple(
            word for word in first.missing if all(word in one.missing for one in answers)
        ),
    )


def is_begun(folder: Path) -> bool:
    """Whether the folder of the shared memory is a workspace yet."""
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
