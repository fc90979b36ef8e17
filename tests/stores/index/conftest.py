"""Fixtures: an index over a real workspace, opened as the ops open it and closed at the end of the
test."""

from collections.abc import Callable, Iterator
from itertools import chain

import pytest

from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.index.discover import Reach
from clawgit.stores.index.reading import IndexReader
from clawgit.stores.index.searching import SearchIndex, open_index
from clawgit.stores.index.shelf import Chunking
from clawgit.stores.index.sources import DEFAULT_SOURCES
from tests.conftest import Git

Opener = Callable[..., SearchIndex]
CHUNKING = Chunking()


def place_of(git: Git) -> RepoPlace:
    place = repo_at(git.root)
    assert place is not None
    return place


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Opens indexes, brought up to date unless `fresh` is false."""
    made: list[SearchIndex] = []

    def open_one(
        git: Git,
        *extra: str,
        chunking: Chunking = CHUNKING,
        sources: frozenset[str] = DEFAULT_SOURCES,
        patience: float = 2.0,
        fresh: bool = True,
    ) -> SearchIndex:
        index = open_index(
            place_of(git), Reach(git.root, extra), chunking, sources=sources, patience=patience
        )
        made.append(index)
        if fresh:
            index.refresh()
        return index

    yield open_one
    for index in made:
        index.close()


def found(index: IndexReader, word: str) -> list[tuple[str, int, str]]:
    """Path, line and text of the items that hold a word."""
    return [(row.path, row.line, row.text) for row in index.rows(index.postings(word))]


def everything(index: IndexReader) -> list[tuple[object, ...]]:
    """All that is searched, whatever the ids are."""
    rows = (
        row._replace(id=0, text_id=0, first=0, last=0)
        for row in index.rows(chain(*index.live()[0]))
    )
    return sorted(tuple(row) for row in rows)
