"""Copies of a workspace inside itself: `backup/MEMORY.md` beside `MEMORY.md`."""

from collections.abc import Collection, Iterator
from functools import cache, lru_cache

from clawgit.domain.search.terms import words
from clawgit.language.files import SEARCH, listed


def may_be_copy(path: str) -> bool:
    """Whether a folder of a path calls itself a copy."""
    return any(_inside(path))


def is_copy(path: str, paths: Collection[str]) -> bool:
    """Whether a file below such a folder has the path, from there on, of one of these."""
    return any(inside in paths for inside in _inside(path))


def _inside(path: str) -> Iterator[str]:
    """The ends of a path below the first folder of copies in it."""
    parts = path.split("/")
    below = (at for at, folder in enumerate(parts[:-1], 1) if _is_of_copies(folder))
    first = next(below, len(parts))
    yield from ("/".join(parts[at:]) for at in range(first, len(parts)))


@lru_cache(maxsize=1024)  # each search asks about the folders of all that it found
def _is_of_copies(folder: str) -> bool:
    return not _names().isdisjoint(words(folder))


@cache
def _names() -> frozenset[str]:
    return frozenset(listed(SEARCH, "copies"))
