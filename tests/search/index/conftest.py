"""Fixtures: an index over a real workspace, opened as the ops open it and closed at the end of the
test."""

from collections.abc import Callable, Iterator
from itertools import chain

import pytest

from clawgit.git.gitdir import find_repo
from clawgit.git.place import RepoPlace
from clawgit.search.index.index import Index
from clawgit.search.index.live import LiveIndex
from clawgit.workspace.discover import DEFAULT_SOURCES, Reach
from tests.conftest import Git

Opener = Callable[..., LiveIndex]


def place_of(git: Git) -> RepoPlace:
    return find_repo(git.root)


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Opens indexes, brought up to date unless `fresh` is false."""
    made: list[LiveIndex] = []

    def open_one(
        git: Git,
        *extra: str,
        sources: frozenset[str] = DEFAULT_SOURCES,
        patience: float = 2.0,
        fresh: bool = True,
    ) -> LiveIndex:
        reach = Reach(git.root, extra)
        index = LiveIndex(place_of(git), reach, sources=sources, patience=patience)
        made.append(index)
        if fresh:
            index.refresh()
        return index

    yield open_one
    for index in made:
        index.close()


def found(index: Index, *words: str) -> list[tuple[str, int, str]]:
    """Path, line and text of the items that hold one of the words, the best first."""
    return [(row.path, row.line, row.text) for row in index.rows(index.best(words, 10_000))]


def everything(index: Index) -> list[tuple[object, ...]]:
    """All that is searched, whatever the ids are, with the key of each one's vector."""
    runs, keys = index.vectors()
    rows = index.rows(chain(*runs))
    assert len(rows) == index.count == len(keys) // 16
    return sorted(
        (*row._replace(id=0, first=0), keys[at * 16 : at * 16 + 16]) for at, row in enumerate(rows)
    )
